import { describe, expect, it } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import { learn } from '../../../bindings/estimation/learning/index.js';
import { Abstraction } from '../../../bindings/observations/abstraction/index.js';
import { compileGuard } from '../../../bindings/rules/risk/index.js';
import { parseSpecification } from '../../../bindings/rules/specification/index.js';
import {
  createSession,
  type RunRecord,
  type SessionOptions,
} from '../../../bindings/runtime/enforcement/index.js';
import { createGuard, type GuardFile } from '../../../bindings/runtime/guard/index.js';
import { mailTools, recordings } from '../../../examples/mail/mail.mjs';
import { expectReplayed } from './replayed.js';

const call = (name: string, id = name) => ({ id, name, arguments: {} });

/** Asks while the agent is clean (risk 0.08), and does `then` once it is tainted (0.26). */
async function mailFile(then: string, onUnknown = 'block', more = ''): Promise<GuardFile> {
  const specification = parseSpecification(`
version: 1
predicates: { tainted: tainted, leaked: leaked${more} }
rules: { noLeak: { formula: 'G !leaked', levels: [{ threshold: 0.05, strategy: inspect }, { threshold: 0.2, strategy: ${then} }] } }
onUnknown: ${onUnknown}
learning: { smoothing: 0 }`);
  const { model } = await learn(
    new Abstraction(specification.abstraction),
    recordings(),
    specification.learning,
  );
  return compileGuard(specification, model);
}

function opened(file: GuardFile) {
  const world = { tainted: false, leaked: false, broken: false };
  const records: RunRecord[] = [];
  const options: SessionOptions = {
    guard: createGuard(file),
    tools: mailTools,
    onFault: 'block',
    state: () => {
      if (world.broken) throw new Error('the sensor is gone');
      return { tainted: world.tainted, leaked: world.leaked };
    },
    log: { append: (record) => void records.push(structuredClone(record)) },
  };
  return { world, records, options, session: createSession(options) };
}

describe('a person who says yes', () => {
  it('while another call runs under a guard of a chain lets nothing run beside it', async () => {
    const { session } = opened(await mailFile('stop'));
    const [send, fetch] = [await session.check(call('send')), await session.check(call('fetch'))];
    const fetching = await session.answer(fetch.inspection!.id, { approved: true });
    expect(fetching.run?.name).toBe('fetch');
    const sending = await session.answer(send.inspection!.id, { approved: true });
    expect(sending).toMatchObject({ decision: 'block', reason: 'calls-running', run: null });
  });

  it.each([
    ['block', 'tainted', 'at-threshold'],
    ['block', 'broken', 'predicate-failed'],
  ])(
    'to a question whose state has passed does not overrule %s where it is %s',
    async (then, change, reason) => {
      const file = await mailFile(then);
      const { session, world, records, options } = opened(file);
      const [send, fetch] = [await session.check(call('send')), await session.check(call('fetch'))];
      await session.ran(await session.answer(fetch.inspection!.id, { approved: true }), { result: 'a page' });
      world[change as 'tainted' | 'broken'] = true;
      const late = await session.answer(send.inspection!.id, { approved: true });
      expect(late).toMatchObject({ decision: 'block', reason: 'no-answer', run: null });
      expect(late.message).toContain(`the world has changed since the question: ${reason}`);
      await expectReplayed(records, file);
      const { log: _, ...again } = options;
      const resumed = createSession({ ...again, guard: createGuard(file), resume: structuredClone(records) });
      world.broken = false;
      const next = await session.check(call('search'));
      expect((await resumed.check(call('search'))).step).toEqual(next.step);
    },
  );

  it.each(['inspect', 'reflect'])(
    'under onUnknown: %s lets nothing run in a world that cannot be read',
    async (onUnknown) => {
      const { session, world } = opened(await mailFile('block', onUnknown));
      const [send, fetch] = [await session.check(call('send')), await session.check(call('fetch'))];
      await session.ran(await session.answer(fetch.inspection!.id, { approved: true }), { result: 'a page' });
      world.broken = true;
      expect((await session.answer(send.inspection!.id, { approved: true })).run).toBeNull();
    },
  );

  it('to a question that would be asked again now lets the call run', async () => {
    const { session } = opened(await mailFile('stop'));
    const [send, search] = [await session.check(call('send')), await session.check(call('search'))];
    await session.ran(await session.answer(search.inspection!.id, { approved: true }), { result: 'a list' });
    expect((await session.answer(send.inspection!.id, { approved: true })).run?.name).toBe('send');
  });
});
