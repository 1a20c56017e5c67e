import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NotConvergedError } from '../../bindings/base/errors.js';
import {
  BitSet,
  type Direction,
  type Kernel,
  type MdpRewards,
  type Solution,
} from '../../bindings/solvers/kernel/index.js';
import type { Mdp, Model, Rewards } from '../../bindings/solvers/model/index.js';
import { backends } from '../kernel/backends.js';
import { arbitraryIntervals } from '../kernel/randomIntervals.js';
import { arbitraryMdpReward } from '../kernel/randomMdps.js';
import { expectBrackets } from '../oracle/brackets.js';
import { ExactGame } from '../oracle/game.js';
import { Rational } from '../oracle/rational.js';
import { runs } from './runs.js';

const common = (states: number) => ({ states, initial: [0], labels: new Map<string, BitSet>() });

const decisions: fc.Arbitrary<Model> = arbitraryMdpReward.map(({ matrix }) => ({
  type: 'mdp',
  ...common(matrix.rowGroupStart.length - 1),
  ...matrix,
}));

const intervals: fc.Arbitrary<Model> = arbitraryIntervals({ states: 5, rows: 2, successors: 3 }).map(
  ({ matrix }) => ({ type: 'imdp', ...common(matrix.rowGroupStart.length - 1), ...matrix }),
);

const number = fc.oneof(
  { weight: 2, arbitrary: fc.constant(0) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 5 }) },
  { weight: 1, arbitrary: fc.double({ min: 1e-9, max: 1e9, noNaN: true }) },
);

const numbers = (length: number) =>
  fc.array(number, { minLength: length, maxLength: length }).map((values) => Float64Array.from(values));

const someSet = (states: number) =>
  fc
    .array(fc.nat(3), { minLength: states, maxLength: states })
    .map((dice) => BitSet.where(states, (s) => dice[s] > 0));

const problems = (models: fc.Arbitrary<Model>) =>
  models.chain((model) => {
    const { states } = model;
    const direction = fc.constantFrom<Direction>('min', 'max');
    return fc.record({
      model: fc.constant(model),
      rewards: fc
        .tuple(fc.option(numbers(states)), fc.option(numbers(model.rowStart.length - 1)))
        .map(([own, rows]): MdpRewards => ({ ...(own && { states: own }), ...(rows && { rows }) })),
      values: numbers(states),
      widths: numbers(states),
      others: fc.option(numbers(states)),
      remain: someSet(states),
      target: someSet(states).map((set) => set.complement()),
      scheduler: direction,
      nature: direction,
      from: fc.nat(3),
      length: fc.nat(3),
    });
  });

/** What both kinds of model can do. */
interface Backward {
  stepBack(values: Bounds, steps: number, options: { active?: BitSet; others?: Bounds }): Solution;
  boundedUntil(remain: BitSet, target: BitSet, steps: number, options: { from: number }): Solution;
  cumulativeReward(rewards: MdpRewards, steps: number): Solution;
  instantaneousReward(states: Float64Array, steps: number, options?: { everyStep: boolean }): Solution;
  free(): void;
}

type Bounds = Pick<Solution, 'lower' | 'upper'>;

function open(kernel: Kernel, model: Model, scheduler: Direction, nature: Direction): Backward {
  if (model.type === 'mdp') {
    const mdp = kernel.mdp(model);
    return {
      stepBack: (values, steps, options) => mdp.stepBack(scheduler, values, steps, options),
      boundedUntil: (remain, target, steps, options) =>
        mdp.boundedUntil(scheduler, remain, target, steps, options),
      cumulativeReward: (rewards, steps) => mdp.cumulativeReward(scheduler, rewards, steps),
      instantaneousReward: (states, steps, options) =>
        mdp.instantaneousReward(scheduler, states, steps, options),
      free: () => mdp.free(),
    };
  }
  if (model.type !== 'imdp') throw new Error(model.type);
  const game = kernel.intervalMdp(model);
  const goal = { scheduler, nature };
  return {
    stepBack: (values, steps, options) => game.stepBack(values, steps, goal, options),
    boundedUntil: (remain, target, steps, options) => game.boundedUntil(remain, target, steps, goal, options),
    cumulativeReward: (rewards, steps) => game.cumulativeReward(rewards, steps, goal),
    instantaneousReward: (states, steps, options) => game.instantaneousReward(states, steps, goal, options),
    free: () => game.free(),
  };
}

