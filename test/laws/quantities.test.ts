import '../../bindings/solvers/kernel/inline.js';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NotConvergedError, NotSupportedError } from '../../bindings/base/errors.js';
import { openQuantities, type Quantities } from '../../bindings/solvers/checker/index.js';
import { BitSet, type Direction, type Solution } from '../../bindings/solvers/kernel/index.js';
import { useKernel } from '../../bindings/solvers/kernel/registry.js';
import type { Model, Rewards } from '../../bindings/solvers/model/index.js';
import { backends } from '../kernel/backends.js';
import { arbitraryChain } from '../kernel/randomChains.js';
import { arbitraryIntervals } from '../kernel/randomIntervals.js';
import { arbitraryMdpReward } from '../kernel/randomMdps.js';
import { ExactGame, numbersOf } from '../oracle/game.js';
import { Rational } from '../oracle/rational.js';
import type { ExactReward } from '../oracle/rewards.js';
import { runs } from './runs.js';

/** Trying more strategies than this takes too long for a law. */
const MAX_STRATEGIES = 80;

const common = (states: number) => ({ states, initial: [0], labels: new Map<string, BitSet>() });

const chains: fc.Arbitrary<Model> = arbitraryChain.map((matrix) => ({
  type: 'dtmc',
  ...common(matrix.rowStart.length - 1),
  ...matrix,
}));

const decisions: fc.Arbitrary<Model> = arbitraryMdpReward.map(({ matrix }) => ({
  type: 'mdp',
  ...common(matrix.rowGroupStart.length - 1),
  ...matrix,
}));

const intervals = (rows: number): fc.Arbitrary<Model> =>
  arbitraryIntervals({ states: 4, rows, successors: 2, leak: false }).map(({ matrix }) => {
    const { rowGroupStart, ...chain } = matrix;
    const parts = common(rowGroupStart.length - 1);
    return rows === 1 ? { type: 'idtmc', ...parts, ...chain } : { type: 'imdp', ...parts, ...matrix };
  });

const reward = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 5 }) },
  { weight: 1, arbitrary: fc.double({ min: 1e-3, max: 1e3, noNaN: true }) },
);

interface Problem {
  readonly model: Model;
  readonly rewards: Rewards;
  readonly remain: BitSet;
  readonly target: BitSet;
  readonly directions: Direction[];
  readonly from: number;
  readonly length: number | null;
}

function problems(models: fc.Arbitrary<Model>): fc.Arbitrary<Problem> {
  return models
    .filter((model) => new ExactGame(model).size <= MAX_STRATEGIES)
    .chain((model) => {
      const { states } = model;
      const numbers = (length: number) =>
        fc.option(
          fc
            .array(reward, { minLength: length, maxLength: length })
            .map((values) => Float64Array.from(values)),
          { nil: undefined },
        );
      const set = (mostly: boolean) =>
        fc
          .array(fc.nat(5), { minLength: states, maxLength: states })
          .map((dice) => BitSet.where(states, (s) => (dice[s] === 0) !== mostly));
      const direction = fc.constantFrom<Direction>('min', 'max');
      const players = { dtmc: 0, mdp: 1, idtmc: 1, imdp: 2 }[model.type];
      return fc.record({
        model: fc.constant(model),
        rewards: fc
          .tuple(
            numbers(states),
            numbers(model.rowStart.length - 1),
            'lower' in model ? fc.constant(undefined) : numbers(model.columns.length),
          )
          .map(
            ([own, choices, branches]): Rewards => ({
              name: 'earned',
              ...(own && { states: own }),
              ...(choices && { choices }),
              ...(branches && { branches }),
            }),
          ),
        remain: fc.oneof(fc.constant(BitSet.full(states)), set(true)),
        target: fc.oneof(set(false), fc.constant(BitSet.of(states, [Math.max(0, states - 2)]))),
        directions: fc.array(direction, { minLength: players, maxLength: players }),
        from: fc.nat(3),
        length: fc.option(fc.nat(4)),
      });
    });
}

/** Whether nobody but nature has a choice. */
function isChain({ states, rowStart }: Model): boolean {
  return rowStart.length === states + 1;
}

/** The solution, unless so many sweeps do not suffice: then the bounds reached, which are true too. */
function solved(solve: () => Solution): Pick<Solution, 'lower' | 'upper'> & { readonly finished: boolean } {
  try {
    return { ...solve(), finished: true };
  } catch (error) {
    if (!(error instanceof NotConvergedError)) throw error;
    return { lower: error.lower, upper: error.upper, finished: false };
  }
}

