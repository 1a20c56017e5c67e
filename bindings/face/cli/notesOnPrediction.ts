import type { TraceNote } from '../../observations/trace/index.js';
import { predictionNotes, type Specification } from '../../rules/specification/index.js';

/** Notes on rules of which no risk is predicted, or not that of what they say. */
export function notesOnPrediction(specification: Specification): TraceNote[] {
  return predictionNotes(specification).map(({ message }) => ({ source: specification.source, message }));
}
