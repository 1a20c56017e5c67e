import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NotConvergedError } from '../../bindings/base/errors.js';
import {
  BitSet,
  type ChainRewards,
  type Csr,
  NO_COMPONENT,
  type Solution,
} from '../../bindings/solvers/kernel/index.js';
import { backends } from '../kernel/backends.js';
import { arbitraryChain, arbitraryUntil } from '../kernel/randomChains.js';
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
import { exactWindowedUntil } from '../oracle/windowedUntil.js';
import { renumbered, withOrder } from './renumbered.js';
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
          (upper[s] === Number.POSITIVE_INFINITY || value.compare(upper[s]) <= 0) &&
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

  test('interval iteration of rewards brackets them whenever it stops', () => {
    fc.assert(
      fc.property(
        arbitraryProblem,
        fc.constantFrom(1, 10, 3000),
        ({ matrix, rewards, target }, maxIterations) => {
          using chain = kernel.chain(matrix);
          const options = { method: 'interval-iteration', precision, maxIterations } as const;
          const exact = exactReachabilityReward(new ExactChain(matrix), rewards, target);
          try {
            expectBrackets(chain.reachabilityReward(rewards, target, options), exact, precision);
          } catch (error) {
            if (!(error instanceof NotConvergedError)) throw error;
            expectBrackets(error, exact, Number.POSITIVE_INFINITY);
          }
        },
      ),
      { numRuns: runs(60) },
    );
  });

  test('windows and safety within steps are bracketed, and step back as values do', () => {
    const windows = fc.tuple(fc.nat(4), fc.nat(4));
    fc.assert(
      fc.property(arbitraryUntil, windows, ({ matrix, remain, target }, [from, length]) => {
        using chain = kernel.chain(matrix);
        const exact = new ExactChain(matrix);
        const steps = from + length;
        const window = chain.boundedUntil(remain, target, steps, { from });
        expectBrackets(window, exactWindowedUntil(exact, remain, target, from, steps), 1e-13);
        const safe = chain.boundedGlobally(remain, steps);
        const left = exact.boundedUntil(BitSet.full(chain.states), remain.complement(), steps);
        expectBrackets(
          safe,
          left.map((value) => Rational.ONE.minus(value)),
          1e-13,
        );
        const { lower } = chain.until(remain, target);
        const back = exactSteps(
          exact,
          [...lower].map(Rational.fromDouble),
          exact.rows.map(() => Rational.ZERO),
          steps,
        );
        expectBrackets(chain.stepBack({ lower, upper: lower }, steps), back[steps], 1e-13);
      }),
      { numRuns: runs(60) },
    );
  });

  test('rewards are linear, and visits weighed by rewards are what they sum to', () => {
    fc.assert(
      fc.property(arbitraryProblem, ({ matrix, rewards, target, initial }) => {
        using chain = kernel.chain(matrix);
        const within = target.complement();
        const weights = rewards.states ?? new Float64Array(chain.states).fill(2);
        const single = chain.totalReward({ states: weights }, { within });
        const triple = chain.totalReward({ states: weights.map((weight) => 3 * weight) }, { within });
        expectOverlap(triple, { lower: below(single.lower, 3), upper: above(single.upper, 3) });

        // initial * N * weights, summed by columns and by rows.
        const visits = chain.visitsFrom(initial, { within });
        const byColumns = dot(visits, { lower: weights, upper: weights });
        const byRows = dot(single, { lower: initial, upper: initial });
        expectOverlap(byColumns, byRows);
      }),
      { numRuns: runs(60) },
    );
  });

  test('what visits a region leaves it, unless it stays there for ever', () => {
    fc.assert(
      fc.property(arbitraryProblem, ({ matrix, target, initial }) => {
        using chain = kernel.chain(matrix);
        const within = target.complement();
        const exact = new ExactChain(matrix);
        const leaving = Float64Array.from(exact.rows, (row, s) =>
          within.has(s)
            ? [...row].reduce(
                (sum, [t, p]) => sum + (target.has(t) ? Number(p.numerator) / Number(p.denominator) : 0),
                0,
              )
            : 0,
        );
        const left = dot(chain.visitsFrom(initial, { within }), {
          lower: below(leaving, 1),
          upper: above(leaving, 1),
        });
        const reached = chain.until(BitSet.full(chain.states), target);
        const outside = initial.map((weight, s) => (target.has(s) ? 0 : weight));
        expectOverlap(left, dot(reached, { lower: outside, upper: outside }));
      }),
      { numRuns: runs(60) },
    );
  });

  test('renumbering the states changes no reward and no steady state beyond the bounds', () => {
    fc.assert(
      fc.property(withOrder(arbitraryProblem), ({ problem: { matrix, rewards, target, initial }, to }) => {
        using chain = kernel.chain(matrix);
        using other = kernel.chain(renumbered(matrix, to));
        const states = rewards.states ?? new Float64Array(chain.states).fill(1);
        const name = (values: Float64Array) => values.map((_, t) => values[to.indexOf(t)]);
        const back = ({ lower, upper }: Solution) => ({
          lower: lower.map((_, s) => lower[to[s]]),
          upper: upper.map((_, s) => upper[to[s]]),
        });
        const renamed = BitSet.of(
          target.size,
          [...target].map((s) => to[s]),
        );
        expectOverlap(
          chain.reachabilityReward({ states }, target),
          back(other.reachabilityReward({ states: name(states) }, renamed)),
        );
        expectOverlap(chain.steadyState(initial), back(other.steadyState(name(initial))));
        expectOverlap(chain.longRunAverage({ states }), back(other.longRunAverage({ states: name(states) })));
      }),
      { numRuns: runs(40) },
    );
  });
});

type Bounds = Pick<Solution, 'lower' | 'upper'>;

const margin = 2 ** -45;
const below = (values: Float64Array, factor: number) => values.map((value) => value * factor * (1 - margin));
const above = (values: Float64Array, factor: number) => values.map((value) => value * factor * (1 + margin));

/** The sum of products of numbers that are not negative, 0 times infinity being nothing, as bounds of one number. */
function dot(a: Bounds, b: Bounds): Bounds {
  const sum = (x: Float64Array, y: Float64Array) =>
    x.reduce((total, value, s) => total + (value === 0 || y[s] === 0 ? 0 : value * y[s]), 0);
  return {
    lower: below(Float64Array.of(sum(a.lower, b.lower)), 1),
    upper: above(Float64Array.of(sum(a.upper, b.upper)), 1),
  };
}

function expectOverlap(a: Bounds, b: Bounds): void {
  const apart = [...a.lower.keys()].filter((s) => a.lower[s] > b.upper[s] || b.lower[s] > a.upper[s]);
  expect(apart).toEqual([]);
}