/** Asserts `lower <= exact <= upper` in every state, both being Infinity where there is no number, and a width of 2e-6 at most. */
function expectBrackets(solve: () => Solution, exact: readonly ExactReward[]): void {
  const { lower, upper, finished } = solved(solve);
  expect([lower.length, upper.length]).toEqual([exact.length, exact.length]);
  const outside = exact.flatMap((value, s) => {
    const [low, high] = [lower[s], upper[s]];
    const close = !finished || high - low <= 2e-6 * Math.max(1, low);
    const within =
      value === null
        ? (low === Infinity || !finished) && high === Infinity
        : low < Infinity &&
          value.compare(low) >= 0 &&
          ((!finished && high === Infinity) || (value.compare(high) <= 0 && close));
    return within ? [] : [`state ${s}: ${value} and [${low}, ${high}]`];
  });
  expect(outside).toEqual([]);
}

const options = { maxIterations: 20_000 };

describe.each(backends)('%s', (_, kernel) => {
  beforeAll(() => {
    useKernel(kernel);
  });
  afterAll(() => {
    useKernel();
  });

  describe.each([
    ['a chain', chains, 60],
    ['a decision process', decisions, 60],
    ['an interval chain', intervals(1), 40],
    ['an interval decision process', intervals(2), 30],
  ])('of %s', (_, models, times) => {
    /** Every law on random problems. */
    function law(check: (quantities: Quantities, game: ExactGame, problem: Problem) => void): void {
      fc.assert(
        fc.property(problems(models), (problem) => {
          using quantities = openQuantities(problem.model);
          check(quantities, new ExactGame(problem.model, problem.rewards), problem);
        }),
        { numRuns: runs(times) },
      );
    }

    test('probabilities of until, in windows or not, are bracketed', () => {
      law((quantities, game, { directions, remain, target, from, length }) => {
        expectBrackets(
          () => quantities.until(directions, remain, target, options),
          game.until(directions, remain, target),
        );
        const to = length === null ? null : from + length;
        expectBrackets(
          () => quantities.boundedUntil(directions, { remain, target, from, to }, options),
          game.boundedUntil(directions, remain, target, from, to),
        );
        expectBrackets(
          () => quantities.next(directions, target),
          game.stepBack(directions, numbersOf(target), 1),
        );
      });
    });

    test('probabilities of 0 and 1 are those that the graph decides', () => {
      law((quantities, game, { directions, remain, target }) => {
        const exact = game.until(directions, remain, target);
        const where = (certain: number) => exact.flatMap((p, s) => (p.compare(certain) === 0 ? [s] : []));
        expect([...quantities.prob0(directions, remain, target)]).toEqual(where(0));
        expect([...quantities.prob1(directions, remain, target)]).toEqual(where(1));
      });
    });

    test('rewards of so many steps are bracketed', () => {
      law((quantities, game, { model, rewards, directions, from: steps }) => {
        const zero = Array.from({ length: model.states }, () => Rational.ZERO);
        expectBrackets(
          () => quantities.cumulativeReward(directions, rewards, steps, options),
          game.stepBack(directions, zero, steps, { earning: true }),
        );
        const own = zero.map((_, s) => Rational.fromDouble(rewards.states?.[s] ?? 0));
        expectBrackets(
          () => quantities.instantaneousReward(directions, rewards, steps, options),
          game.stepBack(directions, own, steps),
        );
      });
    });

    test('rewards until a target is reached are bracketed, infinite where it may be missed', () => {
      law((quantities, game, { rewards, directions, target }) => {
        expectBrackets(
          () => quantities.reachabilityReward(directions, rewards, target, options),
          game.reachabilityReward(directions, target),
        );
      });
    });

    test('means in the long run are bracketed', () => {
      law((quantities, game, { model, rewards, directions, target }) => {
        // Where every interval is a single number, nature has no choice.
        if ('lower' in model && model.lower.some((lower, t) => lower !== model.upper[t])) {
          expect(() => quantities.longRunReward(directions, rewards, options)).toThrow(NotSupportedError);
          return;
        }
        const share = new ExactGame(model, {
          name: '',
          states: Float64Array.from({ length: model.states }, (_, s) => Number(target.has(s))),
        });
        for (const precision of [1e-6, 1e-10]) {
          expectBrackets(
            () => quantities.longRunReward(directions, rewards, { ...options, precision }),
            game.longRunReward(directions),
          );
          expectBrackets(
            () => quantities.longRunProbability(directions, target, { ...options, precision }),
            share.longRunReward(directions),
          );
        }
      });
    });

    test('rewards for ever are bracketed, infinite where something is earned again and again', () => {
      law((quantities, game, { model, rewards, directions }) => {
        const supported =
          !('lower' in model) ||
          (!model.lower.includes(0) && (model.type === 'idtmc' || directions[0] === 'min' || isChain(model)));
        if (!supported) {
          expect(() => quantities.totalReward(directions, rewards, options)).toThrow(NotSupportedError);
          return;
        }
        expectBrackets(
          () => quantities.totalReward(directions, rewards, options),
          game.totalReward(directions),
        );
      });
    });
  });
});
