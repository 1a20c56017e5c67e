import '../../../../bindings/solvers/kernel/inline.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NotSupportedError } from '../../../../bindings/base/errors.js';
import { openQuantities } from '../../../../bindings/solvers/checker/index.js';
import { BitSet, type Solution } from '../../../../bindings/solvers/kernel/index.js';
import type { Dtmc, Rewards } from '../../../../bindings/solvers/model/index.js';
import { chainOf } from '../../../kernel/chains.js';
import { ExactChain } from '../../../oracle/chain.js';
import { ExactGame, numbersOf } from '../../../oracle/game.js';
import { Rational } from '../../../oracle/rational.js';
import { type ExactReward, exactLongRunAverage } from '../../../oracle/rewards.js';

type Row = readonly (readonly [number, number])[];

function chainWith(rows: readonly Row[], unknown: readonly number[] = []): Dtmc {
  const states = rows.length;
  return {
    type: 'dtmc',
    states,
    initial: [0],
    labels: new Map(),
    ...chainOf(rows),
    ...(unknown.length > 0 && { unknown: BitSet.of(states, unknown) }),
  };
}

/** Rows of quarters over all states but the first, which is where paths start, so that bounds are about more than one state. */
const row = (states: number): fc.Arbitrary<Row> =>
  fc.array(fc.nat(states - 1), { minLength: 4, maxLength: 4 }).map((targets) => {
    const sums = new Map<number, number>();
    for (const t of targets) sums.set(t, (sums.get(t) ?? 0) + 1 / 4);
    return [...sums].sort(([a], [b]) => a - b);
  });

const problems = fc.integer({ min: 2, max: 6 }).chain((states) =>
  fc.record({
    rows: fc.array(row(states), { minLength: states, maxLength: states }),
    unknown: fc.uniqueArray(fc.nat(states - 1), { minLength: 1, maxLength: 2 }),
    target: fc.nat(states - 1),
    rewards: fc.array(fc.nat(3), { minLength: states, maxLength: states }),
    steps: fc.nat(3),
  }),
);

/** Asserts that bounds hold a value in every state; null is infinite. */
function expectInside({ lower, upper }: Solution, exact: readonly ExactReward[]): void {
  const outside = exact.flatMap((value, s) => {
    const inside =
      value === null
        ? upper[s] === Number.POSITIVE_INFINITY
        : value.compare(lower[s]) >= 0 &&
          (upper[s] === Number.POSITIVE_INFINITY || value.compare(upper[s]) <= 0);
    return inside ? [] : [`state ${s}: ${value} and [${lower[s]}, ${upper[s]}]`];
  });
  expect(outside).toEqual([]);
}

/** Bounds of every state, without what rounding makes of their last digits. */
function bounds({ lower, upper }: Solution): number[][] {
  const rounded = (value: number) =>
    value === Number.POSITIVE_INFINITY ? value : Math.round(value * 1e9) / 1e9;
  return [...lower].map((low, s) => [rounded(low), rounded(upper[s])]);
}

