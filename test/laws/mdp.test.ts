import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NotConvergedError } from '../../bindings/base/errors.js';
import {
  BitSet,
  type Direction,
  type MdpMatrix,
  type MdpRewards,
  type OptimalSolution,
} from '../../bindings/solvers/kernel/index.js';
import { backends } from '../kernel/backends.js';
import { chainOf } from '../kernel/chains.js';
import { arbitraryUntil } from '../kernel/randomChains.js';
import { arbitraryMdpReward, arbitraryMdpUntil, mdpOf } from '../kernel/randomMdps.js';
import { expectBrackets, widest } from '../oracle/brackets.js';
import { ExactChain } from '../oracle/chain.js';
import { ExactMdp, type Reward } from '../oracle/mdp.js';
import { Rational } from '../oracle/rational.js';
import { withOrder } from './renumbered.js';
import { runs } from './runs.js';

const directions: Direction[] = ['min', 'max'];

/** Enumerating more schedulers than this takes too long for a law. */
const MAX_SCHEDULERS = 200;
const few = ({ matrix }: { matrix: MdpMatrix }) => new ExactMdp(matrix).size <= MAX_SCHEDULERS;
const fewUntil = arbitraryMdpUntil.filter(few);
const fewReward = arbitraryMdpReward.filter(few);

/** One sweep leaves everything to policies. */
const sweepLimits = fc.constantFrom(1, 20_000);

/** The solution, unless so many sweeps do not suffice: then the bounds reached. */
function solved(solve: (options: { maxIterations: number }) => OptimalSolution, maxIterations = 20_000) {
  try {
    return { ...solve({ maxIterations }), finished: true };
  } catch (error) {
    if (!(error instanceof NotConvergedError)) throw error;
    return { lower: error.lower, upper: error.upper, scheduler: undefined, finished: false };
  }
}

/** Asserts `lower <= exact <= upper` for every state, null being infinite in both. */
function expectRewardBrackets(
  { lower, upper }: { lower: Float64Array; upper: Float64Array },
  exact: readonly Reward[],
): void {
  const finite = exact.flatMap((value, s) => (value === null ? [] : [s]));
  for (const [s, value] of exact.entries()) {
    if (value === null) expect([s, lower[s], upper[s]]).toEqual([s, Infinity, Infinity]);
    else expect([s, lower[s] < Infinity]).toEqual([s, true]);
  }
  const open = finite.filter((s) => upper[s] < Infinity);
  expectBrackets(
    { lower: Float64Array.from(open, (s) => lower[s]), upper: Float64Array.from(open, (s) => upper[s]) },
    open.map((s) => exact[s]!),
  );
}

function earnedBy({ states, rows }: MdpRewards, { rowGroupStart, rowStart }: MdpMatrix): Rational[] {
  const stateOf = Array.from({ length: rowStart.length - 1 }, (_, row) =>
    rowGroupStart.findLastIndex((start) => start <= row),
  );
  return stateOf.map((s, row) =>
    Rational.fromDouble(states?.[s] ?? 0).plus(Rational.fromDouble(rows?.[row] ?? 0)),
  );
}

/** The same MDP with state s called `to[s]`, and its choices in reverse order. */
function renumbered(
  { rowGroupStart, rowStart, columns, values }: MdpMatrix,
  to: readonly number[],
): MdpMatrix {
  const choices: [number, number][][][] = to.map(() => []);
  for (const [s, name] of to.entries()) {
    for (let row = rowGroupStart[s + 1] - 1; row >= rowGroupStart[s]; row--) {
      const entries: [number, number][] = [];
      for (let e = rowStart[row]; e < rowStart[row + 1]; e++) entries.push([to[columns[e]], values[e]]);
      choices[name].push(entries.sort(([a], [b]) => a - b));
    }
  }
  return mdpOf(choices);
}

