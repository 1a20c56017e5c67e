import type { BitSet } from '../bitSet.js';
import type { Direction, MdpRewards } from './mdp.js';
import type { BackOptions, SolveOptions, StepOptions, WindowOptions } from './options.js';
import type { Solution } from './solution.js';

/**
 * Rows of intervals: row r stands for all distributions with lower <= P <= upper entry by entry and, if a centre and a radius
 * are given, at most `radius` in total variation from the centre (half the sum of the absolute differences). If rounding makes
 * the centre's sum miss 1, the smaller of the sums of positive and of negative differences counts. Lower bounds that sum to 1
 * or more (by up to 1e-9), or upper bounds that sum to 1 or less, stand for that single distribution, divided by its sum. Sums
 * are compared with 1 exactly: bounds that leave any room leave a choice.
 */
export interface IntervalCsr {
  /** Uint32Array(rows + 1), starting at 0, never descending. */
  readonly rowStart: Uint32Array;
  /** Uint32Array(nnz), each below the number of states, ascending strictly within a row. */
  readonly columns: Uint32Array;
  /** Float64Array(nnz), each 0 or at least 2^-500. A transition with lower bound 0 may be absent. */
  readonly lower: Float64Array;
  /** Float64Array(nnz), each above 0. */
  readonly upper: Float64Array;
  /** Float64Array(nnz), between the bounds, summing to 1. Given with `radius` or not at all. */
  readonly centre?: Float64Array;
  /** Float64Array(rows), at least 0; `Infinity` leaves a row to its bounds alone. */
  readonly radius?: Float64Array;
}

/** Rows rowGroupStart[s] (included) to rowGroupStart[s + 1] (excluded) are the choices of state s. */
export interface IntervalMdpMatrix extends IntervalCsr {
  /** Uint32Array(states + 1), starting at 0, ascending strictly. */
  readonly rowGroupStart: Uint32Array;
}

/** The goals of the two players: the scheduler chooses a row; nature, knowing the row, then chooses its distribution. */
export interface Players {
  readonly scheduler: Direction;
  readonly nature: Direction;
}

/** Options for solving interval models, always by interval iteration. */
export interface RobustOptions extends Omit<SolveOptions, 'method'> {
  /** Sweeps over one component before giving up with NotConvergedError. Default 1,000,000. */
  maxIterations?: number;
}

/**
 * An interval Markov model held by a kernel; distributions are chosen anew at every step. `goal` says who minimises and who
 * maximises: nature's `Direction` for an interval chain; `Players` for an interval MDP. Free it once, with `free()` or `using`.
 *
 * Sets and results are over the states, entry s for state s. Every call throws InvalidArgumentError for a set over another
 * number of states, an invalid goal, an option out of its range, and after `free()`. A call that takes a signal throws the
 * reason of an aborted signal, and KernelError if memory does not suffice.
 */
export interface KernelIntervalModel<Goal> extends Disposable {
  readonly states: number;
  readonly rows: number;
  readonly transitions: number;
  /**
   * States where the best P(remain U target) is 0. Takes time linear in the number of entries times the length of the longest
   * row.
   */
  prob0(remain: BitSet, target: BitSet, goal: Goal): BitSet;
  /**
   * States where the best P(remain U target) is 1. Takes the time of `prob0` for each round that removes states, normally one
   * or two rounds.
   */
  prob1(remain: BitSet, target: BitSet, goal: Goal): BitSet;
  /**
   * The best P(remain U target) of every state, by robust interval iteration (each visit sorts and fills the row: O(k log k)
   * for k successors).
   *
   * @param remain states that a path may pass before `target`.
   * @param options.precision half the allowed width of the bounds: absolute or, with `relative`, relative to the lower bound.
   * @returns `lower <= value <= upper`; `accuracy` is `exact` if the graph decides everything.
   * @throws NotConvergedError with the bounds reached, which hold, if they do not meet `precision`: for example, if a set of
   *   states is left with a probability below about 1e-7 per step, because that takes as many sweeps.
   * @see Givan, Leach, Dean (2000), doi:10.1016/S0004-3702(00)00047-3
   */
  until(remain: BitSet, target: BitSet, goal: Goal, options?: RobustOptions): Solution;
  /**
   * The best P(remain U[from,steps] target) of every state; choices may depend on the steps left. Here and below, each step
   * visits every row once.
   *
   * @param steps a whole number, at least 0.
   * @returns bounds whose width comes from rounding only, here and below.
   */
  boundedUntil(remain: BitSet, target: BitSet, steps: number, goal: Goal, options?: WindowOptions): Solution;
  /** The best P(X target) of every state. */
  next(target: BitSet, goal: Goal): Solution;
  /**
   * Propagates values back by `steps` steps. In each step, the states in `active` (default: all) take the best mean over the
   * successors of their rows; the others keep the value given in `others` (default: in `values`). Values lie between 0 and
   * 2^500.
   */
  stepBack(
    values: Pick<Solution, 'lower' | 'upper'>,
    steps: number,
    goal: Goal,
    options?: BackOptions,
  ): Solution;
  /** The best expected reward of the first `steps` steps of every state. */
  cumulativeReward(rewards: MdpRewards, steps: number, goal: Goal, options?: StepOptions): Solution;
  /** The best expected reward of the state after `steps` steps, for every start state. */
  instantaneousReward(states: Float64Array, steps: number, goal: Goal, options?: StepOptions): Solution;
  /**
   * The best expected reward earned before `target` is reached, for every state. Nothing is earned in `target`. Infinite if the
   * maximising players can make the others miss the target.
   *
   * @param rewards each 0, or between 2^-500 and 2^500; omitted rewards are 0.
   * @param options as for `until`; `precision` p means `upper - lower <= 2 * p * max(1, value)`.
   * @returns `lower <= value <= upper`; `accuracy` is `exact` if the graph decides everything.
   * @throws NotConvergedError with true bounds, upper ones possibly Infinity, as `until`.
   * @throws InvalidArgumentError for rewards of the wrong length, negative, NaN or out of range, naming the entry.
   * @see Hartmanns, Kaminski (2020), doi:10.1007/978-3-030-53291-8_26
   */
  reachabilityReward(rewards: MdpRewards, target: BitSet, goal: Goal, options?: RobustOptions): Solution;
  /**
   * The distribution of every row that makes the mean of `values` (Float64Array(states), in [0, 1]) largest or smallest.
   * With the upper bounds of a solution and 'min', these are the worst-case rows of a minimising nature.
   * @returns Float64Array(nnz), one probability per entry, each row within a few 2^-53 of the set because of rounding.
   * @throws InvalidArgumentError for values of another length or outside [0, 1], naming the state.
   */
  rowDistributions(values: Float64Array, direction: Direction): Float64Array;
  /** Frees its memory; call it once. */
  free(): void;
}

/** An interval chain held by a kernel; its goal is nature's direction. */
export type KernelIntervalChain = KernelIntervalModel<Direction>;

/** An interval MDP held by a kernel; its goal names the direction of each of the two players. */
export type KernelIntervalMdp = KernelIntervalModel<Players>;
