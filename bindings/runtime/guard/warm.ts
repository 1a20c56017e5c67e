import { InvalidArgumentError } from '../../base/errors.js';
import type { EvaluationContext } from '../../languages/expression/runtime/index.js';
import type { Step } from '../../observations/trace/index.js';
import type { Decider } from './decider.js';
import type { Guard } from './guard.js';
import type { GuardFile } from './guardFile.js';
import { createGuardStep } from './guardStep.js';
import type { RecordedStep } from './recordedStep.js';

/** Options of `Guard.warm`. */
export interface WarmOptions {
  /** Number of steps to run, from 1 up. Default 20,000: V8 has compiled a step's code after about 5,000. */
  readonly steps?: number;
}

const DEFAULT_STEPS = 20_000;
/** Number of steps over the file's own states in a run: enough to approach deadlines, few enough that broken rules do not stay broken. */
const RUN_LENGTH = 32;
const NO_FIELDS = {};

/**
 * Runs steps on a guard that is discarded afterwards, so that the engine compiles the code that all guards share.
 *
 * @param decider the decider of `twin`
 * @throws InvalidArgumentError as `Guard.warm` says
 */
export function warmUp(
  twin: Guard,
  decider: Decider,
  observations: readonly Step[],
  steps: number = DEFAULT_STEPS,
): void {
  if (!(Number.isSafeInteger(steps) && steps > 0))
    throw new InvalidArgumentError(`warm: steps must be a whole number from 1 up, got ${String(steps)}`);
  requireSteps(observations);
  if (observations.length > 0) observe(twin, observations, steps);
  else followStates(twin, decider, steps);
}

function requireSteps(observations: readonly Step[]): void {
  if (!Array.isArray(observations))
    throw new InvalidArgumentError(
      `warm: observations must be a list of steps, as of a trace: [{ state: { … }, time: 0.1 }, …], got ${typeof observations}`,
    );
  observations.forEach((step: Partial<Step> | null, i) => {
    if (typeof step?.state === 'object' && step.state !== null) return;
    throw new InvalidArgumentError(
      `warm: observations[${i}] has no state; give steps as of a trace, { state: { … }, time: 0.1 }`,
    );
  });
}

/** Runs the observations as one run, over and over. */
function observe(twin: Guard, observations: readonly Step[], steps: number): void {
  const result = createGuardStep();
  // A caller's context may be the step itself or made for the call. The engine discards code compiled for objects of one shape at the first object of another.
  const contexts = observations.map(contextOf);
  const knowsActions = twin.file.actions !== undefined;
  for (let left = steps, pass = 0; left > 0; pass++) {
    twin.reset();
    for (let i = 0; i < observations.length && left > 0; i++, left--) {
      const step = observations[i];
      const { state, action } = step;
      twin.stepInto(state, pass % 2 === 0 ? contexts[i] : step, result);
      if (knowsActions && action !== undefined && --left > 0) twin.propose(state, action);
    }
  }
}

function contextOf({ time, action }: Step): EvaluationContext {
  if (action === undefined) return time === undefined ? {} : { time };
  return time === undefined ? { action } : { time, action };
}

/** Starts from each state of the file in turn and follows transitions of the data, taking the successors of a state in turn. */
function followStates(twin: Guard, decider: Decider, steps: number): void {
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
