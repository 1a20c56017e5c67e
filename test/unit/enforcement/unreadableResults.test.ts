import { describe, expect, it } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import { learn } from '../../../bindings/estimation/learning/index.js';
import { Abstraction } from '../../../bindings/observations/abstraction/index.js';
import { compileGuard } from '../../../bindings/rules/risk/index.js';
import { parseSpecification } from '../../../bindings/rules/specification/index.js';
import { guardTools } from '../../../bindings/runtime/adapters/plain.js';
import { createSession } from '../../../bindings/runtime/enforcement/index.js';
import { createGuard, type Guard } from '../../../bindings/runtime/guard/index.js';

const specification = parseSpecification(`
version: 1
predicates:
  abroad: 'lastTool == "send" && has(lastArguments.to) && !lastArguments.to.endsWith("@home")'
  secret: 'lastTool == "read" && lastResult != null && has(lastResult.secret) && lastResult.secret'
rules:
  noAbroad: { formula: 'G !abroad', threshold: 0.5 }
  noSecret: { formula: 'G !secret', threshold: 0.5 }
learning: { smoothing: 0 }`);

const after = (lastTool: string, lastArguments: object, lastResult: unknown) => ({
  state: { lastTool, lastToolFailed: false, lastArguments, lastResult, calls: {}, failures: {} },
});

async function guarded(): Promise<Guard> {
  const steps = [
    after('', {}, null),
    after('send', { to: 'a@home' }, 'ok'),
    after('read', {}, { secret: false }),
    after('send', { to: 'a@home' }, 'ok'),
  ];
  const traces = ['1', '2', '3'].map((id) => ({ id, steps }));
  const { model } = await learn(new Abstraction(specification.abstraction), traces, specification.learning);
  return createGuard(compileGuard(specification, model));
}

function nested(levels: number): unknown {
  let value: unknown = 0;
  for (let i = 0; i < levels; i++) value = [value];
  return value;
}

const cyclic: Record<string, unknown> = { secret: true };
cyclic.self = cyclic;
const zeros = Array.from({ length: 300_000 }, () => 0);

/** Whether a call is let through after one that was called so and gave this. */
async function runsAfter(tool: 'send' | 'read', given: object, result?: unknown): Promise<boolean> {
  const session = createSession({ guard: await guarded(), tools: ['send', 'read'] });
  const tools = guardTools(session, { send: (_: object) => 'ok', read: (_: object) => result });
  await tools[tool](given);
  return tools.send({ to: 'a@home' }).then(
    () => true,
    () => false,
  );
}

describe('where arguments or results cannot be read, they are not taken for nothing', () => {
  it.each([
    ['arguments as they are', 'x@evil', {}, false],
    ['arguments beside 600 levels', 'x@evil', { pad: nested(600) }, false],
    ['arguments beside 300,000 values', 'x@evil', { pad: zeros }, false],
    ['lawful arguments beside 600 levels', 'x@home', { pad: nested(600) }, true],
  ])('%s', async (_, to, more, runs) => {
    expect(await runsAfter('send', { to, ...more })).toBe(runs);
  });

  it.each([
    ['a result as it is', { secret: true }, false],
    ['a result beside 600 levels', { secret: true, pad: nested(600) }, false],
    ['a result beside 300,000 values', { secret: true, pad: zeros }, false],
    ['a result beside more levels than are read', { secret: true, pad: nested(1100) }, false],
    ['a result that is part of itself', cyclic, false],
    ['a map', new Map([['secret', true]]), false],
    ['a lawful result', { secret: false, pad: zeros }, true],
    ['no result', undefined, true],
  ])('%s', async (_, result, runs) => {
    expect(await runsAfter('read', {}, result)).toBe(runs);
  });
});