const exactly = (values: Float64Array) => Array.from(values, Rational.fromDouble);

/** Asserts that bounds are no wider than roundings of the largest value make them. */
function expectNarrow({ lower, upper }: Bounds, before: Float64Array): void {
  const largest = [...before, ...upper].reduce((most, value) => Math.max(most, value), 0);
  for (const [s, low] of lower.entries())
    expect(upper[s] - low).toBeLessThanOrEqual(largest * 1e-11 + 1e-140);
}

describe.each(backends)('%s', (_, kernel) => {
  describe.each([
    ['decision processes', decisions],
    ['interval decision processes', intervals],
  ])('%s', (_name, models) => {
    test('values taken back bracket the exact best ones', () => {
      fc.assert(
        fc.property(problems(models), (problem) => {
          const { model, values, widths, others, remain: active, scheduler, nature, length: steps } = problem;
          const directions = [scheduler, nature];
          const game = new ExactGame(model);
          const backward = open(kernel, model, scheduler, nature);
          const start = { lower: values, upper: values.map((value, s) => value + widths[s]) };
          const rest = { lower: others ?? values, upper: others ?? start.upper };
          const solution = backward.stepBack(start, steps, { active, ...(others && { others: rest }) });
          const exact = (side: 'lower' | 'upper') =>
            game.stepBack(directions, exactly(start[side]), steps, {
              active: (s) => active.has(s),
              others: exactly(rest[side]),
            });
          const zero = new Float64Array(model.states);
          expectBrackets({ lower: solution.lower, upper: zero.fill(Number.MAX_VALUE) }, exact('lower'));
          expectBrackets({ lower: zero.map(() => 0), upper: solution.upper }, exact('upper'));
          backward.free();
        }),
        { numRuns: runs(60) },
      );
    });

    test('windows and rewards of so many steps bracket the exact best ones, and are narrow', () => {
      fc.assert(
        fc.property(
          problems(models),
          ({ model, rewards, values, remain, target, scheduler, nature, from, length }) => {
            const directions = [scheduler, nature];
            const game = new ExactGame(model, {
              name: '',
              ...(rewards.states && { states: rewards.states }),
              ...(rewards.rows && { choices: rewards.rows }),
            });
            const backward = open(kernel, model, scheduler, nature);
            const steps = from + length;
            const zero = new Float64Array(model.states);
            const window = backward.boundedUntil(remain, target, steps, { from });
            expectBrackets(window, game.boundedUntil(directions, remain, target, from, steps));
            expectNarrow(window, Float64Array.of(1));
            const total = backward.cumulativeReward(rewards, steps);
            expectBrackets(total, game.stepBack(directions, exactly(zero), steps, { earning: true }));
            expectNarrow(total, zero);
            const last = backward.instantaneousReward(values, steps, { everyStep: true });
            for (const step of [0, from, steps]) {
              const place = step * model.states;
              const bounds = {
                lower: last.lower.slice(place, place + model.states),
                upper: last.upper.slice(place, place + model.states),
              };
              expectBrackets(bounds, game.stepBack(directions, exactly(values), step));
              expectNarrow(bounds, values);
            }
            backward.free();
          },
        ),
        { numRuns: runs(60) },
      );
    });
  });

  test('rewards for ever of decision processes bracket the exact best ones, infinite where they never end', () => {
    const solvable = decisions.filter((model) => new ExactGame(model).size <= 100);
    fc.assert(
      fc.property(problems(solvable), ({ model, rewards, scheduler }) => {
        if (model.type !== 'mdp') throw new Error(model.type);
        using mdp = kernel.mdp(model);
        const structure = {
          name: '',
          ...(rewards.states && { states: rewards.states }),
          ...(rewards.rows && { choices: rewards.rows }),
        };
        const game = new ExactGame(model, structure);
        const exact = game.totalReward([scheduler]);
        const solution = unlessRounded(
          () => mdp.totalReward(scheduler, rewards),
          exact,
          () => isLong(game) || (scheduler === 'min' && losesMuch(model, structure, exact)),
        );
        if (solution === undefined) return;
        expectBounds(solution, exact);
        // Under the scheduler returned, a chain earns as much, within the bounds.
        const fixed = fixedTo(model, solution.scheduler);
        const { states, rows } = rewards;
        const own = {
          name: '',
          ...(states && { states }),
          ...(rows && { choices: Float64Array.from(solution.scheduler, (row) => rows[row]) }),
        };
        expectBounds(solution, new ExactGame(fixed, own).totalReward([]));
      }),
      { numRuns: runs(120) },
    );
  });

  test('rewards of 2e9 steps are as near as rounding lets them come, and what was reached brackets them', () => {
    // 0 goes on to 1 after 8 steps; 1 goes back and earns 1, but once in 1e9 times. Both could do something else instead.
    const model: Model = {
      type: 'mdp',
      ...common(4),
      rowGroupStart: Uint32Array.of(0, 2, 5, 6, 7),
      rowStart: Uint32Array.of(0, 2, 4, 6, 8, 10, 11, 12),
      columns: Uint32Array.of(0, 1, 0, 1, 0, 2, 1, 2, 0, 2, 2, 3),
      values: Float64Array.of(
        ...[0.99999999975, 2.499999999375e-10, 0.875, 0.125, 0.10000000009000001, 0.89999999991, 0.5, 0.5],
        ...[0.9999999989999999, 9.99999999e-10, 1, 1],
      ),
    };
    const rows = Float64Array.of(0, 0, 1, 0, 1, 0, 1e-9);
    const game = new ExactGame(model, { name: '', choices: rows });
    const exact = game.totalReward(['max']);
    using mdp = kernel.mdp(model);
    unlessRounded(
      () => mdp.totalReward('max', { rows }),
      exact,
      () => isLong(game),
    );
    // Twice what is left suffices.
    expectBounds(mdp.totalReward('max', { rows }, { precision: 4e-6 }), exact, 8e-6);
  });
});

