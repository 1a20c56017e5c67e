import type { DriftTest } from './driftTest.js';
import type { Shield } from './shield.js';

/** What only some guard files need: the others are served without it. */
export interface GuardParts {
  /** Needed where the file has `actions`. */
  readonly Shield?: typeof Shield;
  /** Needed where the file has `drift`. */
  readonly DriftTest?: typeof DriftTest;
}
