import type { BitSet, Solution, SolveOptions } from '../../kernel/index.js';
import type { Rewards } from '../../model/index.js';
import type { WindowedUntil } from '../pathEvent.js';

/**
 * Who minimises and who maximises: no player in a chain; the scheduler in a decision process; nature in an interval chain; in
 * an interval decision process the scheduler, then nature.
 */
export type Directions = readonly ('min' | 'max')[];

/**
 * The quantities of a model, for all its states at once, with certified bounds; one implementation per type of model. Sets are
 * over the states; directions are in the form of `normaliseDirections`. Infinite values have two infinite bounds. Free it once,
 * with `using` or `free()`.
 *
 * Methods throw NotConvergedError if the bounds do not meet `precision`. Reward methods throw InvalidModelError for structures
 * of another size and for rewards that are negative or NaN, naming structure and state. Unsupported quantities of interval
 * models throw NotSupportedError: the long run, rewards of branches, and total rewards if lower bounds are 0 or a scheduler
 * maximises.
 */
export interface Quantities extends Disposable {
  readonly states: number;

  /** P(remain U target). */
  until(directions: Directions, remain: BitSet, target: BitSet, options: SolveOptions): Solution;
  /** P(remain U[from,to] target). */
  boundedUntil(directions: Directions, event: WindowedUntil, options: SolveOptions): Solution;
  /** P(X target). */
  next(directions: Directions, target: BitSet): Solution;

  /** Expected reward until `target`; infinite if it may be missed. */
  reachabilityReward(
    directions: Directions,
    rewards: Rewards,
    target: BitSet,
    options: SolveOptions,
  ): Solution;
  /** Expected reward of the first `steps` steps. */
  cumulativeReward(directions: Directions, rewards: Rewards, steps: number, options: SolveOptions): Solution;
  /** Expected reward of the whole path; may be infinite. */
  totalReward(directions: Directions, rewards: Rewards, options: SolveOptions): Solution;
  /** Expected state reward after `steps` steps. */
  instantaneousReward(
    directions: Directions,
    rewards: Rewards,
    steps: number,
    options: SolveOptions,
  ): Solution;
  /** Mean reward per step in the long run. */
  longRunReward(directions: Directions, rewards: Rewards, options: SolveOptions): Solution;
  /** Fraction of time spent in `target` in the long run. */
  longRunProbability(directions: Directions, target: BitSet, options: SolveOptions): Solution;

  /** States where P(remain U target) is 0, decided on the graph. */
  prob0(directions: Directions, remain: BitSet, target: BitSet): BitSet;
  /** States where P(remain U target) is 1, decided on the graph. */
  prob1(directions: Directions, remain: BitSet, target: BitSet): BitSet;

  /** CTL, on the graph of all transitions of all choices. */
  existsNext(target: BitSet): BitSet;
  /** States from which some path stays in `remain` until it reaches `target`. */
  existsUntil(remain: BitSet, target: BitSet): BitSet;
  /** States from which some path stays in `remain` for ever. */
  existsGlobally(remain: BitSet): BitSet;

  /** Frees it; call it once. Other methods cannot be called afterwards. */
  free(): void;
}
