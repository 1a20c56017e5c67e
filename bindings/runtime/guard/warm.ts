import { InvalidArgumentError } from '../../base/errors.js';
import type { EvaluationContext } from '../../languages/expression/runtime/index.js';
import type { Step } from '../../observations/trace/index.js';
import type { Guard } from './guard.js';
import { createGuardStep } from './guardStep.js';

/** Options of `Guard.warm`. */
export interface WarmOptions {
  /** Number of steps to run, from 1 up. Default 20,000: V8 has compiled a step's code after about 5,000. */
  readonly steps?: number;
}

const DEFAULT_STEPS = 20_000;

/**
 * Runs steps on a guard that is discarded afterwards, so that the engine compiles the code that all guards share.
 *
 * @param followStates runs steps over the states of the file; a guard of rules alone has none
 * @throws InvalidArgumentError as `Guard.warm` says
 */
export function warmUp(
  twin: Guard,
  observations: readonly Step[],
  steps: number = DEFAULT_STEPS,
  followStates: ((steps: number) => void) | null = null,
): void {
  if (!(Number.isSafeInteger(steps) && steps > 0))
    throw new InvalidArgumentError(`warm: steps must be a whole number from 1 up, got ${String(steps)}`);
  requireSteps(observations);
  if (observations.length > 0) observe(twin, observations, steps);
  else followStates?.(steps);
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
