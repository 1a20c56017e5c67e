import type { Detectors } from './detectors.js';
import type { Journal } from './journal.js';
import type { Judges } from './judges.js';
import type { LetThrough } from './letThrough.js';
import type { Reflections } from './reflections.js';
import type { World } from './world.js';

/** The parts of a session that hold the state of a run. */
export interface RunParts {
  readonly judges: Judges;
  readonly reflections: Reflections;
  readonly world: World;
  readonly journal: Journal;
  readonly letThrough: LetThrough;
  readonly detectors: Detectors;
}
