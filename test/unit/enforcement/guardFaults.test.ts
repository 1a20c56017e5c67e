import { describe, expect, it } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import { InvalidArgumentError } from '../../../bindings/base/errors.js';
import { createSession } from '../../../bindings/runtime/enforcement/index.js';
import { createGuard } from '../../../bindings/runtime/guard/index.js';
import { guardFile, never, ruleOf } from '../guard/guardFiles.js';
import { mailbox, mailShield, mailTools } from './mail.js';
import { guardThat, risks, SAFE, setting } from './setting.js';

describe('faults of the guard itself', () => {
  const rule = ruleOf(never, risks);

  /** A guard without data on what holds only `b`. */
  const noData = {
    rules: [ruleOf(never, [0.1, 0.1, 1])],
    states: { words: 1, valuations: [0, 1, 3], draws: [9, 5, 0] },
    seen: { rowStart: [0, 2, 3, 3], columns: [0, 1, 0] },
  };

  it.each<[string, unknown, Parameters<typeof guardFile>[1]]>([
    ['predicate-failed', { a: false }, {}],
    ['predicate-failed', { a: 1, b: false }, {}],
    ['predicate-failed', undefined, {}],
    ['predicate-failed', null, {}],
    ['predicate-failed', 'all well', {}],
    ['predicate-failed', Object.create(SAFE), {}],
    ['unknown-state', { a: false, b: true }, noData],
    ['forbidden-state', { a: false, b: true }, { ...noData, constraints: { state: 'a || !b' } }],
  ])('are decided by onUnknown and recorded: %s in %j', async (reason, state, more) => {
    for (const onUnknown of ['stop', 'block', 'inspect', 'reflect'] as const) {
      const guard = createGuard(guardFile([rule], { ...more, onUnknown }));
      const run = setting({ guard, state: () => state, ask: async () => ({ approved: false }) });
      const { verdict } = await run.propose('move');
      expect(verdict.run).toBeNull();
      expect(run.ran).toEqual([]);
      expect(run.decisions()).toEqual([`${onUnknown}: ${reason}`]);
      expect(run.outcomes()).toEqual(onUnknown === 'inspect' ? ['refused'] : []);
    }
  });

  it('are found in transitions and in time', async () => {
    const states = [SAFE, { a: false, b: true }];
    const moving = setting({
      guard: createGuard(guardFile([rule], { constraints: { transition: '!(to.b && !from.b)' } })),
      state: () => states.shift(),
    });
    await moving.propose('move');
    expect((await moving.propose('move')).verdict).toMatchObject({
      reason: 'forbidden-transition',
      run: null,
    });

    const times = [0, 7];
    const timed = setting({
      guard: createGuard(guardFile([rule], { samplingPeriodSeconds: 1 })),
      state: () => ({ ...SAFE }),
      time: () => times.shift() ?? Number.NaN,
    });
    await timed.propose('move');
    expect((await timed.propose('move')).verdict).toMatchObject({ reason: 'irregular-time', run: null });
    expect(timed.ran).toEqual(['move']);
  });
});

describe('an action that was never taken in the state', () => {
  it('is not permitted', async () => {
    const run = setting({ guard: await mailShield(), tools: [...mailTools], state: mailbox().state });
    expect((await run.propose('forget')).verdict).toMatchObject({ reason: 'untried-action', run: null });
    expect(run.decisions()).toEqual(['block: untried-action']);
    expect(run.ran).toEqual([]);
  });
});

describe('a guard file', () => {
  it('that was swapped for another is refused', () => {
    const expected = 'a'.repeat(64);
    expect(() => createSession({ guard: guardThat(), tools: ['move'], guardHash: expected })).toThrow(
      InvalidArgumentError,
    );
  });

  it('that was altered is refused, or has another hash', async () => {
    const hashOf = async (file: Parameters<typeof createGuard>[0]) => {
      const run = setting({ guard: createGuard(file) });
      await run.propose('move');
      const [begin] = run.records;
      return begin.kind === 'begin' ? begin.guard.file : null;
    };
    const file = guardFile([ruleOf(never, risks)]);
    const [first, again] = [await hashOf(file), await hashOf(structuredClone(file))];
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(again).toBe(first);
    const [rule] = file.rules;
    const lenient = guardFile([ruleOf(never, risks, { threshold: 0.9 })]);
    expect(await hashOf(lenient)).not.toBe(first);
    const tables = rule.tables!;
    for (const wrong of [
      { ...file, rules: [{ ...rule, tables: { ...tables, risk: '/////wAAAAAAAAAAAAAAAA==' } }] },
      { ...file, rules: [{ ...rule, tables: { ...tables, risk: '' } }] },
      guardFile([ruleOf(never, [0.1])]),
      { ...file, rules: [] },
      { ...file, predicates: [{ name: 'a', expression: 'true' }] },
    ]) {
      expect(() => createGuard(wrong)).toThrow(InvalidArgumentError);
    }
  });
});
