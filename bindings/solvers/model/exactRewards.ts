import type { Rational } from '../../base/rational.js';

/**
 * The fractions behind a reward structure, its arrays parallel to those of `Rewards`; undefined for an array whose values are
 * not fractions.
 */
export interface ExactRewards {
  readonly states?: readonly (Rational | undefined)[];
  readonly choices?: readonly (Rational | undefined)[];
}
