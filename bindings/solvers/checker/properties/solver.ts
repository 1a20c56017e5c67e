import { Rational } from '../../../base/rational.js';
import type { Solution } from '../../kernel/index.js';
import { bracket, type ExactOptions, type ExactQuantities, type ExactValue } from '../exact/index.js';
import { complementBounds, type Quantities } from '../quantities/index.js';
import type { NumberValues } from './stateValues.js';

/** Values of all states, with the fractions if exact arithmetic computed them. */
export interface Solved extends Solution {
  readonly exact?: readonly (ExactValue | undefined)[];
}

type Solves =
  | 'until'
  | 'boundedUntil'
  | 'next'
  | 'reachabilityReward'
  | 'cumulativeReward'
  | 'totalReward'
  | 'instantaneousReward'
  | 'longRunReward'
  | 'longRunProbability';

/** A solver of numbers: `Quantities` gives bounds, `exactSolver` fractions. */
export type Solver = { readonly [M in Solves]: (...given: Parameters<Quantities[M]>) => Solved };

/** Solves in rational arithmetic. Of the solver options only `signal` has an effect. */
export function exactSolver(exact: ExactQuantities, options: ExactOptions = {}): Solver {
  const of = exact.exactOf();
  return {
    until: (directions, remain, target) => solved(exact.until(directions, remain, target, options), of),
    boundedUntil: (directions, event) => solved(exact.boundedUntil(directions, event, options), of),
    next: (directions, target) => solved(exact.next(directions, target), of),
    reachabilityReward: (directions, rewards, target) =>
      solved(exact.reachabilityReward(directions, rewards, target, options), exact.exactOf(rewards)),
    cumulativeReward: (directions, rewards, steps) =>
      solved(exact.cumulativeReward(directions, rewards, steps, options), exact.exactOf(rewards)),
    totalReward: (directions, rewards) =>
      solved(exact.totalReward(directions, rewards, options), exact.exactOf(rewards)),
    instantaneousReward: (directions, rewards, steps) =>
      solved(exact.instantaneousReward(directions, rewards, steps, options), exact.exactOf(rewards)),
    longRunReward: (directions, rewards) =>
      solved(exact.longRunReward(directions, rewards, options), exact.exactOf(rewards)),
    longRunProbability: (directions, target) =>
      solved(exact.longRunProbability(directions, target, options), of),
  };
}

/**
 * Fractions with the doubles next to them.
 *
 * @param of whether they come from the fractions of the model's source or from its doubles; named in `method`
 */
export function solved(exact: readonly ExactValue[], of: 'source' | 'doubles'): Solved {
  const lower = new Float64Array(exact.length);
  const upper = new Float64Array(exact.length);
  exact.forEach((value, s) => {
    const bounds = bracket(value);
    lower[s] = bounds.lower;
    upper[s] = bounds.upper;
  });
  const method = of === 'source' ? 'rational-arithmetic' : 'rational-arithmetic on doubles';
  return { lower, upper, exact, accuracy: 'exact', method, iterations: 0 };
}

/**
 * Turns a solution into values of states. For estimates, only the range of their kind of number is certain.
 *
 * @param most an upper limit of the numbers
 */
export function numbersOf(solution: Solved, most: number): NumberValues {
  const { lower, upper, accuracy, method, iterations, exact } = solution;
  if (accuracy === 'estimated') {
    const states = lower.length;
    return {
      type: 'double',
      lower: new Float64Array(states),
      upper: new Float64Array(states).fill(most),
      estimate: lower.map((value, s) => value + (upper[s] - value) / 2),
      accuracy,
      method,
      iterations,
    };
  }
  return {
    type: 'double',
    lower,
    upper,
    accuracy,
    method,
    iterations,
    ...(exact && { exactAt: (s: number) => fractionOf(exact[s]) }),
  };
}

function fractionOf(value: ExactValue | undefined): Rational | undefined {
  return value === 'infinite' ? undefined : value;
}

/** One minus each probability. */
export function complement(solution: Solved): Solved {
  const { exact } = solution;
  return {
    ...solution,
    ...complementBounds(solution),
    ...(exact && {
      exact: exact.map((value) => (value instanceof Rational ? value.complement() : value)),
    }),
  };
}

/** Bounds that hold whichever of two solutions is true: the lower bounds of one and the upper bounds of the other. */
export function between(least: Solved, greatest: Solved): Solved {
  const exact =
    least.exact && greatest.exact && least.exact.every((value, s) => same(value, greatest.exact?.[s]))
      ? { exact: least.exact }
      : {};
  return {
    lower: least.lower,
    upper: greatest.upper,
    accuracy: [least.accuracy, greatest.accuracy].includes('estimated')
      ? 'estimated'
      : 'exact' in exact
        ? 'exact'
        : 'bounded',
    method: least.method === greatest.method ? least.method : `${least.method} + ${greatest.method}`,
    iterations: least.iterations + greatest.iterations,
    ...exact,
  };
}

function same(a: ExactValue | undefined, b: ExactValue | undefined): boolean {
  return a instanceof Rational && b instanceof Rational ? a.compare(b) === 0 : a === b;
}
