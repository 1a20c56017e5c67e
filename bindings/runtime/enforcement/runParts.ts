import type { Journal } from './journal.js';
import type { Reactions } from './reactions.js';
import type { RunState } from './runState.js';

/** The parts of a session that hold the state of a run. */
export interface RunParts {
  readonly position: RunState;
  readonly reactions: Reactions;
  readonly journal: Journal;
}
