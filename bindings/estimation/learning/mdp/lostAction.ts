import type { ActionAbstraction } from '../../../observations/abstraction/index.js';
import { type SamplingPeriod, sampledSteps, type Trace } from '../../../observations/trace/index.js';

/** An action that resampling leaves out with its step, although it is another one than that of the step kept before it. */
export interface LostAction {
  /** The number of its step, and of the step kept before it. */
  readonly step: number;
  readonly kept: number;
  /** The abstractions of both actions; null for none. */
  readonly name: string | null;
  readonly keptName: string | null;
}

/**
 * The first action that `resample: hold` or `skip` would lose: what it does would count as an outcome of the action before it. A step without an action, or
 * with the same one, loses nothing.
 *
 * @returns null if there is none
 * @throws EvaluationError if a predicate over an action's arguments fails
 */
export function lostAction(
  trace: Trace,
  period: SamplingPeriod | null,
  named: ActionAbstraction,
): LostAction | null {
  const { leftOutSteps = [] } = sampledSteps(trace, period);
  const leftOut = new Set(leftOutSteps);
  for (const step of leftOutSteps) {
    const name = named.nameOf(trace.steps[step].action);
    if (name === null) continue;
    // The first step is never left out.
    let kept = step - 1;
    while (leftOut.has(kept)) kept--;
    const keptName = named.nameOf(trace.steps[kept].action);
    if (name !== keptName) return { step, kept, name, keptName };
  }
  return null;
}

/** The error for learning, without the trace. */
export function describeLostAction(
  { step, kept, name, keptName }: LostAction,
  { resample }: SamplingPeriod,
): string {
  const before = keptName === null ? `of doing nothing in step ${kept}` : `of "${keptName}" in step ${kept}`;
  return `step ${step}: the action "${name}" is in a step that comes before its time or out of order, which resample: ${resample} leaves out, so that what it did would count as an outcome ${before}; set samplingPeriod to the time between actions as recorded, leave samplingPeriod out (each step then counts), or record an action only in the steps that are a period apart`;
}
