import '../../../../bindings/solvers/kernel/inline.js';
import { describe, expect, it } from 'vitest';
import { NotSupportedError } from '../../../../bindings/base/errors.js';
import { openQuantities } from '../../../../bindings/solvers/checker/index.js';
import { BitSet } from '../../../../bindings/solvers/kernel/index.js';
import type { IntervalDtmc } from '../../../../bindings/solvers/model/index.js';

/** State 0 stays or goes to 1, which absorbs; `move` bounds the probability to go. */
function walk(move: readonly [number, number]): IntervalDtmc {
  return {
    type: 'idtmc',
    states: 2,
    initial: [0],
    labels: new Map(),
    rowStart: Uint32Array.of(0, 2, 3),
    columns: Uint32Array.of(0, 1, 1),
    lower: Float64Array.of(1 - move[1], move[0], 1),
    upper: Float64Array.of(1 - move[0], move[1], 1),
  };
}

const target = BitSet.of(2, [1]);
const steps = { name: 'steps', states: Float64Array.of(1, 1) };

describe('an interval chain', () => {
  it('takes as many steps as nature chooses', () => {
    using quantities = openQuantities(walk([0.25, 0.5]));
    for (const [direction, value] of [
      ['min', 2],
      ['max', 4],
    ] as const) {
      const { lower, upper } = quantities.reachabilityReward([direction], steps, target, {});
      expect([lower[0] <= value, upper[0] >= value, upper[0] - lower[0] <= 8e-6]).toEqual([true, true, true]);
      expect([lower[1], upper[1]]).toEqual([0, 0]);
    }
  });

  it('may never arrive if nature can stay, and then earns without end', () => {
    using quantities = openQuantities(walk([0, 0.5]));
    const most = quantities.reachabilityReward(['max'], steps, target, {});
    expect([most.lower[0], most.upper[0]]).toEqual([Infinity, Infinity]);
    const least = quantities.reachabilityReward(['min'], steps, target, {});
    expect([least.lower[0] <= 2, least.upper[0] >= 2, least.upper[0] < 2.00001]).toEqual([true, true, true]);
  });

  it('does not wait for ever at no cost where the target is to be reached', () => {
    using quantities = openQuantities(walk([0, 0.5]));
    const onMoving = { name: 'moving', states: Float64Array.of(0, 1) };
    const { lower, upper } = quantities.reachabilityReward(['min'], onMoving, target, {});
    expect([lower[0], upper[0] < 2e-6]).toEqual([0, true]);
  });

  it('earns for ever what it earns before nothing more can be, where lower bounds are positive', () => {
    using quantities = openQuantities(walk([0.25, 0.5]));
    const onMoving = { name: 'moving', states: Float64Array.of(1, 0) };
    const most = quantities.totalReward(['max'], onMoving, {});
    const until = quantities.reachabilityReward(['max'], onMoving, target, {});
    expect([most.lower, most.upper]).toEqual([until.lower, until.upper]);
    using free = openQuantities(walk([0, 0.5]));
    expect(() => free.totalReward(['max'], onMoving, {})).toThrow('need positive lower bounds');
  });

  it('has a long run where its intervals are numbers', () => {
    // From state 0 half of the time to state 1, from there always back: two thirds of the time in state 0.
    const values = Float64Array.of(0.5, 0.5, 1);
    const columns = Uint32Array.of(0, 1, 0);
    using quantities = openQuantities({ ...walk([0.5, 0.5]), columns, lower: values, upper: values.slice() });
    for (const direction of ['min', 'max'] as const) {
      const share = quantities.longRunProbability([direction], target, {});
      expect(share.lower[0] <= 1 / 3 && share.upper[0] >= 1 / 3).toBe(true);
      expect(share.upper[0] - share.lower[0]).toBeLessThanOrEqual(2e-6);
      const mean = quantities.longRunReward([direction], { name: 'four', states: Float64Array.of(4, 1) }, {});
      expect(mean.lower[0] <= 3 && mean.upper[0] >= 3).toBe(true);
    }
  });

  it('has no long run where nature may choose', () => {
    using quantities = openQuantities(walk([0.25, 0.5]));
    expect(() => quantities.longRunProbability(['min'], target, {})).toThrow(NotSupportedError);
    expect(() => quantities.longRunReward(['min'], steps, {})).toThrow(NotSupportedError);
  });

  it('can do whatever some distribution makes possible', () => {
    using quantities = openQuantities(walk([0, 0.5]));
    expect([...quantities.existsNext(target)]).toEqual([0, 1]);
    expect([...quantities.existsUntil(BitSet.full(2), target)]).toEqual([0, 1]);
    expect([...quantities.existsGlobally(BitSet.of(2, [0]))]).toEqual([0]);
  });
});
