import { SamplingGrid, type SamplingPeriod } from './samplingPeriod.js';
import type { Trace } from './trace.js';

/** What became of steps that did not come a sampling period apart. */
export interface SampledSteps {
  /** Steps that are read in the end, those held among them. */
  readonly steps: number;
  /** Steps that nobody recorded: the one before them was read again. */
  readonly held: number;
  /** Steps that were missing. Under `hold` they are among those held, under `skip` they are not counted. */
  readonly missing: number;
  /** Steps left out, because they came before their time or out of order. */
  readonly leftOut: number;
}

/**
 * How many steps of a trace are read and how many of them are held, as `resample`, learning and guards have it. Where the clock jumps further than
 * steps may be missing, time begins anew, as in a guard.
 *
 * @param period null: steps are read as they are
 */
export function sampledSteps(trace: Trace, period: SamplingPeriod | null): SampledSteps {
  const heldByReader = trace.heldSteps ?? 0;
  const policy = period?.resample ?? 'error';
  if (period === null || policy === 'error')
    return { steps: trace.steps.length, held: heldByReader, missing: 0, leftOut: 0 };
  const grid = new SamplingGrid(period);
  const clock = new Float64Array(1);
  let [missing, leftOut] = [0, 0];
  for (const { time } of trace.steps) {
    if (time === undefined) {
      grid.takeUntimed();
      continue;
    }
    clock[0] = time;
    const moved = grid.take(clock);
    if (moved <= 0) leftOut++;
    else if (moved > 1) missing += moved - 1;
  }
  const held = policy === 'hold' ? missing : 0;
  return { steps: trace.steps.length - leftOut + held, held: held + heldByReader, missing, leftOut };
}

/** The sum of two counts. */
export function addSampled(a: SampledSteps, b: SampledSteps): SampledSteps {
  return {
    steps: a.steps + b.steps,
    held: a.held + b.held,
    missing: a.missing + b.missing,
    leftOut: a.leftOut + b.leftOut,
  };
}

/** Nothing counted yet. */
export const NO_STEPS: SampledSteps = { steps: 0, held: 0, missing: 0, leftOut: 0 };

/** What figures rest on, a sentence each: how many steps were held, not counted, and left out. Empty where all were recorded in time. */
export function describeSampled({ steps, held, missing, leftOut }: SampledSteps): string[] {
  const notCounted = Math.max(0, missing - held);
  return [
    ...(held > 0 ? [`${count(held)} of ${count(steps)} steps were held, not recorded`] : []),
    ...(notCounted > 0
      ? [
          `${count(notCounted)} missing ${notCounted === 1 ? 'step was' : 'steps were'} not counted: a step may stand for more than a sampling period`,
        ]
      : []),
    ...(leftOut > 0
      ? [
          `${count(leftOut)} ${leftOut === 1 ? 'step was' : 'steps were'} left out that came before their time`,
        ]
      : []),
  ];
}

function count(steps: number): string {
  return steps.toLocaleString('en');
}
