import type { TraceNote } from '../../observations/trace/index.js';
import { predictionNotes, type Specification } from '../../rules/specification/index.js';

/** Notes on rules of which no risk is predicted, or not that of what they say. */
export function notesOnPrediction(specification: Specification): TraceNote[] {
  return predictionNotes(specification).map(({ message }) => ({ source: specification.source, message }));
}

/** Whether a specification has anything that only a model gives a meaning: else its rules are enforced alone, and nothing is predicted. */
export function expectsModel({ rules, learning }: Specification): boolean {
  return (
    learning.model === 'mdp' ||
    rules.some(
      ({ exact, formula, horizonSteps, levels }) =>
        exact ||
        formula.kind === 'probability' ||
        horizonSteps !== null ||
        levels.some(({ threshold }) => threshold.value !== 1 || threshold.compare !== 'risk>='),
    )
  );
}
