import type { Constraints } from '../../observations/abstraction/runtime/index.js';
import type { ClockParts } from './clockParts.js';
import type { DriftTest } from './driftTest.js';
import type { Judge } from './judge.js';
import type { ModelParts } from './model/modelParts.js';
import type { Shield } from './shield.js';

/** The parts that only some guard files need: other guards work without them. */
export interface GuardParts {
  /** Required if the file has constraints. */
  readonly constraints?: Constraints | undefined;
  /** Required if the file has a model. */
  readonly model?: ModelParts | undefined;
  /** Required if the file has `actions`. */
  readonly Shield?: typeof Shield | undefined;
  /** Required if the file has `drift`. */
  readonly DriftTest?: typeof DriftTest | undefined;
  /** Given exactly if the file has a sampling period. */
  readonly clock?: ClockParts | undefined;
  /** Required if the file has policies. */
  readonly policies?: Judge | undefined;
}
