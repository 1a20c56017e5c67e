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

/** LawBreaker's hour of the day, which is no step's time. */
const HOUR_OF_DAY = 'Time';

/** The same of the names in a state, where `time` itself is in the wrong place. */
function timeInState(names: readonly string[]): string | undefined {
  if (!names.includes('time')) return describeTimeLike(names.filter((name) => name !== HOUR_OF_DAY));
  return 'steps without a time have "time" in their state: if that is their time, write it beside the state, in seconds';
}

/** Names a field, of a step without a time or of its state, that may be the missing time, in words. Undefined if no name looks like a time. */
export function describeMissingTime(step: readonly string[], state: readonly string[]): string | undefined {
  return describeTimeLike(step) ?? timeInState(state);
}

/** Number of gaps from which on the mean of a trace says something of its clock. */
const FEWEST_GAPS = 100;

/** Compares the clock of recordings with the sampling period as traces are read. */
export class RecordedClock {
  readonly #period: SamplingPeriod | null;
  readonly #gaps: RegularGaps | null;
  /** Sums after the last trace, and of the traces by themselves that are off: how many, the shortest mean and the longest. */
  #before: GapSum = { gaps: 0, seconds: 0 };
  #traces = 0;
  #off = 0;
  #least = Number.POSITIVE_INFINITY;
  #greatest = 0;
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
      this.#timeLike ??= describeMissingTime(Object.keys(steps[0]), Object.keys(state));
    gaps.begin();
    for (const { time } of steps) gaps.take(time);
    this.#addTrace(gaps.sum);
  }

  /** Whether windows are off is a matter of each trace: of a fast clock and a slow one the mean may be right. Short traces say little of their clocks. */
  #addTrace(sum: GapSum): void {
    const count = sum.gaps - this.#before.gaps;
    const mean = (sum.seconds - this.#before.seconds) / count;
    this.#before = sum;
    if (count < FEWEST_GAPS) return;
    this.#traces++;
    if (describeOffset({ gaps: 1, seconds: mean }, this.#period) === undefined) return;
    this.#off++;
    this.#least = Math.min(this.#least, mean);
    this.#greatest = Math.max(this.#greatest, mean);
  }

  /** Says by how much windows in seconds are off, where traces are off by themselves and not alike. */
  #describeTraces(): string | undefined {
    const period = this.#period;
    if (period === null || this.#off === 0) return undefined;
    const isMixed =
      this.#off < this.#traces || this.#least < period.seconds !== this.#greatest < period.seconds;
    if (!isMixed) return undefined;
    const [least, greatest] = [this.#least, this.#greatest].map((mean) => rounded(mean, 4));
    const apart = least === greatest ? `${least}` : `from ${least} to ${greatest}`;
    return `in ${this.#off} of ${this.#traces} traces of ${FEWEST_GAPS} gaps or more the steps are ${apart} s apart in the mean, the period is ${rounded(period.seconds, 4)} s: windows in seconds are off by as much there; correct samplingPeriod, or use resample: hold`;
  }

  /** Findings about the traces so far, a sentence each. */
  describe(): string[] {
    const offset = this.#describeTraces() ?? describeOffset(this.#gaps?.sum, this.#period);
    return [this.#timeLike, offset].filter((one) => one !== undefined);
  }
}

function rounded(value: number, digits: number): number {
  return Number(value.toPrecision(digits));
}
