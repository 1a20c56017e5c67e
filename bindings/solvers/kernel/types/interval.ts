import type { BitSet } from '../bitSet.js';
import type { Direction, MdpRewards } from './mdp.js';
import type { BackOptions, SolveOptions, StepOptions, WindowOptions } from './options.js';
import type { Solution } from './solution.js';

/**
 * Rows of intervals: row r stands for all distributions with lower <= P <= upper entry by entry and, where a centre and a
 * radius are given, at most `radius` in total variation from the centre (half the sum of the absolute differences). Where
 * rounding makes the centre miss 1, the smaller one of the sums of positive and of negative differences counts. Lower bounds
 * that sum to 1 or more (by up to 1e-9), or upper bounds that sum to 1 or less, mean that one distribution, divided by its sum. Sums
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

/** What a scheduler chooses rows for, and then nature, knowing the row, its distribution. */
export interface Players {
  readonly scheduler: Direction;
  readonly nature: Direction;
}

/** How interval models are solved: by interval iteration alone. */
export interface RobustOptions extends Omit<SolveOptions, 'method'> {
  /** Sweeps over one component before giving up with NotConvergedError. Default 1,000,000. */
  maxIterations?: number;
}

/**
 * A Markov model of intervals held by a kernel, where distributions are chosen anew at every step. `goal` says who minimises
 * and who maximises: a `Direction`, that of nature, for an interval chain; `Players` for an interval MDP. Free it once, with
 * `free()` or `using`.
 *
 * Sets are over the states, as are results, entry s for state s. Every call throws InvalidArgumentError for a set over another
 * number of states, a goal that is none, an option out of its range, and after `free()`; one that takes a signal throws the
 * reason of an aborted signal, and KernelError if there is not enough memory.
 */
export interface KernelIntervalModel<Goal> extends Disposable {
  readonly states: number;
  readonly rows: number;
  readonly transitions: number;
  /** States where the best P(remain U target) is 0. Takes time linear in the entries times those of the longest row. */
  prob0(remain: BitSet, target: BitSet, goal: Goal): BitSet;
  /** States where the best P(remain U target) is 1. Takes that time as often as states are lost, once or twice as a rule. */
  prob1(remain: BitSet, target: BitSet, goal: Goal): BitSet;
  /**
   * The best P(remain U target) of every state, by robust interval iteration (a row is sorted and filled at each visit,
   * O(k log k) for k successors).
   *
   * @param remain states that a path may pass before `target`.
   * @param options.precision half the width of bounds allowed, absolute or, with `relative`, relative to the lower one.
   * @returns `lower <= value <= upper`; `accuracy` is `exact` where the graph decides everything.
   * @throws NotConvergedError with the bounds reached, true ones, if they do not come as close as `precision` asks: as where a set
   *   of states is left with less than about 1e-7 a step, which takes as many sweeps.
   * @see Givan, Leach, Dean (2000), doi:10.1016/S0004-3702(00)00047-3
   */
  until(remain: BitSet, target: BitSet, goal: Goal, options?: RobustOptions): Solution;
  /**
   * The best P(remain U[from,steps] target) of every state; choices may depend on the steps left. Each step visits every row once,
   * here and below.
   *
   * @param steps a whole number, at least 0.
   * @returns bounds as wide as rounding makes them, here and below.
   */
  boundedUntil(remain: BitSet, target: BitSet, steps: number, goal: Goal, options?: WindowOptions): Solution;
  /** The best P(X target) of every state. */
  next(target: BitSet, goal: Goal): Solution;
  /**
   * Takes values `steps` steps back: in each, the states in `active` (default: all) take the best mean over the successors of
   * their rows, the others the value that they have in `others` (default: in `values`). Values lie between 0 and 2^500.
   */
  stepBack(
    values: Pick<Solution, 'lower' | 'upper'>,
    steps: number,
    goal: Goal,
    options?: BackOptions,
  ): Solution;
  /** The best expected reward of the first `steps` steps of every state. */
  cumulativeReward(rewards: MdpRewards, steps: number, goal: Goal, options?: StepOptions): Solution;
  /** The best expected reward of the state after `steps` steps, for every state to start from. */
  instantaneousReward(states: Float64Array, steps: number, goal: Goal, options?: StepOptions): Solution;
  /**
   * The best expected reward earned before `target` is reached, for every state. Nothing is earned in `target`. Infinite where the
   * players that maximise can make the others miss the target.
   *
   * @param rewards each 0, or between 2^-500 and 2^500; what is left out earns nothing.
   * @param options as for `until`; `precision` p means `upper - lower <= 2 * p * max(1, value)`.
   * @returns `lower <= value <= upper`; `accuracy` is `exact` where the graph decides everything.
   * @throws NotConvergedError with true bounds, upper ones possibly Infinity, as `until`.
   * @throws InvalidArgumentError for rewards of the wrong length, negative, NaN or out of range, naming the entry.
   * @see Hartmanns, Kaminski (2020), doi:10.1007/978-3-030-53291-8_26
   */
  reachabilityReward(rewards: MdpRewards, target: BitSet, goal: Goal, options?: RobustOptions): Solution;
  /**
   * The distribution of every row that makes the mean of `values` (Float64Array(states), in [0, 1]) largest or smallest.
   * With the upper bounds of a solution and 'min' these are worst rows of a minimising nature.
   * @returns Float64Array(nnz), one probability an entry, each row rounded to within a few 2^-53 of the set.
   * @throws InvalidArgumentError for values of another length or outside [0, 1], naming the state.
   */
  rowDistributions(values: Float64Array, direction: Direction): Float64Array;
  /** Gives its memory back; once. */
  free(): void;
}

/** An interval chain held by a kernel; its goal is the direction of nature. */
export type KernelIntervalChain = KernelIntervalModel<Direction>;

/** An interval MDP held by a kernel; its goal is what each of the two players wants. */
export type KernelIntervalMdp = KernelIntervalModel<Players>;