/** Rounding leaves bounds apart by about so much, relatively, for each expected step (docs/semantics/bounds.md, decision processes 6). */
const ROUNDING = 2 ** -46;

/** Whether rounding leaves bounds further apart than is allowed, because there are so many expected steps. */
function isLong(game: ExactGame): boolean {
  return game.mostSteps().some((count) => count.compare(1e-6 / ROUNDING) > 0);
}

/**
 * Whether least rewards lose more than is allowed if a step loses four times as much of them as rounding does. That counts steps as
 * above, and those in a loop, too, that costs so little that rounding hides it: one that costs 1e-9 a step is cheaper by then than 1e9
 * once, although exactly it is never. Four times, as policies are told apart only by more than `ROUNDING`.
 */
function losesMuch(model: Mdp, rewards: Rewards, exact: readonly (Rational | null)[]): boolean {
  const losing = losingModel(model, 4 * ROUNDING);
  const { states, choices } = rewards;
  const left = new ExactGame(losing, {
    name: '',
    ...(states && { states: Float64Array.of(...states, 0) }),
    ...(choices && { choices: Float64Array.of(...choices, 0) }),
  }).totalReward(['min']);
  return exact.some((value, s) => {
    if (value === null) return false;
    const allowed = value.compare(1) > 0 ? value : Rational.ONE;
    return value.minus(left[s]!).compare(allowed.times(Rational.fromDouble(1e-6))) > 0;
  });
}

/** The model, but that each step leads with so much probability to a further state, where nothing is earned. */
function losingModel({ states, rowGroupStart, rowStart, columns, values }: Mdp, loss: number): Mdp {
  const rows = Array.from({ length: rowStart.length - 1 }, (_, row) => {
    const part = <T>(array: ArrayLike<T>) =>
      Array.prototype.slice.call(array, rowStart[row], rowStart[row + 1]) as T[];
    return { columns: [...part(columns), states], values: [...part(values), loss] };
  });
  rows.push({ columns: [states], values: [1] });
  const starts = [0];
  for (const row of rows) starts.push(starts[starts.length - 1] + row.columns.length);
  return {
    type: 'mdp',
    ...common(states + 1),
    rowGroupStart: Uint32Array.of(...rowGroupStart, rows.length),
    rowStart: Uint32Array.from(starts),
    columns: Uint32Array.from(rows.flatMap((row) => row.columns)),
    values: Float64Array.from(rows.flatMap((row) => row.values)),
  };
}

