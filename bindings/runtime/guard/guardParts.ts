import type { DriftWatch } from './drift.js';
import type { Shielding } from './shielding.js';

/** What only some guard files need: the others are served without it. */
export interface GuardParts {
  /** Needed where the file has `actions`. */
  readonly Shielding?: typeof Shielding;
  /** Needed where the file has `drift`. */
  readonly DriftWatch?: typeof DriftWatch;
}
