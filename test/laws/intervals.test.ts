import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NotConvergedError } from '../../bindings/base/errors.js';
import {
  BitSet,
  type Direction,
  type IntervalCsr,
  type KernelIntervalModel,
  type Players,
  type RobustOptions,
  type Solution,
} from '../../bindings/solvers/kernel/index.js';
import { backends } from '../kernel/backends.js';
import { chainOf } from '../kernel/chains.js';
import { arbitraryUntil } from '../kernel/randomChains.js';
import {
  arbitraryIntervals,
  arbitraryRow,
  type IntervalProblem,
  type IntervalRow,
  intervalsOf,
} from '../kernel/randomIntervals.js';
import { expectBrackets, widest } from '../oracle/brackets.js';
import { ExactChain } from '../oracle/chain.js';
import { contains, ExactIntervalModel, exactRow, verticesOf } from '../oracle/intervals.js';
import { Rational } from '../oracle/rational.js';
import { withOrder } from './renumbered.js';
import { runs } from './runs.js';

type Pair = Pick<Solution, 'lower' | 'upper'>;

const direction = fc.constantFrom<Direction[]>('min', 'max');
const arbitraryPlayers: fc.Arbitrary<Players> = fc.record({ scheduler: direction, nature: direction });

/** Few enough vertices for the exact oracle. */
const chains = arbitraryIntervals({ states: 5, rows: 1, successors: 3 });
const small = fc.oneof(chains, arbitraryIntervals({ states: 4, rows: 3, successors: 3 }));

/** Models where iteration comes to an end. */
const briskChains = arbitraryIntervals({ states: 5, rows: 1, successors: 3, leak: false });
const brisk = fc.oneof(briskChains, arbitraryIntervals({ states: 4, rows: 3, successors: 3, leak: false }));

const overlap = (a: Pair, b: Pair) =>
  a.lower.every((lower, s) => lower <= b.upper[s] && b.lower[s] <= a.upper[s]);

/** The bounds of a solve, those of an unfinished one included: they too have to be true. */
function until<Goal>(
  model: KernelIntervalModel<Goal>,
  { remain, target }: Pick<IntervalProblem, 'remain' | 'target'>,
  goal: Goal,
  options: RobustOptions = {},
): Pair & { finished: boolean } {
  try {
    return { ...model.until(remain, target, goal, { maxIterations: 20_000, ...options }), finished: true };
  } catch (error) {
    if (!(error instanceof NotConvergedError)) throw error;
    return { lower: error.lower, upper: error.upper, finished: false };
  }
}