/**
 * What `solve` finds, or nothing where it says that rounding keeps bounds apart. Then what it reached must bracket the exact values, and
 * `accounted` must say that rounding does account for it.
 */
function unlessRounded<T>(
  solve: () => T,
  exact: readonly (Rational | null)[],
  accounted: () => boolean,
): T | undefined {
  try {
    return solve();
  } catch (error) {
    if (!(error instanceof NotConvergedError)) throw error;
    expectReached(error, exact);
    expect(accounted()).toBe(true);
    return undefined;
  }
}

/** Asserts that the bounds an error carries bracket the exact values, null being infinite. */
function expectReached({ lower, upper }: Bounds, exact: readonly (Rational | null)[]): void {
  expectBrackets(
    {
      lower: lower.map((low, s) => (exact[s] === null ? 0 : low)),
      upper: upper.map((high) => Math.min(high, Number.MAX_VALUE)),
    },
    exact.map((value) => value ?? Rational.ZERO),
  );
}

const tame = (rows: number) =>
  arbitraryIntervals({ states: 4, rows, successors: 3, leak: false })
    .map(({ matrix }): Model => ({ type: 'imdp', ...common(matrix.rowGroupStart.length - 1), ...matrix }))
    .filter((model) => new ExactGame(model).size <= 60);

describe.each(backends)('%s', (_, kernel) => {
  test.each([
    ['of nature alone', 1],
    ['of a scheduler and nature', 2],
  ])(
    'rewards before a target bracket those of the best choices %s, infinite where it may be missed',
    (_name, rows) => {
      fc.assert(
        fc.property(problems(tame(rows)), ({ model, rewards, target, scheduler, nature }) => {
          if (model.type !== 'imdp') throw new Error(model.type);
          using game = kernel.intervalMdp(model);
          const structure = {
            name: '',
            ...(rewards.states && { states: rewards.states }),
            ...(rewards.rows && { choices: rewards.rows }),
          };
          const exact = new ExactGame(model, structure).reachabilityReward([scheduler, nature], target);
          try {
            expectBounds(
              game.reachabilityReward(rewards, target, { scheduler, nature }, { maxIterations: 5000 }),
              exact,
            );
          } catch (error) {
            if (!(error instanceof NotConvergedError)) throw error;
            expectReached(error, exact);
          }
        }),
        { numRuns: runs(100) },
      );
    },
  );
});

/** Asserts `lower <= exact <= upper` in every state, both being Infinity where `exact` is null, and bounds so far apart at most. */
function expectBounds({ lower, upper }: Bounds, exact: readonly (Rational | null)[], apart = 2e-6): void {
  const outside = exact.flatMap((value, s) => {
    const [low, high] = [lower[s], upper[s]];
    const within =
      value === null
        ? low === Infinity && high === Infinity
        : value.compare(low) >= 0 && value.compare(high) <= 0 && high - low <= apart * Math.max(1, low);
    return within ? [] : [`state ${s}: ${value} and [${low}, ${high}]`];
  });
  expect(outside).toEqual([]);
}

/** The chain of an MDP in which one row is taken in each state. */
function fixedTo(model: Model & { readonly type: 'mdp' }, scheduler: Uint32Array): Model {
  const { rowStart, columns, values } = model;
  const entries = Array.from(scheduler, (row) =>
    Array.from({ length: rowStart[row + 1] - rowStart[row] }, (_, i) => rowStart[row] + i),
  );
  const starts = new Uint32Array(scheduler.length + 1);
  for (const [s, row] of entries.entries()) starts[s + 1] = starts[s] + row.length;
  return {
    type: 'dtmc',
    ...common(scheduler.length),
    rowStart: starts,
    columns: Uint32Array.from(entries.flat(), (e) => columns[e]),
    values: Float64Array.from(entries.flat(), (e) => values[e]),
  };
}
