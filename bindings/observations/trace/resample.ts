import { InvalidDataError } from '../../base/errors.js';
import { sampledSteps } from './heldSteps.js';
import { GapCheck, MAX_MISSING_STEPS, SamplingGrid, type SamplingPeriod } from './samplingPeriod.js';
import {
  describeSpacing,
  describeWrongPeriod,
  isJitter,
  periodIsWrong,
  Spacing,
  shortSeconds,
} from './spacing.js';
import type { Step, Trace } from './trace.js';

/** Steps a sampling period apart, and counts of the changes made. */
export interface Resampled {
  readonly steps: readonly Step[];
  /** For each step, the index from 0 of the recorded step that it is or repeats; null if every step is at its own index. */
  readonly numbers: readonly number[] | null;
  /** Number of missing steps; under `hold` they have been filled in. */
  readonly missing: number;
  /** Number of steps left out because they came too early or out of order. */
  readonly leftOut: number;
}

/**
 * Resamples steps by the policy `period.resample` (see `ResamplePolicy`). A step without a time counts as on time, so it hides no gap around it.
 *
 * @returns the same array if no step is missing or left out. A held step has the state and the action of the step before it, and the time at which it was due.
 * @throws InvalidDataError, naming the step: under `error`, if two steps are not a sampling period apart; otherwise, if time jumps forwards
 * by more than 100 missing steps, or as far back, or has not advanced for as many steps.
 */
export function resample(steps: readonly Step[], period: SamplingPeriod): Resampled {
  const { resample: policy = 'error', seconds } = period;
  if (policy === 'error') {
    checkGaps(steps, period);
    return { steps, numbers: null, missing: 0, leftOut: 0 };
  }
  const grid = new SamplingGrid(period);
  const clock = new Float64Array(1);
  const resampled: Step[] = [];
  const numbers: number[] = [];
  let missing = 0;
  let leftOut = 0;
  for (const [i, step] of steps.entries()) {
    if (step.time === undefined) {
      grid.takeUntimed();
      resampled.push(step);
      numbers.push(i);
      continue;
    }
    const before = grid.time;
    clock[0] = step.time;
    const moved = grid.take(clock);
    if (Number.isNaN(moved)) {
      const late = step.time - before;
      const from = late < 0 ? `${shortSeconds(-late)} s earlier than` : `${shortSeconds(late)} s after`;
      throw new InvalidDataError(
        Math.abs(late) > MAX_MISSING_STEPS * seconds
          ? `step ${i}: ${from} the step before it was due, where the sampling period is ${seconds} s and at most ${MAX_MISSING_STEPS} steps may be missing; cut the trace in two`
          : `step ${i}: none of ${MAX_MISSING_STEPS + 1} steps is later than those before; the clock stands still, was set back, or is too coarse: correct the times, or leave them out`,
      );
    }
    if (moved <= 0) {
      leftOut++;
      continue;
    }
    missing += moved - 1;
    if (policy === 'hold') {
      for (let held = 1; held < moved; held++) {
        resampled.push({ ...resampled[resampled.length - 1], time: before + held * seconds });
        numbers.push(numbers[numbers.length - 1]);
      }
    }
    resampled.push(step);
    numbers.push(i);
  }
  return missing + leftOut === 0
    ? { steps, numbers: null, missing, leftOut }
    : { steps: resampled, numbers, missing, leftOut };
}

/** The steps of a trace that are missing and that `hold` fills in, each at its due time; none if the trace cannot be resampled. */
export function heldSteps({ steps }: Trace, period: SamplingPeriod | null): readonly Step[] {
  if (period?.resample !== 'hold' || refusalOfHold(steps, period) !== null) return [];
  const { steps: resampled, numbers } = resample(steps, period);
  return numbers === null ? [] : resampled.filter((_, i) => i > 0 && numbers[i] === numbers[i - 1]);
}

function checkGaps(steps: readonly Step[], period: SamplingPeriod): void {
  const gaps = new GapCheck(period);
  for (const [i, { time }] of steps.entries()) {
    if (time === undefined) gaps.takeUntimed();
    else if (!gaps.isRegular(Float64Array.of(time))) {
      throw new InvalidDataError(
        `${describeGap(steps, i, period)} and may differ by ${100 * period.tolerance}%; ${adviceOnGaps(steps, period)}`,
      );
    }
  }
}

/** Describes the actual spacing of the steps, what to correct, and what resampling would cost. */
function adviceOnGaps(steps: readonly Step[], period: SamplingPeriod): string {
  const summary = new Spacing(period).add(steps).summary;
  if (summary === null) return 'correct samplingPeriod, or set resample to hold or skip';
  const or = isJitter(summary, period) ? ' or periodTolerance' : '';
  const refused = refusalOfHold(steps, period);
  if (refused !== null) {
    const wrong = periodIsWrong(summary)
      ? `${describeWrongPeriod(summary, period)}: correct it`
      : 'correct samplingPeriod';
    return `${describeSpacing(summary, period)}; ${wrong}${or}; resample: hold or skip would not do: ${refused}`;
  }
  const { steps: all, held } = sampledSteps({ id: '', steps }, { ...period, resample: 'hold' });
  const price = `hold would make ${held} of ${all} steps by repeating the one before`;
  const advice = periodIsWrong(summary)
    ? `${describeWrongPeriod(summary, period)}: correct it${or}; or set resample to hold or skip (${price})`
    : `set resample to hold or skip (${price}), or correct samplingPeriod${or}`;
  return `${describeSpacing(summary, period)}; ${advice}`;
}

/** Why steps cannot be resampled; null if they can. */
export function refusalOfHold(steps: readonly Step[], period: SamplingPeriod): string | null {
  try {
    resample(steps, { ...period, resample: 'skip' });
    return null;
  } catch (error) {
    if (error instanceof InvalidDataError) return error.message;
    throw error;
  }
}

/** Describes the gap between step `i` and the last step before it that has a time. Step `i` must have a time, and so must some step before it. */
export function describeGap(steps: readonly Step[], i: number, { seconds }: SamplingPeriod): string {
  let before = i - 1;
  while (steps[before].time === undefined) before--;
  const gap = (steps[i].time ?? Number.NaN) - (steps[before].time ?? Number.NaN);
  const from = gap < 0 ? `${shortSeconds(-gap)} s earlier than` : `${shortSeconds(gap)} s after`;
  const untimed = i - before - 1;
  const after =
    untimed === 0
      ? 'the step before it'
      : `step ${before}, with ${untimed} ${untimed === 1 ? 'step' : 'steps'} without time between`;
  return `step ${i}: ${from} ${after}, where the sampling period is ${seconds} s`;
}