const overlap = (
  a: { lower: Float64Array; upper: Float64Array },
  b: { lower: Float64Array; upper: Float64Array },
) => a.lower.every((lower, s) => lower <= b.upper[s] && b.lower[s] <= a.upper[s]);

describe.each(backends)('%s', (_, kernel) => {
  test.each(directions)('P%s brackets the exact probability, and its scheduler attains it', (direction) => {
    fc.assert(
      fc.property(
        fewUntil,
        fc.constantFrom(1e-3, 1e-6, 1e-10),
        sweepLimits,
        ({ matrix, remain, target }, precision, most) => {
          using mdp = kernel.mdp(matrix);
          const exact = new ExactMdp(matrix);
          const solution = solved(
            (options) => mdp.until(direction, remain, target, { ...options, precision }),
            most,
          );
          expectBrackets(solution, exact.until(direction, remain, target));
          if (solution.scheduler === undefined) return;
          expect(widest(solution)).toBeLessThanOrEqual(2 * precision);
          const induced = new ExactChain(exact.induced(solution.scheduler));
          expectBrackets(solution, induced.until(remain, target));
        },
      ),
      { numRuns: runs(90) },
    );
  });

  test.each(directions)('R%s brackets the exact reward, and its scheduler attains it', (direction) => {
    fc.assert(
      fc.property(fewReward, sweepLimits, ({ matrix, rewards, target }, most) => {
        using mdp = kernel.mdp(matrix);
        const exact = new ExactMdp(matrix);
        const earned = earnedBy(rewards, matrix);
        const solution = solved(
          (options) => mdp.reachabilityReward(direction, rewards, target, options),
          most,
        );
        expectRewardBrackets(solution, exact.reachabilityReward(direction, earned, target));
        if (solution.scheduler === undefined) return;
        for (const [s, lower] of solution.lower.entries()) {
          if (lower === Infinity) continue;
          expect(solution.upper[s] - lower).toBeLessThanOrEqual(2e-6 * Math.max(1, lower));
        }
        expectRewardBrackets(solution, exact.rewardUnder(solution.scheduler, earned, target));
      }),
      { numRuns: runs(90) },
    );
  });

  test('relative precision is kept where values are small', () => {
    fc.assert(
      fc.property(
        fewUntil,
        fewReward,
        fc.constantFrom(...directions),
        ({ matrix, remain, target }, reward, direction) => {
          const relative = { relative: true, precision: 1e-4 };
          using mdp = kernel.mdp(matrix);
          const until = solved((options) =>
            mdp.until(direction, remain, target, { ...options, ...relative }),
          );
          expectBrackets(until, new ExactMdp(matrix).until(direction, remain, target));
          using rewarded = kernel.mdp(reward.matrix);
          const earned = earnedBy(reward.rewards, reward.matrix);
          const expected = solved((options) =>
            rewarded.reachabilityReward(direction, reward.rewards, reward.target, {
              ...options,
              ...relative,
            }),
          );
          const exact = new ExactMdp(reward.matrix);
          expectRewardBrackets(expected, exact.reachabilityReward(direction, earned, reward.target));
          for (const { lower, upper, finished } of [until, expected]) {
            for (const [s, value] of lower.entries()) {
              if (finished && value < Infinity) expect(upper[s] - value).toBeLessThanOrEqual(2e-4 * value);
            }
          }
        },
      ),
      { numRuns: runs(40) },
    );
  });

  test('prob0 and prob1 say where Pmin and Pmax are 0 and 1', () => {
    fc.assert(
      fc.property(fewUntil, ({ matrix, remain, target }) => {
        using mdp = kernel.mdp(matrix);
        const exact = new ExactMdp(matrix);
        const where = (direction: Direction, certain: number) =>
          exact
            .until(direction, remain, target)
            .flatMap((value, s) => (value.compare(certain) === 0 ? [s] : []));
        expect([...mdp.prob0A(remain, target)]).toEqual(where('max', 0));
        expect([...mdp.prob0E(remain, target)]).toEqual(where('min', 0));
        expect([...mdp.prob1A(remain, target)]).toEqual(where('min', 1));
        expect([...mdp.prob1E(remain, target)]).toEqual(where('max', 1));
      }),
      { numRuns: runs(60) },
    );
  });

  test('end components are the largest sets that can be kept for ever and gone through', () => {
    fc.assert(
      fc.property(arbitraryMdpUntil, ({ matrix, remain: subset }) => {
        using mdp = kernel.mdp(matrix);
        const { count, componentOf, rows } = mdp.endComponents(subset);
        const found = Array.from({ length: count }, (_, c) =>
          BitSet.where(mdp.states, (s) => componentOf[s] === c),
        );
        const expected = largestEndComponents(matrix, subset);
        const listed = (sets: readonly BitSet[]) => sets.map((set) => [...set].join()).sort();
        expect(listed(found)).toEqual(listed(expected));
        const kept = (row: number) =>
          found.some((set) => insideRows(matrix, set).some((inside) => inside === row));
        expect([...rows]).toEqual([...BitSet.where(mdp.rows, kept)]);
      }),
      { numRuns: runs(90) },
    );
  });

  test('bounded until and next bracket the exact probabilities', () => {
    fc.assert(
      fc.property(
        arbitraryMdpUntil,
        fc.constantFrom(...directions),
        fc.nat(8),
        ({ matrix, remain, target }, direction, steps) => {
          using mdp = kernel.mdp(matrix);
          const exact = new ExactMdp(matrix);
          const solution = mdp.boundedUntil(direction, remain, target, steps);
          expectBrackets(solution, exact.boundedUntil(direction, remain, target, steps));
          expect(widest(solution)).toBeLessThan(1e-13);
          const next = mdp.next(direction, target);
          expectBrackets(next, exact.next(direction, target));
          expect(widest(next)).toBeLessThan(1e-14);
        },
      ),
      { numRuns: runs(60) },
    );
  });

  test('the least value is at most the greatest', () => {
    fc.assert(
      fc.property(arbitraryMdpReward, ({ matrix, rewards, target }) => {
        using mdp = kernel.mdp(matrix);
        const everywhere = BitSet.full(mdp.states);
        const until = (direction: Direction) =>
          solved((options) => mdp.until(direction, everywhere, target, options));
        const reward = (direction: Direction) =>
          solved((options) => mdp.reachabilityReward(direction, rewards, target, options));
        for (const value of [until, reward]) {
          const [least, greatest] = [value('min'), value('max')];
          expect(least.lower.every((lower, s) => lower <= greatest.upper[s])).toBe(true);
        }
      }),
      { numRuns: runs(40) },
    );
  });

  test('with one choice a state both values are those of the chain', () => {
    fc.assert(
      fc.property(arbitraryUntil, fc.constantFrom(...directions), ({ matrix, remain, target }, direction) => {
        const states = matrix.rowStart.length - 1;
        const rowGroupStart = Uint32Array.from({ length: states + 1 }, (_, s) => s);
        using mdp = kernel.mdp({ ...matrix, rowGroupStart });
        using chain = kernel.chain(matrix);
        const solution = solved((options) => mdp.until(direction, remain, target, options));
        expectBrackets(solution, new ExactChain(matrix).until(remain, target));
        expect(overlap(solution, chain.until(remain, target))).toBe(true);
        expect(mdp.components().count).toBe(chain.components().count);
        expect([...mdp.reachableFrom(target)]).toEqual([...chain.reachableFrom(target)]);
        expect(
          overlap(mdp.boundedUntil(direction, remain, target, 5), chain.boundedUntil(remain, target, 5)),
        ).toBe(true);
      }),
      { numRuns: runs(40) },
    );
  });

  test('renumbering states and choices changes nothing beyond the bounds', () => {
    fc.assert(
      fc.property(
        withOrder(arbitraryMdpUntil),
        fc.constantFrom(...directions),
        ({ problem: { matrix, remain, target }, to }, direction) => {
          using mdp = kernel.mdp(matrix);
          using other = kernel.mdp(renumbered(matrix, to));
          const rename = (set: BitSet) =>
            BitSet.of(
              set.size,
              [...set].map((s) => to[s]),
            );
          const one = solved((options) => mdp.until(direction, remain, target, options));
          const two = solved((options) => other.until(direction, rename(remain), rename(target), options));
          const back = (values: Float64Array) => Float64Array.from(to, (name) => values[name]);
          expect(overlap(one, { lower: back(two.lower), upper: back(two.upper) })).toBe(true);
        },
      ),
      { numRuns: runs(40) },
    );
  });

  test('value iteration is called an estimate, and its scheduler may be evaluated', () => {
    fc.assert(
      fc.property(fewUntil, fc.constantFrom(...directions), ({ matrix, remain, target }, direction) => {
        using mdp = kernel.mdp(matrix);
        const exact = new ExactMdp(matrix).until(direction, remain, target);
        const solution = solved(({ maxIterations }) =>
          mdp.until(direction, remain, target, {
            method: 'value-iteration',
            precision: 1e-12,
            maxIterations,
          }),
        );
        // Values that still change after so many sweeps are told as the bounds known without them.
        if (!('accuracy' in solution)) return expectBrackets(solution, exact);
        expect(solution.upper).toEqual(solution.lower);
        if (solution.accuracy === 'exact') expectBrackets(solution, exact);
        else expect(solution.accuracy).toBe('estimated');
        expect(() => new ExactMdp(matrix).induced(solution.scheduler)).not.toThrow();
      }),
      { numRuns: runs(30) },
    );
  });
});

