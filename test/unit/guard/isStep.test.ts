import { describe, expect, it } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import { createGuard, type GuardFile } from '../../../bindings/runtime/guard/index.js';
import { guardFile, response, ruleOf } from './guardFiles.js';

const same = { a: false, b: false };
const other = { a: true, b: false };
const action = { name: 'go' };
const guardOf = (more: Partial<GuardFile>) => {
  const guard = createGuard(guardFile([ruleOf(response, [0.1, 0.1, 0.1, 0.1])], more));
  guard.step(same, { time: 5 });
  return guard;
};

/** What a state proposed in is, by what it reads and when it comes, in seconds after the step. */
const CASES = [
  // resample, state, seconds later, whether it is a step
  [null, same, 9, false],
  [null, other, 0, true],
  ['error', same, 0, false],
  ['error', same, 0.5, false],
  ['error', same, 0.91, true],
  ['error', same, 20, true],
  ['error', same, -3, true],
  ['error', same, Number.NaN, true],
  ['error', same, undefined, false],
  ['error', other, 0.5, true],
  ['error', other, undefined, true],
  ['hold', same, 0.5, false],
  ['hold', other, 0.5, false],
  ['hold', same, 0.91, true],
  ['hold', same, 20, true],
  ['hold', same, -3, false],
  ['hold', same, -300, true],
  ['hold', same, Number.NaN, true],
  ['hold', other, undefined, true],
  ['skip', other, 0.5, false],
  ['skip', same, 20, true],
] as const;

describe('whether a proposal is a step', () => {
  it.each(CASES)(
    'under resample: %s, of the state %o, %s s later: %s',
    (resample, state, later, expected) => {
      const guard = guardOf(resample === null ? {} : { samplingPeriodSeconds: 1, resample });
      const context = { action, ...(later !== undefined && { time: 5 + later }) };
      for (let asked = 0; asked < 150; asked++) expect(guard.isStep(state, context)).toBe(expected);
      expect(guard.counters).toMatchObject({ steps: 1, earlyObservations: 0 });
      expect(guard.propose(state, action, context).step).toBe(expected ? 1 : 0);
    },
  );

  it('counts steps without a time as on time', () => {
    const guard = guardOf({ samplingPeriodSeconds: 1 });
    guard.step(same);
    expect([6, 6.7, 6.81].map((time) => guard.isStep(same, { time }))).toEqual([false, false, true]);
  });

  it('is true of the first, and of any after doing nothing', () => {
    const guard = createGuard(guardFile([ruleOf(response, [0.1, 0.1, 0.1, 0.1])]));
    expect(guard.isStep(same)).toBe(true);
    guard.idle(same);
    expect(guard.isStep(same)).toBe(true);
    guard.propose(same, action);
    expect(guard.isStep(same)).toBe(false);
  });
});
