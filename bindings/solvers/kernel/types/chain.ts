import type { BitSet } from '../bitSet.js';
import type { BackOptions, SolveOptions, StepOptions, WindowOptions } from './options.js';
import type { Solution } from './solution.js';
import type { KernelSolver } from './solver.js';

/**
 * A square sparse matrix in compressed sparse rows: row `r` holds entries `rowStart[r]` (included) to
 * `rowStart[r + 1]` (excluded) of `columns` and `values`; columns ascend strictly within a row.
 */
export interface Csr {
  /** Uint32Array(rows + 1), starting at 0, never descending. */
  readonly rowStart: Uint32Array;
  /** Uint32Array(nnz), each below the number of rows. */
  readonly columns: Uint32Array;
  /** Float64Array(nnz). */
  readonly values: Float64Array;
}

/**
 * The rewards of a chain: `states[s]` is earned at every step that begins in s; `transitions`, a matrix of its own, at every
 * move from row to column. Moves without an entry earn nothing. Rewards are 0 or between 2^-500 and 2^500.
 */
export interface ChainRewards {
  /** Float64Array(states). */
  readonly states?: Float64Array;
  /** Rows and columns as in the chain's matrix; entries for moves that the chain does not have are ignored. */
  readonly transitions?: Csr;
}

/** Strongly connected components, numbered successors first: every edge goes to the same or a lower number. */
export interface Components {
  readonly count: number;
  /** Uint32Array(states). */
  readonly componentOf: Uint32Array;
}

/**
 * A discrete-time Markov chain held by a kernel. Free it once, with `free()` or `using`; any use afterwards throws
 * InvalidArgumentError.
 */
export interface KernelChain extends Disposable {
  readonly states: number;
  readonly transitions: number;
  /** States reachable from `seeds`, `seeds` included. */
  reachableFrom(seeds: BitSet): BitSet;
  /** States with a path to `target` through `remain` only: `target` itself, and `remain` states before it. */
  canReach(remain: BitSet, target: BitSet): BitSet;
  /** States where P(remain U target) = 0. */
  prob0(remain: BitSet, target: BitSet): BitSet;
  /** States where P(remain U target) = 1. */
  prob1(remain: BitSet, target: BitSet): BitSet;
  /** Strongly connected components of the graph of all transitions. */
  components(): Components;
  /** P(remain U target) for every state. `remain` is the set of states the path may pass before `target`. */
  until(remain: BitSet, target: BitSet, options?: SolveOptions): Solution;
  /**
   * Solves P(remain U target) and keeps model and solution in the kernel for later updates.
   *
   * @param options as for `until`. They apply to all updates, except `onProgress` and `signal`. Method `value-iteration` is
   *   refused, because its results are not bounds.
   * @throws NotConvergedError as `until`.
   */
  openSolver(remain: BitSet, target: BitSet, options?: SolveOptions): KernelSolver;
  /**
   * P(remain U[from,steps] target) for every state: some step of the window is in `target`, and all steps before it are in
   * `remain`.
   */
  boundedUntil(remain: BitSet, target: BitSet, steps: number, options?: WindowOptions): Solution;
  /** P(G<=steps remain) for every state: the probability of staying in `remain` from step 0 to `steps`. */
  boundedGlobally(remain: BitSet, steps: number, options?: StepOptions): Solution;
  /** P(X target) for every state. */
  next(target: BitSet): Solution;
  /**
   * Propagates values back by `steps` steps. In each step, the states in `active` (default: all) take the mean over their
   * successors; the others keep the value given in `others` (default: in `values`). Values lie between 0 and 2^500.
   */
  stepBack(values: Pick<Solution, 'lower' | 'upper'>, steps: number, options?: BackOptions): Solution;
  /**
   * Strongly connected components that no transition leaves, in the order of `components`; `componentOf` is NO_COMPONENT for
   * the transient states.
   */
  bottomComponents(): Components;
  /**
   * Expected reward before `target` is reached, for every state: 0 in `target`, Infinity if it is not reached almost surely.
   * Here and below, bounds are at most 2 * precision * max(1, lower) apart.
   *
   * @throws InvalidArgumentError for rewards of the wrong length, negative, NaN, or out of range; NotConvergedError with the
   * bounds reached, upper ones possibly Infinity.
   */
  reachabilityReward(rewards: ChainRewards, target: BitSet, options?: SolveOptions): Solution;
  /**
   * Expected total reward of every state: over an infinite run or, with `within`, until that set is left. Infinity if a bottom
   * component can be reached in which something is earned again and again.
   */
  totalReward(rewards: ChainRewards, options?: SolveOptions & { within?: BitSet }): Solution;
  /** Expected reward of the first `steps` steps for every state: states 0 to steps - 1 and moves 1 to `steps` earn. */
  cumulativeReward(rewards: ChainRewards, steps: number, options?: StepOptions): Solution;
  /** Expected reward of the state after `steps` steps, for every start state. */
  instantaneousReward(states: Float64Array, steps: number, options?: StepOptions): Solution;
  /** Mean reward per step in the long run, for every state. */
  longRunAverage(rewards: ChainRewards, options?: SolveOptions): Solution;
  /**
   * Mean time spent in each state in the long run, a fraction of 1, for the distribution `initial`: Float64Array(states),
   * normally with sum 1. Results are linear in it.
   */
  steadyState(initial: Float64Array, options?: SolveOptions): Solution;
  /**
   * Expected visits of each state before `within` (default: all states) is left, starting from the distribution `initial`: the
   * row initial * (I - P)^-1 of the chain cut to `within`. The start counts as a visit; 0 outside `within`; Infinity in bottom
   * components.
   */
  visitsFrom(initial: Float64Array, options?: SolveOptions & { within?: BitSet }): Solution;
  /**
   * For every start state, the weighted expected number of visits before `within` is left; a visit of t counts `weights[t]`.
   * Weights of one state give a column of (I - P)^-1; weights of 1 give its row sums.
   */
  visitsTo(weights: Float64Array, options?: SolveOptions & { within?: BitSet }): Solution;
  /** Frees its memory; call it once. */
  free(): void;
}
