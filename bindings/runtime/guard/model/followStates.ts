import type { Decider } from '../decider.js';
import type { Guard } from '../guard.js';
import type { GuardFile } from '../guardFile.js';
import { createGuardStep } from '../guardStep.js';
import type { RecordedStep } from '../recordedStep.js';

/** Number of steps over the file's own states in a run: enough to approach deadlines, few enough that broken rules do not stay broken. */
const RUN_LENGTH = 32;
const NO_FIELDS = {};

/**
 * Runs steps to warm a guard up: starts from each state of the file in turn and follows transitions of the data, taking the successors of a state in turn.
 *
 * @param decider the decider of `twin`
 */
export function followStates(twin: Guard, decider: Decider, steps: number): void {
  const { states, seen, actions } = twin.file;
  const count = states.draws.length;
  if (count === 0) return;
  const readings = Array.from({ length: count }, (_, s) => readingOf(twin.file, s));
  const turns = new Uint32Array(count);
  const result = createGuardStep();
  for (let left = steps, run = 0; left > 0; run++) {
    // The predicates run, too, on an observation without fields.
    if (run % 2 === 0) twin.stepInto(NO_FIELDS, NO_FIELDS, result);
    twin.reset();
    let s = run % count;
    for (let i = 0; i < RUN_LENGTH && left > 0; i++, left--) {
      const turn = turns[s]++;
      const action = actions === undefined ? null : actionIn(actions, s, turn);
      decider.decideAgain(action === null ? readings[s] : { ...readings[s], action }, result);
      const from = seen.rowStart[s];
      const successors = seen.rowStart[s + 1] - from;
      if (successors === 0) break;
      s = seen.columns[from + (turn % successors)];
    }
  }
}

/** An action that was taken in state `s`, each in turn; null if there is none. */
function actionIn(
  { taken, names }: NonNullable<GuardFile['actions']>,
  s: number,
  turn: number,
): string | null {
  const from = taken.rowStart[s];
  const count = taken.rowStart[s + 1] - from;
  return count === 0 ? null : (names[taken.actions[from + (turn % count)]] ?? null);
}

function readingOf({ states: { valuations, words } }: GuardFile, s: number): RecordedStep {
  return {
    call: 'step',
    valuation: valuations.slice(s * words, (s + 1) * words),
    known: null,
    predicate: null,
    irregular: false,
    held: 0,
    idle: false,
    action: null,
    pending: [],
    earlier: [],
    withheld: null,
  };
}
