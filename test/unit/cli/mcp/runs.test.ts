import { describe, expect, it } from 'vitest';
import { parseRun, Runs } from '../../../../bindings/face/cli/mcp/runs.js';
import { compileRules, parseSpecification } from '../../../../bindings/rules/specification/index.js';
import { createSession, type RunRecord } from '../../../../bindings/runtime/enforcement/index.js';
import { createGuard } from '../../../../bindings/runtime/guard/index.js';

describe('what a run lasts as long as', () => {
  it.each([
    [undefined, { kind: 'connection' }],
    ['connection', { kind: 'connection' }],
    ['session', { kind: 'session' }],
    ['header:X-Agent', { kind: 'header', name: 'x-agent' }],
    ['idle:30m', { kind: 'idle', ms: 1_800_000 }],
    ['idle:2d', { kind: 'idle', ms: 172_800_000 }],
  ])('is %s', (text, bound) => {
    expect(parseRun(text, true)).toEqual(bound);
  });

  it.each(['', 'ever', 'idle', 'idle:0s', 'idle:-1s', 'idle:5', 'header', 'header:', 'header:a b'])(
    'is not "%s"',
    (text) => {
      expect(() => parseRun(text, true)).toThrow('expected connection, session, header:NAME');
    },
  );

  it('is no header where there are none', () => {
    expect(() => parseRun('header:X-Agent', false)).toThrow('give --listen');
  });
});

describe('a client that goes while its call is running', () => {
  it('does not make it a failed one', async () => {
    const specification = parseSpecification(`version: 1
predicates: { again: 'has(action.name) && action.name == "refund" && history.exists(c, c.name == "refund" && !c.failed)' }
rules: { onceUnlessFailed: { formula: 'G !again' } }`);
    const tool = { check: () => null, refused: () => null };
    const world = { tools: { refund: tool, look: tool } };
    const runs = new Runs({ kind: 'session' });
    const connect = () =>
      runs.connect(
        world,
        async () => (own) =>
          createSession({ ...own, guard: createGuard(compileRules(specification)), onFault: 'block' }),
      );
    const refund = { id: '1', name: 'refund', arguments: {} };
    const first = connect();
    expect((await first.decide(refund)).decision).toBe('allow');
    await first.end();
    const next = connect();
    expect(await next.decide(refund)).toMatchObject({ decision: 'block', reason: 'predicate-failed' });
    expect((await next.decide({ ...refund, name: 'look' })).decision).toBe('allow');
    await runs.close();
  });
});

describe('a long run', () => {
  const nothingBad = parseSpecification(
    '{ version: 1, predicates: { bad: bad }, rules: { never: { formula: G !bad } } }',
  );
  const record = (number: number): RunRecord => ({
    kind: 'outcome',
    run: 'idle:a',
    time: Date.now(),
    number,
    outcome: 'ran',
  });

  it('goes on, however many records it has', async () => {
    const earlier = new Map([['idle:a', Array.from({ length: 200_000 }, (_, i) => record(i))]]);
    const runs = new Runs({ kind: 'idle', ms: 3_600_000 }, earlier);
    let resumed = -1;
    const client = runs.connect({ tools: {} }, async () => ({ resume = [] }) => {
      resumed = resume.length;
      return createSession({ guard: createGuard(compileRules(nothingBad)), tools: [] });
    });
    await client.decide({ id: '1', name: 'look', arguments: {} });
    expect(resumed).toBe(200_000);
  });
});
