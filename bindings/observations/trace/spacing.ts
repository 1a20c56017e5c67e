import type { SamplingPeriod } from './samplingPeriod.js';
import type { Step } from './trace.js';

/** Statistics of the gaps between steps that have a time. */
export interface SpacingSummary {
  /** Number of gaps; steps without a time divide the gap between two steps that have one evenly. */
  readonly gaps: number;
  readonly leastSeconds: number;
  /** Median of the first million gaps. */
  readonly medianSeconds: number;
  readonly greatestSeconds: number;
  /** Number of gaps that differ from the sampling period by no more than its tolerance. */
  readonly withinTolerance: number;
}

/** Fraction of a period by which the mean or median gap may differ without being reported; windows in seconds are off by the same fraction. */
export const MAX_OFFSET = 0.01;

/** Number of gaps kept for the median. */
const MAX_KEPT_GAPS = 1_000_000;

/** Collects gaps between steps, so that a person can see whether the sampling period fits. */
export class Spacing {
  readonly #period: SamplingPeriod;
  readonly #kept: number[] = [];
  #gaps = 0;
  #least = Number.POSITIVE_INFINITY;
  #greatest = Number.NEGATIVE_INFINITY;
  #within = 0;

  constructor(period: SamplingPeriod) {
    this.#period = period;
  }

  /** Adds the steps of one trace. */
  add(steps: readonly Step[]): this {
    let before = -1;
    for (const [i, { time }] of steps.entries()) {
      if (time === undefined) continue;
      if (before >= 0) this.#take((time - (steps[before].time ?? Number.NaN)) / (i - before));
      before = i;
    }
    return this;
  }

  /** Null if no trace has two steps with a time. */
  get summary(): SpacingSummary | null {
    if (this.#gaps === 0) return null;
    const sorted = Float64Array.from(this.#kept).sort();
    const half = sorted.length >> 1;
    const median = sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    return {
      gaps: this.#gaps,
      leastSeconds: rounded(this.#least),
      medianSeconds: rounded(median),
      greatestSeconds: rounded(this.#greatest),
      withinTolerance: this.#within,
    };
  }

  #take(gap: number): void {
    const { seconds, tolerance } = this.#period;
    this.#gaps++;
    this.#least = Math.min(this.#least, gap);
    this.#greatest = Math.max(this.#greatest, gap);
    // Clocks are decimals: rounding to binary must not count as irregular.
    if (Math.abs(gap - seconds) <= seconds * tolerance * (1 + 1e-9) + 1e-12) this.#within++;
    if (this.#kept.length < MAX_KEPT_GAPS) this.#kept.push(gap);
  }
}

/** The summary in words, for the end of a sentence. */
export function describeSpacing(
  { gaps, leastSeconds, medianSeconds, greatestSeconds, withinTolerance }: SpacingSummary,
  { seconds, tolerance }: SamplingPeriod,
): string {
  const [least, median, greatest] = [leastSeconds, medianSeconds, greatestSeconds].map(shortSeconds);
  const apart =
    least === greatest
      ? `all steps are ${least} s apart`
      : `steps are ${least} to ${greatest} s apart, ${median} s in the median`;
  const gapsInAll = gaps === 1 ? '1 gap' : `${gaps} gaps`;
  return `${apart}, and ${share(withinTolerance, gaps)} of ${gapsInAll} within ${100 * tolerance}% of the sampling period of ${seconds} s`;
}

/** That the period does not look like that of the steps, and what unit they may have instead of seconds. */
export function describeWrongPeriod({ medianSeconds }: SpacingSummary, { seconds }: SamplingPeriod): string {
  const unit = SMALLER_UNITS.find(([perSecond]) => Math.abs(medianSeconds / seconds / perSecond - 1) <= 0.1);
  const hint = unit === undefined ? '' : ` (are their times in ${unit[1]}? They are read as seconds)`;
  return `samplingPeriod does not look like theirs${hint}`;
}

const SMALLER_UNITS = [
  [1e3, 'milliseconds'],
  [1e6, 'microseconds'],
  [1e9, 'nanoseconds'],
] as const;

/** Whether the period is wrong rather than the recording: the majority of gaps decides. */
export function periodIsWrong({ gaps, withinTolerance }: SpacingSummary): boolean {
  return 2 * withinTolerance < gaps;
}

/**
 * Whether gaps scatter around the sampling period, some shorter and some longer, and no step is missing: a greater tolerance then hides
 * nothing. If gaps are off to one side, it would hide that, and windows in seconds would be off by as much.
 */
export function isJitter(
  { leastSeconds, medianSeconds, greatestSeconds }: SpacingSummary,
  { seconds }: SamplingPeriod,
): boolean {
  return (
    Math.abs(medianSeconds - seconds) <= MAX_OFFSET * seconds &&
    leastSeconds > 0.5 * seconds &&
    greatestSeconds < 1.5 * seconds
  );
}

/** A share in percent that is rounded to 0 or 100 only if it is exact. */
function share(part: number, all: number): string {
  const percent = Math.round((100 * part) / all);
  if (percent === 0 && part > 0) return 'less than 1%';
  if (percent === 100 && part < all) return 'more than 99%';
  return `${percent}%`;
}

/** Seconds for people: six digits, and microseconds at most, for a clock that counts from 1970 has no more behind the point. */
export function shortSeconds(seconds: number): number {
  const exact = Math.abs(seconds) < 1e-3 ? seconds : Number(seconds.toFixed(6));
  return Number(exact.toPrecision(6));
}

/** Twelve digits remove the rounding errors of time differences, such as 0.30000000000000004. */
function rounded(seconds: number): number {
  return Number(seconds.toPrecision(12));
}