/** Rows of the states of `set` whose successors are all in it. */
function insideRows({ rowGroupStart, rowStart, columns }: MdpMatrix, set: BitSet): number[] {
  return [...set].flatMap((s) =>
    Array.from({ length: rowGroupStart[s + 1] - rowGroupStart[s] }, (_, i) => rowGroupStart[s] + i).filter(
      (row) => columns.subarray(rowStart[row], rowStart[row + 1]).every((t) => set.has(t)),
    ),
  );
}

/** All sets of states that are end components by the definition, without those inside another. */
function largestEndComponents(matrix: MdpMatrix, subset: BitSet): BitSet[] {
  const states = subset.size;
  const all: BitSet[] = [];
  for (let bits = 1; bits < 2 ** states; bits++) {
    const set = BitSet.where(states, (s) => ((bits >>> s) & 1) === 1);
    if (set.difference(subset).count() === 0 && isEndComponent(matrix, set)) all.push(set);
  }
  return all.filter((set) => !all.some((other) => other !== set && set.difference(other).count() === 0));
}

function isEndComponent(matrix: MdpMatrix, set: BitSet): boolean {
  const rows = insideRows(matrix, set);
  const { rowGroupStart, rowStart, columns } = matrix;
  const edges = [...set].map(
    (s) => [s, rows.filter((row) => row >= rowGroupStart[s] && row < rowGroupStart[s + 1])] as const,
  );
  if (edges.some(([, own]) => own.length === 0)) return false;
  const successors = new Map(
    edges.map(([s, own]) => [
      s,
      own.flatMap((row) => [...columns.subarray(rowStart[row], rowStart[row + 1])]),
    ]),
  );
  return [...set].every((start) => {
    const reached = new Set([start]);
    for (const s of reached) for (const t of successors.get(s)!) reached.add(t);
    return reached.size === set.count();
  });
}

test('a chain of rows is an MDP only with its row groups', () => {
  const [, kernel] = backends[0];
  const chain = chainOf([[[0, 1]]]);
  using mdp = kernel.mdp({ ...chain, rowGroupStart: Uint32Array.of(0, 1) });
  expect([mdp.states, mdp.rows, mdp.transitions]).toEqual([1, 1, 1]);
});
