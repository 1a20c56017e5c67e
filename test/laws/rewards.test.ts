import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  BitSet,
  type ChainRewards,
  type Csr,
  NO_COMPONENT,
  type Solution,
} from '../../bindings/kernel/index.js';
import { backends } from '../kernel/backends.js';
import { arbitraryChain } from '../kernel/randomChains.js';
import { ExactChain } from '../oracle/chain.js';
import { Rational } from '../oracle/rational.js';
import {
  type ExactReward,
  exactBottomComponents,
  exactGains,
  exactLongRunAverage,
  exactReachabilityReward,
  exactSteadyState,
  exactSteps,
  exactTotalReward,
  exactVisitsFrom,
} from '../oracle/rewards.js';
import { runs } from './runs.js';

/** Asserts that bounds bracket exact values, both being Infinity where there is none, within the width that was asked for. */
function expectBrackets(
  { lower, upper }: Pick<Solution, 'lower' | 'upper'>,
  exact: readonly ExactReward[],
  precision: number,
): void {
  expect(lower.length).toBe(exact.length);
  const outside = exact.flatMap((value, s) => {
    const within =
      value === null
        ? lower[s] === Number.POSITIVE_INFINITY && upper[s] === Number.POSITIVE_INFINITY
        : value.compare(lower[s]) >= 0 &&
          value.compare(upper[s]) <= 0 &&
          upper[s] - lower[s] <= 2 * precision * Math.max(1, lower[s]);
    return within ? [] : [`state ${s}: ${value} and [${lower[s]}, ${upper[s]}]`];
  });
  expect(outside).toEqual([]);
}

const reward = fc.oneof(
  fc.constant(0),
  fc.integer({ min: 1, max: 9 }),
  fc.double({ min: 1e-3, max: 1e3, noNaN: true }),
);

const some = (states: number) =>
  fc
    .array(fc.nat(4), { minLength: states, maxLength: states })
    .map((dice) => BitSet.where(states, (s) => dice[s] === 0));

/** A chain with rewards of states and of moves, a set of about a fifth of its states, and a distribution. */
const arbitraryProblem = arbitraryChain.chain((matrix: Csr) => {
  const states = matrix.rowStart.length - 1;
  const numbers = (length: number) =>
    fc.array(reward, { minLength: length, maxLength: length }).map((values) => Float64Array.from(values));
  const rewards: fc.Arbitrary<ChainRewards> = fc.oneof(
    fc.record({ states: numbers(states) }),
    fc.record({ transitions: numbers(matrix.columns.length).map((values) => ({ ...matrix, values })) }),
    fc.record({
      states: numbers(states),
      transitions: numbers(matrix.columns.length).map((values) => ({ ...matrix, values })),
    }),
  );
  const initial = fc.array(fc.nat(3), { minLength: states, maxLength: states }).map((parts) => {
    const sum = parts.reduce((total, part) => total + part, 0);
    return Float64Array.from(parts, (part, s) => (sum === 0 ? Number(s === 0) : part / sum));
  });
  return fc.record({ matrix: fc.constant(matrix), rewards, target: some(states), initial });
});

const certified = ['auto', 'elimination', 'interval-iteration'] as const;
const precision = 1e-6;

describe.each(backends)('%s', (_, kernel) => {
  test.each(['auto', 'elimination'] as const)('method %s brackets the reward before a target', (method) => {
    fc.assert(
      fc.property(arbitraryProblem, ({ matrix, rewards, target }) => {
        using chain = kernel.chain(matrix);
        const solution = chain.reachabilityReward(rewards, target, { method, precision });
        expectBrackets(solution, exactReachabilityReward(new ExactChain(matrix), rewards, target), precision);
      }),
      { numRuns: runs(60) },
    );
  });

  test.each(['auto', 'elimination'] as const)('method %s brackets the total reward in a set', (method) => {
    fc.assert(
      fc.property(arbitraryProblem, fc.boolean(), ({ matrix, rewards, target }, everywhere) => {
        using chain = kernel.chain(matrix);
        const within = everywhere ? BitSet.full(chain.states) : target.complement();
        const solution = chain.totalReward(rewards, { method, precision, within });
        expectBrackets(solution, exactTotalReward(new ExactChain(matrix), rewards, within), precision);
      }),
      { numRuns: runs(60) },
    );
  });

  test('step by step, rewards are bracketed for every number of steps', () => {
    fc.assert(
      fc.property(arbitraryProblem, fc.nat(6), ({ matrix, rewards }, steps) => {
        using chain = kernel.chain(matrix);
        const exact = new ExactChain(matrix);
        const zero = exact.rows.map(() => Rational.ZERO);
        const sums = exactSteps(exact, zero, exactGains(exact, rewards), steps);
        expectBrackets(chain.cumulativeReward(rewards, steps, { everyStep: true }), sums.flat(), 1e-13);
        expectBrackets(chain.cumulativeReward(rewards, steps), sums[steps], 1e-13);
        const states = rewards.states ?? new Float64Array(chain.states).fill(1);
        const later = exactSteps(exact, [...states].map(Rational.fromDouble), zero, steps);
        expectBrackets(chain.instantaneousReward(states, steps, { everyStep: true }), later.flat(), 1e-13);
        expectBrackets(chain.instantaneousReward(states, steps), later[steps], 1e-13);
      }),
      { numRuns: runs(60) },
    );
  });

  test.each(certified.slice(0, 2))(
    'method %s brackets the long-run average and the steady state',
    (method) => {
      fc.assert(
        fc.property(arbitraryProblem, ({ matrix, rewards, initial }) => {
          using chain = kernel.chain(matrix);
          const exact = new ExactChain(matrix);
          const all = BitSet.full(chain.states);
          const average = chain.longRunAverage(rewards, { method, precision });
          expectBrackets(average, exactLongRunAverage(exact, rewards, all), precision);
          const steady = chain.steadyState(initial, { method, precision });
          expectBrackets(steady, exactSteadyState(exact, initial, all), precision);
          expect(steady.lower.reduce((sum, value) => sum + value, 0)).toBeLessThanOrEqual(1 + 1e-14);
          expect(steady.upper.reduce((sum, value) => sum + value, 0)).toBeGreaterThanOrEqual(1 - 1e-14);
        }),
        { numRuns: runs(40) },
      );
    },
  );

  test('visits from a distribution are bracketed', () => {
    fc.assert(
      fc.property(arbitraryProblem, fc.boolean(), ({ matrix, target, initial }, everywhere) => {
        using chain = kernel.chain(matrix);
        const within = everywhere ? BitSet.full(chain.states) : target.complement();
        const solution = chain.visitsFrom(initial, { within, precision });
        expectBrackets(solution, exactVisitsFrom(new ExactChain(matrix), initial, within), precision);
      }),
      { numRuns: runs(60) },
    );
  });

  test('bottom components are those that no transition leaves', () => {
    fc.assert(
      fc.property(arbitraryChain, (matrix) => {
        using chain = kernel.chain(matrix);
        const { count, componentOf } = chain.bottomComponents();
        const exact = exactBottomComponents(new ExactChain(matrix));
        expect(count).toBe(exact.length);
        const numbers = exact.map((states) => new Set(states.map((s) => componentOf[s])));
        expect(numbers.every((names) => names.size === 1)).toBe(true);
        expect(new Set(numbers.flatMap((names) => [...names])).size).toBe(count);
        const recurrent = componentOf.filter((component) => component !== NO_COMPONENT);
        expect(recurrent.length).toBe(exact.flat().length);
        expect(recurrent.every((component) => component < count)).toBe(true);
      }),
      { numRuns: runs(60) },
    );
  });
});
