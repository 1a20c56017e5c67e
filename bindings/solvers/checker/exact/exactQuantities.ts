import type { Rational } from '../../../base/rational.js';
import type { BitSet } from '../../kernel/index.js';
import type { ExactRewards, Model, Rewards } from '../../model/index.js';
import type { WindowedUntil } from '../pathEvent.js';
import type { Directions } from '../quantities/quantities.js';

/** A fraction, or infinite, as expected rewards may be. */
export type ExactValue = Rational | 'infinite';

/** A model with the fractions behind its doubles, which exploration keeps with `exact`. */
export interface ExactSubject {
  readonly model: Model;
  /** One entry per transition. If absent or undefined, the exact value of the double counts. */
  readonly exactValues?: readonly (Rational | undefined)[];
  /** Parallel to `model.rewards`. */
  readonly exactRewards?: readonly ExactRewards[];
}

/** Limits of a computation in fractions, and its progress reports. */
export interface ExactOptions {
  /** The largest number of products of 64-bit digits; 4e8 take about a second. Default: no limit. */
  readonly workLimit?: number;
  /** Called between slices of work with the products done so far. */
  readonly onProgress?: (progress: { readonly work: number }) => void;
  /** Checked between slices of work; an aborted signal throws its reason. */
  readonly signal?: AbortSignal;
}

/**
 * The quantities of a chain or a decision process in rational arithmetic, for all its states at once: as `Quantities`, but
 * entry s of each result is the exact value of state s. Rewards from the model's own structures count with the fractions of
 * their source; all others with the exact values of their doubles.
 *
 * Every method throws NotSupportedError beyond `workLimit`, the reason of an aborted signal, and InvalidModelError for rewards of the
 * wrong size, negative, infinite or NaN.
 */
export interface ExactQuantities extends Disposable {
  readonly states: number;
  /**
   * `source`: every probability, and every reward of the structure given, comes from a fraction of the model's source; `doubles`:
   * some are the exact values of doubles.
   */
  exactOf(rewards?: Rewards): 'source' | 'doubles';
  /** Notes for the user on the numbers, e.g. rows that do not sum to 1. */
  readonly warnings: readonly string[];

  /** P(remain U target). */
  until(directions: Directions, remain: BitSet, target: BitSet, options?: ExactOptions): Rational[];
  /** P(remain U[from,to] target). */
  boundedUntil(directions: Directions, event: WindowedUntil, options?: ExactOptions): Rational[];
  /** P(X target). */
  next(directions: Directions, target: BitSet): Rational[];

  /** Expected reward until `target`; infinite if it may be missed. */
  reachabilityReward(
    directions: Directions,
    rewards: Rewards,
    target: BitSet,
    options?: ExactOptions,
  ): ExactValue[];
  /** Expected reward of the first `steps` steps. */
  cumulativeReward(
    directions: Directions,
    rewards: Rewards,
    steps: number,
    options?: ExactOptions,
  ): Rational[];
  /** Expected reward of the whole path; may be infinite. */
  totalReward(directions: Directions, rewards: Rewards, options?: ExactOptions): ExactValue[];
  /** Expected state reward after `steps` steps. */
  instantaneousReward(
    directions: Directions,
    rewards: Rewards,
    steps: number,
    options?: ExactOptions,
  ): Rational[];
  /** Mean reward per step in the long run. */
  longRunReward(directions: Directions, rewards: Rewards, options?: ExactOptions): Rational[];
  /** Fraction of time spent in `target` in the long run. */
  longRunProbability(directions: Directions, target: BitSet, options?: ExactOptions): Rational[];

  /** Frees it; call it once. Other methods cannot be called afterwards. */
  free(): void;
}
