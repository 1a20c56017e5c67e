import { InvalidDataError } from '../../base/errors.js';
import { sampledSteps } from './heldSteps.js';
import { GapCheck, MAX_MISSING_STEPS, SamplingGrid, type SamplingPeriod } from './samplingPeriod.js';
import { describeSpacing, isJitter, periodIsWrong, Spacing } from './spacing.js';
import type { Step } from './trace.js';

/** Steps a sampling period apart, and what it took. */
export interface Resampled {
  readonly steps: readonly Step[];
  /** Of each of them the number of the recorded step that it is, or that is held there, from 0; null where these are its own position. */
  readonly numbers: readonly number[] | null;
  /** Steps that were missing: under `hold` they are there now. */
  readonly missing: number;
  /** Steps left out, because they came before their time or out of order. */
  readonly leftOut: number;
}

/**
 * Steps as `period.resample` has them (see `ResamplePolicy`). A step without time counts as one that came when it was due, so that it
 * hides no gap around it.
 *
 * @returns the same array where nothing is missing or left out. A step that is held has the state and the action of the one before
 * it, and the time when it was due.
 * @throws InvalidDataError, naming the step, where two steps are not the sampling period apart under `error`; otherwise where time jumps by
 * more than 100 missing steps, or as far back, or has not advanced for as many steps.
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
      throw new InvalidDataError(
        Math.abs(late) > MAX_MISSING_STEPS * seconds
          ? `step ${i}: ${late} s after the step before it was due, where the sampling period is ${seconds} s and at most ${MAX_MISSING_STEPS} steps may be missing; cut the trace in two`
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

/** How the steps are really spaced, what to mend, and what resampling would cost. */
function adviceOnGaps(steps: readonly Step[], period: SamplingPeriod): string {
  const summary = new Spacing(period).add(steps).summary;
  if (summary === null) return 'correct samplingPeriod, or set resample to hold or skip';
  const { steps: all, held } = sampledSteps({ id: '', steps }, { ...period, resample: 'hold' });
  const price = `hold would make ${held} of ${all} steps by repeating the one before`;
  const or = isJitter(summary, period) ? ' or periodTolerance' : '';
  const advice = periodIsWrong(summary)
    ? `samplingPeriod does not look like theirs: correct it${or}; or set resample to hold or skip (${price})`
    : `set resample to hold or skip (${price}), or correct samplingPeriod${or}`;
  return `${describeSpacing(summary, period)}; ${advice}`;
}

/** How far step `i` is from the last step before it that has a time, in words. Both have one. */
export function describeGap(steps: readonly Step[], i: number, { seconds }: SamplingPeriod): string {
  let before = i - 1;
  while (steps[before].time === undefined) before--;
  const gap = Number(((steps[i].time ?? Number.NaN) - (steps[before].time ?? Number.NaN)).toPrecision(12));
  const untimed = i - before - 1;
  const after =
    untimed === 0
      ? 'the step before it'
      : `step ${before}, with ${untimed} ${untimed === 1 ? 'step' : 'steps'} without time between`;
  return `step ${i}: ${gap} s after ${after}, where the sampling period is ${seconds} s`;
}