describe('a chain with states without data', () => {
  it('has bounds that hold whatever the rows of these states are', () => {
    fc.assert(
      fc.property(problems, ({ rows, unknown, target: goal, rewards: earned, steps }) => {
        const whole = chainWith(rows);
        const { states } = whole;
        const target = BitSet.of(states, [goal]);
        const remain = BitSet.full(states);
        const rewards: Rewards = { name: '', states: Float64Array.from(earned) };
        const own = earned.map((reward) => Rational.fromDouble(reward));
        const zero = own.map(() => Rational.ZERO);
        const exact = new ExactGame(whole, rewards);
        using quantities = openQuantities(
          chainWith(
            rows.map((entries, s) => (unknown.includes(s) ? [] : entries)),
            unknown,
          ),
        );
        expectInside(quantities.until([], remain, target, {}), exact.until([], remain, target));
        expectInside(
          quantities.boundedUntil([], { remain, target, from: 1, to: 1 + steps }, {}),
          exact.boundedUntil([], remain, target, 1, 1 + steps),
        );
        expectInside(quantities.next([], target), exact.stepBack([], numbersOf(target), 1));
        expectInside(
          quantities.reachabilityReward([], rewards, target, {}),
          exact.reachabilityReward([], target),
        );
        expectInside(quantities.totalReward([], rewards, {}), exact.totalReward([]));
        expectInside(
          quantities.cumulativeReward([], rewards, steps, {}),
          exact.stepBack([], zero, steps, { earning: true }),
        );
        expectInside(quantities.instantaneousReward([], rewards, steps, {}), exact.stepBack([], own, steps));
        expectInside(
          quantities.longRunReward([], rewards, {}),
          exactLongRunAverage(new ExactChain(whole), rewards, remain),
        );
        expectInside(
          quantities.longRunProbability([], target, {}),
          exactLongRunAverage(
            new ExactChain(whole),
            { states: Float64Array.from(earned, (_, s) => Number(target.has(s))) },
            remain,
          ),
        );
        const until = exact.until([], remain, target);
        for (const s of quantities.prob0([], remain, target)) expect(until[s].compare(0)).toBe(0);
        for (const s of quantities.prob1([], remain, target)) expect(until[s].compare(1)).toBe(0);
      }),
      { numRuns: 60 },
    );
  });

  it('counts with the widest intervals where they are met, and with none elsewhere', () => {
    // 0 goes to 1 or 2, 1 is not known, 2 goes to 3 for ever.
    const model = chainWith(
      [
        [
          [1, 1 / 2],
          [2, 1 / 2],
        ],
        [],
        [[3, 1]],
        [[3, 1]],
      ],
      [1],
    );
    using quantities = openQuantities(model);
    const all = BitSet.full(4);
    const goal = BitSet.of(4, [3]);
    const rewards: Rewards = { name: '', states: Float64Array.of(1, 2, 3, 0) };
    const unlimited = Number.POSITIVE_INFINITY;
    expect(bounds(quantities.until([], all, goal, {}))).toEqual([
      [0.5, 1],
      [0, 1],
      [1, 1],
      [1, 1],
    ]);
    expect(bounds(quantities.reachabilityReward([], rewards, goal, {}))[2]).toEqual([3, 3]);
    expect(bounds(quantities.reachabilityReward([], rewards, goal, {}))[1]).toEqual([0, unlimited]);
    expect(quantities.cumulativeReward([], rewards, 1, {}).upper[0]).toBeLessThan(1.0001);
    expect(quantities.cumulativeReward([], rewards, 2, {}).upper[0]).toBe(unlimited);
    expect(bounds(quantities.instantaneousReward([], rewards, 0, {}))[1]).toEqual([2, 2]);
    expect(bounds(quantities.instantaneousReward([], rewards, 1, {}))[1]).toEqual([0, 3]);
    expect(bounds(quantities.longRunProbability([], goal, {}))[2]).toEqual([1, 1]);
    expect(bounds(quantities.longRunProbability([], goal, {}))[1]).toEqual([0, 1]);
  });

  it('has no graph to ask about', () => {
    using quantities = openQuantities(chainWith([[]], [0]));
    expect(() => quantities.existsNext(BitSet.of(1, [0]))).toThrow(NotSupportedError);
  });
});

describe('a chain', () => {
  it('earns for ever, or in vain, as its bottom components say', () => {
    // 0 goes to 1 or 2 and stays there; 3 goes to 2.
    const model = chainWith([
      [
        [1, 1 / 2],
        [2, 1 / 2],
      ],
      [[1, 1]],
      [[2, 1]],
      [[2, 1]],
    ]);
    using quantities = openQuantities(model);
    const rewards: Rewards = { name: '', states: Float64Array.of(1, 5, 0, 2) };
    expect(bounds(quantities.totalReward([], rewards, {}))).toEqual([
      [Infinity, Infinity],
      [Infinity, Infinity],
      [0, 0],
      [2, 2],
    ]);
    expect(bounds(quantities.longRunReward([], rewards, {}))).toEqual([
      [2.5, 2.5],
      [5, 5],
      [0, 0],
      [0, 0],
    ]);
    const reached = bounds(quantities.reachabilityReward([], rewards, BitSet.of(4, [2]), {}));
    expect(reached).toEqual([
      [Infinity, Infinity],
      [Infinity, Infinity],
      [0, 0],
      [2, 2],
    ]);
  });
});
