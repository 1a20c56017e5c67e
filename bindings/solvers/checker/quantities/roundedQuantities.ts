import { NotConvergedError } from '../../../base/errors.js';
import type { BitSet, Solution, SolveOptions } from '../../kernel/index.js';
import type { Rewards, Rounding } from '../../model/index.js';
import type { WindowedUntil } from '../pathEvent.js';
import type { Directions, Quantities } from './quantities.js';

/**
 * Numbers of the source model that a model's doubles approximate: the bounds of the doubles, moved outward by the effect of
 * their rounding. Values decided by the graph do not move, because rounding does not change the graph.
 *
 * @see O'Cinneide 1993, Entrywise perturbation theory and error analysis for Markov chains, doi:10.1007/BF01385743
 */
export class RoundedQuantities implements Quantities {
  readonly states: number;
  /**
   * The relative error of one row: of the probability of leaving and of each target given that, including the division by the
   * row's sum.
   */
  readonly #row: number;
  /**
   * The relative error of a quotient of sums of products with one factor per state: reachability probabilities and expected
   * visits.
   */
  readonly #visits: number;
  readonly #inner: Quantities;
  readonly #rounding: Rounding;

  constructor(inner: Quantities, rounding: Rounding) {
    this.#inner = inner;
    this.#rounding = rounding;
    this.states = inner.states;
    this.#row = 4.5 * rounding.probabilities;
    this.#visits = this.states * this.#row;
  }

  until(directions: Directions, remain: BitSet, target: BitSet, options: SolveOptions): Solution {
    return this.#moved(options, { relative: this.#visits, most: 1, certain: 1 }, (given) =>
      this.#inner.until(directions, remain, target, given),
    );
  }

  boundedUntil(directions: Directions, event: WindowedUntil, options: SolveOptions): Solution {
    const { from, to } = event;
    const relative = to === null ? this.#visits : (to - from) * this.#row;
    return this.#moved(options, { relative, absolute: from * this.#row, most: 1 }, (given) =>
      this.#inner.boundedUntil(directions, event, given),
    );
  }

  next(directions: Directions, target: BitSet): Solution {
    return this.#moved({}, { absolute: this.#row, most: 1 }, () => this.#inner.next(directions, target));
  }

  reachabilityReward(
    directions: Directions,
    rewards: Rewards,
    target: BitSet,
    options: SolveOptions,
  ): Solution {
    return this.#moved(options, { relative: this.#visits + this.#rounding.rewards }, (given) =>
      this.#inner.reachabilityReward(directions, rewards, target, given),
    );
  }

  cumulativeReward(directions: Directions, rewards: Rewards, steps: number, options: SolveOptions): Solution {
    return this.#moved(options, { relative: steps * this.#row + this.#rounding.rewards }, (given) =>
      this.#inner.cumulativeReward(directions, rewards, steps, given),
    );
  }

  totalReward(directions: Directions, rewards: Rewards, options: SolveOptions): Solution {
    return this.#moved(options, { relative: this.#visits + this.#rounding.rewards }, (given) =>
      this.#inner.totalReward(directions, rewards, given),
    );
  }

  instantaneousReward(
    directions: Directions,
    rewards: Rewards,
    steps: number,
    options: SolveOptions,
  ): Solution {
    const most = rewards.states?.reduce((greatest, reward) => Math.max(greatest, reward), 0) ?? 0;
    const error = { relative: this.#rounding.rewards, absolute: steps * this.#row * most };
    return this.#moved(options, error, (given) =>
      this.#inner.instantaneousReward(directions, rewards, steps, given),
    );
  }

  /** The mean of a component is a quotient of visits, weighted by the probability of reaching it. */
  longRunReward(directions: Directions, rewards: Rewards, options: SolveOptions): Solution {
    return this.#moved(options, { relative: 2 * this.#visits + this.#rounding.rewards }, (given) =>
      this.#inner.longRunReward(directions, rewards, given),
    );
  }

  longRunProbability(directions: Directions, target: BitSet, options: SolveOptions): Solution {
    return this.#moved(options, { relative: 2 * this.#visits, most: 1 }, (given) =>
      this.#inner.longRunProbability(directions, target, given),
    );
  }

  prob0(directions: Directions, remain: BitSet, target: BitSet): BitSet {
    return this.#inner.prob0(directions, remain, target);
  }

  prob1(directions: Directions, remain: BitSet, target: BitSet): BitSet {
    return this.#inner.prob1(directions, remain, target);
  }

  existsNext(target: BitSet): BitSet {
    return this.#inner.existsNext(target);
  }

  existsUntil(remain: BitSet, target: BitSet): BitSet {
    return this.#inner.existsUntil(remain, target);
  }

  existsGlobally(remain: BitSet): BitSet {
    return this.#inner.existsGlobally(remain);
  }

  free(): void {
    this.#inner.free();
  }

  [Symbol.dispose](): void {
    this.free();
  }

  /** Solves, with a little more precision if that compensates for the outward movement of bounds. */
  #moved(options: SolveOptions, error: Movement, solve: (options: SolveOptions) => Solution): Solution {
    const { precision = 1e-6 } = options;
    const less = (error.relative ?? 0) + (error.absolute ?? 0);
    try {
      const solution = solve(less < precision / 2 ? { ...options, precision: precision - less } : options);
      return solution.accuracy === 'bounded' ? { ...solution, ...outward(solution, error) } : solution;
    } catch (failure) {
      if (!(failure instanceof NotConvergedError)) throw failure;
      throw new NotConvergedError(failure.message, outward(failure, error));
    }
  }
}

const INFINITE = Number.POSITIVE_INFINITY;

/** The error of a number, and its upper limit. */
interface Movement {
  readonly relative?: number;
  readonly absolute?: number;
  readonly most?: number;
  /** The value that does not move, because the graph decides it. */
  readonly certain?: number;
}

function outward(
  { lower, upper }: Pick<Solution, 'lower' | 'upper'>,
  { relative = 0, absolute = 0, most = INFINITE, certain = INFINITE }: Movement,
): Pick<Solution, 'lower' | 'upper'> {
  // The products below are rounded, too.
  const [less, more] = [Math.exp(-relative) - 2 * Number.EPSILON, Math.exp(relative) + 2 * Number.EPSILON];
  return {
    lower: lower.map((value) => (value === certain ? value : Math.max(0, value * less - absolute))),
    upper: upper.map((value) => (value === 0 ? value : Math.min(most, value * more + absolute))),
  };
}
