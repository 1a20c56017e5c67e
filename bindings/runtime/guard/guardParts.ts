import type { DriftTest } from './driftTest.js';
import type { Shield } from './shield.js';

/** The parts that only some guard files need: other guards work without them. */
export interface GuardParts {
  /** Required if the file has `actions`. */
  readonly Shield?: typeof Shield;
  /** Required if the file has `drift`. */
  readonly DriftTest?: typeof DriftTest;
}