describe.each(backends)('%s', (_, kernel) => {
  test('robust until brackets the exact probability within the precision, for all four pairs of players', () => {
    fc.assert(
      fc.property(brisk, arbitraryPlayers, fc.constantFrom(1e-3, 1e-6), (problem, players, precision) => {
        using model = kernel.intervalMdp(problem.matrix);
        const exact = new ExactIntervalModel(problem.matrix).until(problem.remain, problem.target, players);
        const solution = until(model, problem, players, { precision });
        expectBrackets(solution, exact);
        expect(solution.finished).toBe(true);
        expect(widest(solution)).toBeLessThanOrEqual(2 * precision);
      }),
      { numRuns: runs(100) },
    );
  });

  test('bounds bracket after any number of sweeps, whether they suffice or not', () => {
    fc.assert(
      fc.property(
        small,
        arbitraryPlayers,
        fc.constantFrom(1, 2, 7, 300),
        (problem, players, maxIterations) => {
          using model = kernel.intervalMdp(problem.matrix);
          const exact = new ExactIntervalModel(problem.matrix).until(problem.remain, problem.target, players);
          expectBrackets(until(model, problem, players, { precision: 1e-9, maxIterations }), exact);
        },
      ),
      { numRuns: runs(60) },
    );
  });

  test('relative precision is kept', () => {
    fc.assert(
      fc.property(brisk, arbitraryPlayers, ({ matrix, remain, target }, players) => {
        using model = kernel.intervalMdp(matrix);
        const solution = model.until(remain, target, players, { precision: 1e-6, relative: true });
        expectBrackets(solution, new ExactIntervalModel(matrix).until(remain, target, players));
        for (const [s, lower] of solution.lower.entries()) {
          expect(solution.upper[s] - lower).toBeLessThanOrEqual(2e-6 * lower);
        }
      }),
      { numRuns: runs(40) },
    );
  });

  test('prob0 and prob1 are the states whose exact probability is 0 and 1', () => {
    fc.assert(
      fc.property(small, arbitraryPlayers, ({ matrix, remain, target }, players) => {
        using model = kernel.intervalMdp(matrix);
        const exact = new ExactIntervalModel(matrix).until(remain, target, players);
        const where = (value: number) => [...exact.keys()].filter((s) => exact[s].compare(value) === 0);
        expect([...model.prob0(remain, target, players)]).toEqual(where(0));
        expect([...model.prob1(remain, target, players)]).toEqual(where(1));
      }),
      { numRuns: runs(80) },
    );
  });

  test('bounded until and next bracket the exact probability closely', () => {
    fc.assert(
      fc.property(small, arbitraryPlayers, fc.nat(6), ({ matrix, remain, target }, players, steps) => {
        using model = kernel.intervalMdp(matrix);
        const exact = new ExactIntervalModel(matrix);
        const bounded = model.boundedUntil(remain, target, steps, players);
        expectBrackets(bounded, exact.boundedUntil(remain, target, steps, players));
        expect(widest(bounded)).toBeLessThan(3e-12);
        const next = model.next(target, players);
        expectBrackets(next, exact.next(target, players));
        expect(widest(next)).toBeLessThan(3e-13);
      }),
      { numRuns: runs(60) },
    );
  });

  test('a row distribution is in its set but for rounding, and as good as the best vertex', () => {
    const values = fc.array(fc.constantFrom(0, 1 / 8, 1 / 2, 3 / 4, 1), { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(arbitraryRow(4, 4), fc.boolean(), values, direction, (row, balls, numbers, goal) => {
        const absorbing: IntervalRow = { entries: [{ column: 0, lower: 1, upper: 1, centre: 1 }], radius: 0 };
        const matrix = intervalsOf([row, absorbing, absorbing, absorbing], balls);
        using model = kernel.intervalChain(matrix);
        const found = model
          .rowDistributions(Float64Array.from(numbers), goal)
          .subarray(0, row.entries.length);
        const exact = exactRow(matrix, 0);
        const vertices = verticesOf(exact);
        const mean = (distribution: readonly Rational[]) =>
          distribution.reduce(
            (sum, p, i) => sum.plus(p.times(Rational.fromDouble(numbers[row.entries[i].column]))),
            Rational.ZERO,
          );
        const sign = goal === 'max' ? 1 : -1;
        const best = vertices.map(mean).reduce((a, b) => (b.compare(a) * sign > 0 ? b : a));
        const own = Array.from(found, Rational.fromDouble);
        expect(Math.abs(toNumber(mean(own).minus(best)))).toBeLessThan(1e-15);
        const slack = Rational.fromDouble(1e-15);
        const wider = {
          ...exact,
          lower: exact.lower.map((p) => p.minus(slack)),
          upper: exact.upper.map((p) => p.plus(slack)),
          ...(exact.radius === undefined ? {} : { radius: exact.radius.plus(slack) }),
        };
        const total = own.reduce((sum, p) => sum.plus(p), Rational.ZERO);
        expect(
          contains(
            wider,
            own.map((p) => p.dividedBy(total)),
          ),
        ).toBe(true);
      }),
      { numRuns: runs(60) },
    );
  });

  test('a minimising nature attains the least probability with the worst rows at the upper bounds', () => {
    fc.assert(
      fc.property(briskChains, ({ matrix, remain, target }) => {
        using model = kernel.intervalChain(matrix);
        const solution = model.until(remain, target, 'min', { precision: 1e-9 });
        const worst = model.rowDistributions(solution.upper, 'min');
        const rows = Array.from({ length: model.states }, (_, s) =>
          Array.from(worst.subarray(matrix.rowStart[s], matrix.rowStart[s + 1]), (p, i): [number, number] => [
            matrix.columns[matrix.rowStart[s] + i],
            p,
          ]).filter(([, p]) => p > 0),
        );
        using chain = kernel.chain(chainOf(rows));
        const attained = chain.until(remain, target, { precision: 1e-9 });
        for (const [s, upper] of solution.upper.entries()) {
          expect(attained.lower[s]).toBeLessThanOrEqual(upper + 1e-9);
          expect(attained.upper[s]).toBeGreaterThanOrEqual(solution.lower[s] - 1e-9);
        }
      }),
      { numRuns: runs(80) },
    );
  });

  test('point intervals are the chain, whoever chooses', () => {
    fc.assert(
      fc.property(arbitraryUntil, direction, ({ matrix, remain, target }, nature) => {
        const { values, ...graph } = matrix;
        using model = kernel.intervalChain({ ...graph, lower: values, upper: values });
        using chain = kernel.chain(matrix);
        expectBrackets(
          until(model, { remain, target }, nature, { maxIterations: 500 }),
          new ExactChain(matrix).until(remain, target),
        );
        expect([...model.prob0(remain, target, nature)]).toEqual([...chain.prob0(remain, target)]);
        expect([...model.prob1(remain, target, nature)]).toEqual([...chain.prob1(remain, target)]);
      }),
      { numRuns: runs(60) },
    );
  });

  test('wider rows allow no less, and the least is at most the greatest', () => {
    fc.assert(
      fc.property(small, arbitraryPlayers, ({ matrix, remain, target }, { scheduler }) => {
        const { radius } = matrix;
        const wide = {
          ...matrix,
          lower: matrix.lower.map((p) => p / 2),
          upper: matrix.upper.map((p) => (p + 1) / 2),
          ...(radius === undefined ? {} : { radius: radius.map((r) => 2 * r + 0.01) }),
        };
        using narrow = kernel.intervalMdp(matrix);
        using wider = kernel.intervalMdp(wide);
        const solve = (model: typeof narrow, nature: Direction) =>
          until(model, { remain, target }, { scheduler, nature });
        const [least, greatest] = [solve(narrow, 'min'), solve(narrow, 'max')];
        const [lesser, greater] = [solve(wider, 'min'), solve(wider, 'max')];
        for (let s = 0; s < narrow.states; s++) {
          expect(least.lower[s]).toBeLessThanOrEqual(greatest.upper[s]);
          expect(lesser.lower[s]).toBeLessThanOrEqual(least.upper[s]);
          expect(greatest.lower[s]).toBeLessThanOrEqual(greater.upper[s]);
        }
      }),
      { numRuns: runs(60) },
    );
  });

  test('balls of infinite radius are the bounds alone', () => {
    fc.assert(
      fc.property(small, arbitraryPlayers, ({ matrix, remain, target }, players) => {
        const { centre, radius, ...bounds } = matrix;
        fc.pre(centre !== undefined && radius !== undefined);
        using free = kernel.intervalMdp({ ...matrix, radius: radius!.map(() => Number.POSITIVE_INFINITY) });
        using plain = kernel.intervalMdp(bounds);
        for (const set of ['prob0', 'prob1'] as const) {
          expect([...free[set](remain, target, players)]).toEqual([...plain[set](remain, target, players)]);
        }
        const problem = { remain, target };
        expect(overlap(until(free, problem, players), until(plain, problem, players))).toBe(true);
      }),
      { numRuns: runs(60) },
    );
  });

  test('renumbering the states changes nothing beyond the bounds', () => {
    fc.assert(
      fc.property(withOrder(chains), direction, ({ problem: { matrix, remain, target }, to }, nature) => {
        const rename = (set: BitSet) =>
          BitSet.of(
            set.size,
            [...set].map((s) => to[s]),
          );
        using model = kernel.intervalChain(matrix);
        using other = kernel.intervalChain(renumbered(matrix, to));
        const solution = until(other, { remain: rename(remain), target: rename(target) }, nature);
        const back = (values: Float64Array) => Float64Array.from(to, (name) => values[name]);
        const renamed = { lower: back(solution.lower), upper: back(solution.upper) };
        expect(overlap(until(model, { remain, target }, nature), renamed)).toBe(true);
      }),
      { numRuns: runs(60) },
    );
  });
});

test('all backends find the same sets, and bounds that overlap, on models beyond the exact oracle', () => {
  const large = arbitraryIntervals({ states: 14, rows: 3, successors: 7, leak: false });
  fc.assert(
    fc.property(large, arbitraryPlayers, fc.nat(9), (problem, players, steps) => {
      const { matrix, remain, target } = problem;
      const [first, ...others] = backends.map(([, kernel]) => {
        using model = kernel.intervalMdp(matrix);
        const solution = until(model, problem, players);
        expect(solution.finished).toBe(true);
        return {
          zero: [...model.prob0(remain, target, players)],
          one: [...model.prob1(remain, target, players)],
          solution,
          bounded: model.boundedUntil(remain, target, steps, players),
        };
      });
      for (const { solution, bounded, ...sets } of others) {
        expect(first).toMatchObject(sets);
        expect(overlap(first.solution, solution)).toBe(true);
        expect(overlap(first.bounded, bounded)).toBe(true);
      }
    }),
    { numRuns: runs(60) },
  );
});

/** The same chain with state s called `to[s]`. */
function renumbered(matrix: IntervalCsr, to: readonly number[]): IntervalCsr {
  const rows: IntervalRow[] = [];
  for (const [s, name] of to.entries()) {
    const entries: IntervalRow['entries'][number][] = [];
    for (let e = matrix.rowStart[s]; e < matrix.rowStart[s + 1]; e++) {
      const { lower, upper, centre = lower } = matrix;
      entries.push({ column: to[matrix.columns[e]], lower: lower[e], upper: upper[e], centre: centre[e] });
    }
    rows[name] = { entries: entries.sort((a, b) => a.column - b.column), radius: matrix.radius?.[s] ?? 0 };
  }
  return intervalsOf(rows, matrix.centre !== undefined);
}

function toNumber(value: Rational): number {
  return Number((value.numerator * 10n ** 30n) / value.denominator) / 1e30;
}
