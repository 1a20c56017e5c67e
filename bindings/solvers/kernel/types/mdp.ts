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

/** Direction of optimisation over all schedulers: the least or the greatest value. */
export type Direction = 'min' | 'max';

/** Values under the best scheduler, and a scheduler that attains them. */
export interface OptimalSolution extends Solution {
  /**
   * Uint32Array(states): the row that a memoryless scheduler takes in each state, the state's first row if any row will do. The
   * scheduler's own values lie between `lower` and `upper`; after `value-iteration` there is no such guarantee.
   */
  readonly scheduler: Uint32Array;
}

/** Rewards of each state and each choice, earned when it is left: 0, or between 2^-500 and 2^500. */
export interface MdpRewards {
  /** Float64Array(states). Default 0 everywhere. */
  readonly states?: Float64Array;
  /** Float64Array(rows). Default 0 everywhere. */
  readonly rows?: Float64Array;
}

/** Maximal end components: the largest sets of states in which some scheduler can stay for ever and visit every state. */
export interface EndComponents {
  readonly count: number;
  /** Uint32Array(states): the end component of each state, 0xffffffff if it has none. */
  readonly componentOf: Uint32Array;
  /** The rows that stay inside their component; a set over rows. */
  readonly rows: BitSet;
}

/**
 * A Markov decision process held by a kernel. Free it once, with `free()` or `using`.
 *
 * A scheduler resolves choices; Pmin and Pmax are the least and the greatest probability over all of them. Sets and results are
 * over the states, entry s for state s. Searches take time linear in the transitions unless stated otherwise.
 *
 * Every call throws InvalidArgumentError for a set over another number of states, an invalid direction, an option out of its
 * range, and after `free()`. A call that takes a signal throws the reason of an aborted signal, and KernelError if memory does
 * not suffice.
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
   * States where Pmax(remain U target) = 1: some scheduler almost surely gets there. Takes time linear in the transitions
   * normally, quadratic in the worst case.
   * @see de Alfaro (1997), Formal verification of probabilistic systems, Stanford
   */
  prob1E(remain: BitSet, target: BitSet): BitSet;
  /** Strongly connected components of the graph of all choices. */
  components(): Components;
  /**
   * Maximal end components among the states of `subset`. Default: all states. Takes time linear in the transitions normally,
   * quadratic in the worst case.
   * @see de Alfaro (1997), Formal verification of probabilistic systems, Stanford
   */
  endComponents(subset?: BitSet): EndComponents;
  /**
   * Pmin or Pmax(remain U target) for every state, on the quotient of maximal end components.
   *
   * @param remain states that a path may pass before `target`.
   * @param options.precision half the allowed width of the bounds: absolute or, with `relative`, relative to the lower bound.
   * @param options.method `auto`: interval iteration, then policy iteration (cubic in the component in the worst case) if a
   *   component of at most 1,000 states converges slowly; `interval-iteration`: without policies; or `value-iteration`, whose
   *   results carry no guarantee.
   * @returns `lower <= value <= upper` and a scheduler whose own values lie there too; `accuracy` is `exact` if the graph
   *   decides everything.
   * @throws NotConvergedError with the bounds reached, which hold, if they do not meet `precision`.
   * @throws InvalidArgumentError for method `elimination`, and as all calls.
   * @see Haddad, Monmege (2018), doi:10.1016/j.tcs.2016.12.003
   */
  until(direction: Direction, remain: BitSet, target: BitSet, options?: SolveOptions): OptimalSolution;
  /**
   * Pmin or Pmax(remain U[from,steps] target) for every state; choices may depend on the steps left. Here and below, each step
   * takes time linear in the transitions, and steps end early once none moves a bound.
   *
   * @param steps a whole number, at least 0.
   * @returns bounds whose width comes from rounding only, here and below; with `everyStep`, those for every number of steps.
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
   * Propagates values back by `steps` steps. In each step, the states in `active` (default: all) take the best mean over the
   * successors of their rows; the others keep the value given in `others` (default: in `values`). Values lie between 0 and
   * 2^500.
   */
  stepBack(
    direction: Direction,
    values: Pick<Solution, 'lower' | 'upper'>,
    steps: number,
    options?: BackOptions,
  ): Solution;
  /** Least or greatest expected reward of the first `steps` steps for every state. */
  cumulativeReward(direction: Direction, rewards: MdpRewards, steps: number, options?: StepOptions): Solution;
  /** Least or greatest expected reward of the state after `steps` steps, for every start state. */
  instantaneousReward(
    direction: Direction,
    states: Float64Array,
    steps: number,
    options?: StepOptions,
  ): Solution;
  /**
   * Expected reward earned before `target` is reached, least or greatest over all schedulers, for every state. Nothing is
   * earned in `target`. Infinite if the target may be missed: if Pmin(F target) < 1 for the greatest, if Pmax(F target) < 1 for
   * the least.
   *
   * @param rewards each 0, or between 2^-500 and 2^500; omitted rewards are 0.
   * @param options as for `until`; `precision` p means `upper - lower <= 2 * p * max(1, value)`.
   * @returns bounds and a scheduler, as `until`.
   * @throws NotConvergedError with the bounds reached (upper ones possibly Infinity) if they do not meet `precision`.
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
   * Expected total reward over an infinite run, least or greatest over all schedulers, for every state. The greatest is
   * infinite if an end component with an earning row can be reached; the least is infinite if no scheduler almost surely
   * reaches an end component without such rows.
   *
   * @returns bounds as `reachabilityReward`, and a scheduler whose own values lie there too.
   * @throws NotConvergedError and InvalidArgumentError as `reachabilityReward`.
   */
  totalReward(direction: Direction, rewards: MdpRewards, options?: SolveOptions): OptimalSolution;
  /** Frees its memory; call it once. */
  free(): void;
}
