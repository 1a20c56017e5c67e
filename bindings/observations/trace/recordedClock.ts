import { timeLikeName } from './ownFields.js';
import { type GapSum, RegularGaps } from './regularGaps.js';
import type { SamplingPeriod } from './samplingPeriod.js';
import { MAX_OFFSET } from './spacing.js';
import type { Step } from './trace.js';

/**
 * Describes, in a sentence, how far windows in seconds deviate from the recorded clock if gaps that all count as on time are on average
 * longer or shorter than the sampling period. Undefined if the deviation is at most 1%, or if `resample` compensates for it: under `hold`
 * steps follow the clock, and under `skip` steps that come too early are left out; also without gaps or a sampling period.
 */
export function describeOffset(
  onTime: GapSum | undefined,
  period: SamplingPeriod | null | undefined,
): string | undefined {
  if (!onTime || !period) return undefined;
  const { resample = 'error' } = period;
  const mean = onTime.seconds / onTime.gaps;
  const offset = mean / period.seconds - 1;
  // Without gaps the offset is NaN.
  if (!(Math.abs(offset) > MAX_OFFSET) || resample === 'hold' || (resample === 'skip' && offset < 0))
    return undefined;
  const by = `${rounded(100 * Math.abs(offset), 2)}% ${offset > 0 ? 'longer' : 'shorter'}`;
  return `the steps are ${rounded(mean, 4)} s apart in the mean, the period is ${rounded(period.seconds, 4)} s: windows in seconds are ${by} by the recorded clock; correct samplingPeriod, or use resample: hold`;
}

/** Names a field that may be the missing time of steps, in words. Undefined if no name looks like a time. */
export function describeTimeLike(names: readonly string[]): string | undefined {
  const found = timeLikeName(names);
  return found === undefined
    ? undefined
    : `steps without a time have "${found}": if that is their time, call it time, in seconds`;
}

/** Compares the clock of recordings with the sampling period as traces are read. */
export class RecordedClock {
  readonly #period: SamplingPeriod | null;
  readonly #gaps: RegularGaps | null;
  #timeLike: string | undefined;

  /** @param period null disables the comparison */
  constructor(period: SamplingPeriod | null) {
    this.#period = period;
    this.#gaps = period && new RegularGaps(period);
  }

  /** Adds the steps of one trace. */
  add(steps: readonly Step[]): void {
    const gaps = this.#gaps;
    if (gaps === null || steps.length === 0) return;
    const [{ time: first, state }] = steps;
    if (first === undefined)
      this.#timeLike ??= describeTimeLike([...Object.keys(steps[0]), ...Object.keys(state)]);
    gaps.begin();
    for (const { time } of steps) gaps.take(time);
  }

  /** Findings about the traces so far, a sentence each. */
  describe(): string[] {
    return [this.#timeLike, describeOffset(this.#gaps?.sum, this.#period)].filter((one) => one !== undefined);
  }
}

function rounded(value: number, digits: number): number {
  return Number(value.toPrecision(digits));
}
