import type { BitSet } from '../bitSet.js';
import type { Components, Csr } from './chain.js';
import type { BackOptions, SolveOptions, StepOptions, WindowOptions } from './options.js';
import type { Solution } from './solution.js';

/**
 * The rows of a Markov decision process: state s chooses among rows rowGroupStart[s] (included) to rowGroupStart[s + 1]
 * (excluded) of the matrix, at least one.
 */
export interface MdpMatrix extends Csr {
  /** Uint32Array(states + 1), starting at 0, ascending, ending at the number of rows. */
  readonly rowGroupStart: Uint32Array;
}

/** Which of a value over all schedulers: the least or the greatest. */
export type Direction = 'min' | 'max';

/** Values under the best scheduler, and one that attains them. */
export interface OptimalSolution extends Solution {
  /**
   * Uint32Array(states): the row that a memoryless scheduler takes in each state, the first of a state where any will do. Its
   * own values lie between `lower` and `upper`, or, after `value-iteration`, promise nothing.
   */
  readonly scheduler: Uint32Array;
}

/** What is earned in each state, and by each choice, when it is left; 0, or between 2^-500 and 2^500. */
export interface MdpRewards {
  /** Float64Array(states). Default 0 everywhere. */
  readonly states?: Float64Array;
  /** Float64Array(rows). Default 0 everywhere. */
  readonly rows?: Float64Array;
}

/** Maximal end components: the sets of states that some scheduler can stay in for ever, and visit all of. */
export interface EndComponents {
  readonly count: number;
  /** Uint32Array(states): which one a state is in, 0xffffffff if in none. */
  readonly componentOf: Uint32Array;
  /** The rows that stay inside; a set over rows. */
  readonly rows: BitSet;
}

/**
 * A Markov decision process held by a kernel. Free it once, with `free()` or `using`.
 *
 * A scheduler resolves choices; Pmin and Pmax are the least and the greatest probability over all of them. Sets are over the
 * states, as are results, entry s for state s. Searches take time linear in the transitions where nothing else is said.
 *
 * Every call throws InvalidArgumentError for a set over another number of states, a direction that is none, an option out of
 * its range, and after `free()`; one that takes a signal throws the reason of an aborted signal, and KernelError if there is not
 * enough memory.
 */
export interface KernelMdp extends Disposable {
  readonly states: number;
  readonly rows: number;
  readonly transitions: number;
  /** States reachable from `seeds` by some choices, `seeds` included. */
  reachableFrom(seeds: BitSet): BitSet;
  /** States where Pmax(remain U target) = 0: all schedulers avoid it. */
  prob0A(remain: BitSet, target: BitSet): BitSet;
  /** States where Pmin(remain U target) = 0: some scheduler avoids it. */
  prob0E(remain: BitSet, target: BitSet): BitSet;
  /** States where Pmin(remain U target) = 1: no scheduler can miss it. */
  prob1A(remain: BitSet, target: BitSet): BitSet;
  /**
   * States where Pmax(remain U target) = 1: some scheduler almost surely gets there. Takes time quadratic in the transitions at
   * worst, linear as a rule.
   * @see de Alfaro (1997), Formal verification of probabilistic systems, Stanford
   */
  prob1E(remain: BitSet, target: BitSet): BitSet;
  /** Strongly connected components of the graph of all choices. */
  components(): Components;
  /**
   * Maximal end components among the states of `subset`. Default: all states. Takes time quadratic in the transitions at worst,
   * linear as a rule.
   * @see de Alfaro (1997), Formal verification of probabilistic systems, Stanford
   */
  endComponents(subset?: BitSet): EndComponents;
  /**
   * Pmin or Pmax(remain U target) for every state, on the quotient of maximal end components.
   *
   * @param remain states that a path may pass before `target`.
   * @param options.precision half the width of bounds allowed, absolute or, with `relative`, relative to the lower one.
   * @param options.method `auto`: interval iteration, then policy iteration, in time cubic in a component at worst, where one of at most 1,000
   *   states converges slowly; `interval-iteration` without policies; or `value-iteration`, whose results promise nothing.
   * @returns `lower <= value <= upper` and a scheduler whose own values lie there too; `accuracy` is `exact` where the graph
   *   decides everything.
   * @throws NotConvergedError with true bounds, if they do not come as close as `precision` asks.
   * @throws InvalidArgumentError for method `elimination`, and as all calls.
   * @see Haddad, Monmege (2018), doi:10.1016/j.tcs.2016.12.003
   */
  until(direction: Direction, remain: BitSet, target: BitSet, options?: SolveOptions): OptimalSolution;
  /**
   * Pmin or Pmax(remain U[from,steps] target) for every state; choices may depend on the steps left. Takes time linear in the
   * transitions for each step, here and below, fewer where steps no longer move any bound.
   *
   * @param steps a whole number, at least 0.
   * @returns bounds as wide as rounding makes them, here and below; with `everyStep`, those of all numbers of steps.
   */
  boundedUntil(
    direction: Direction,
    remain: BitSet,
    target: BitSet,
    steps: number,
    options?: WindowOptions,
  ): Solution;
  /** Pmin or Pmax(X target) for every state. */
  next(direction: Direction, target: BitSet): Solution;
  /**
   * Takes values `steps` steps back: in each, the states in `active` (default: all) take the best mean over the successors of
   * their rows, the others the value that they have in `others` (default: in `values`). Values lie between 0 and 2^500.
   */
  stepBack(
    direction: Direction,
    values: Pick<Solution, 'lower' | 'upper'>,
    steps: number,
    options?: BackOptions,
  ): Solution;
  /** Least or greatest expected reward of the first `steps` steps for every state. */
  cumulativeReward(direction: Direction, rewards: MdpRewards, steps: number, options?: StepOptions): Solution;
  /** Least or greatest expected reward of the state after `steps` steps, for every state to start from. */
  instantaneousReward(
    direction: Direction,
    states: Float64Array,
    steps: number,
    options?: StepOptions,
  ): Solution;
  /**
   * Expected reward earned before `target` is reached, least or greatest over all schedulers, for every state. Nothing is
   * earned in `target`. Infinite if the target may be missed: where Pmin(F target) < 1 for the greatest, where Pmax(F
   * target) < 1 for the least.
   *
   * @param rewards each 0, or between 2^-500 and 2^500; what is left out earns nothing.
   * @param options as for `until`; `precision` p means `upper - lower <= 2 * p * max(1, value)`.
   * @returns bounds and a scheduler, as `until`.
   * @throws NotConvergedError with true bounds, upper ones possibly Infinity, if they do not come as close as `precision` asks.
   * @throws InvalidArgumentError for rewards of the wrong length, negative, NaN or out of range, naming the entry.
   * @see Hartmanns, Kaminski (2020), doi:10.1007/978-3-030-53291-8_26
   */
  reachabilityReward(
    direction: Direction,
    rewards: MdpRewards,
    target: BitSet,
    options?: SolveOptions,
  ): OptimalSolution;
  /**
   * Expected reward for ever, least or greatest over all schedulers, for every state. Infinite if something may be earned again and
   * again: the greatest where an end component with a row that earns can be reached, the least where none without such rows is
   * reached almost surely.
   *
   * @returns bounds as `reachabilityReward`, and a scheduler whose own values lie there too.
   * @throws NotConvergedError and InvalidArgumentError as `reachabilityReward`.
   */
  totalReward(direction: Direction, rewards: MdpRewards, options?: SolveOptions): OptimalSolution;
  /** Gives its memory back; once. */
  free(): void;
}
