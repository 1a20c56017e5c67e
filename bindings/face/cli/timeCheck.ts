import {
  describeGap,
  describeSpacing,
  describeWrongPeriod,
  GapCheck,
  MAX_MISSING_STEPS,
  periodIsWrong,
  refusalOfHold,
  type SamplingPeriod,
  Spacing,
  type SpacingSummary,
  type Trace,
} from '../../observations/trace/index.js';
import type { Specification } from '../../rules/specification/index.js';
import { plural } from './terminal.js';

/** The number of occurrences, and the first of them. */
interface Found {
  count: number;
  first: string | null;
}

/** Irregular times of traces. */
export class TimeCheck {
  /** Steps that do not follow the previous time by a sampling period. */
  readonly gaps: Found = { count: 0, first: null };
  /** Steps without time. */
  readonly untimed: Found = { count: 0, first: null };
  /** Steps missing in gaps that tell how many they are; gaps that do not; steps that come before their time. */
  #missing = 0;
  #unknown = 0;
  #early = 0;
  /** Traces that the specification's `resample` cannot put on a regular clock. */
  readonly #refused: Found = { count: 0, first: null };
  readonly #period: SamplingPeriod | null;
  readonly #check: GapCheck | null;
  readonly #spacing: Spacing | null;

  constructor({ learning: { period } }: Specification) {
    this.#period = period;
    this.#check = period && new GapCheck(period);
    this.#spacing = period && new Spacing(period);
  }

  /** The spacing of steps; null without a sampling period, and if no two steps have a time. */
  get spacing(): SpacingSummary | null {
    return this.#spacing?.summary ?? null;
  }

  add({ id, steps }: Trace): void {
    if (this.#period === null || this.#check === null) return;
    this.#check.reset();
    this.#spacing?.add(steps);
    const refusal =
      (this.#period.resample ?? 'error') === 'error' ? null : refusalOfHold(steps, this.#period);
    if (refusal !== null) {
      this.#refused.count++;
      this.#refused.first ??= `trace "${id}" cannot be resampled: ${refusal}`;
    }
    for (const [i, { time }] of steps.entries()) {
      if (time === undefined) {
        this.#check.takeUntimed();
        this.untimed.count++;
        this.untimed.first ??= `trace "${id}", step ${i}`;
      } else if (!this.#check.isRegular(Float64Array.of(time))) {
        this.gaps.count++;
        this.gaps.first ??= `trace "${id}", ${describeGap(steps, i, this.#period)}`;
        this.#count(this.#check);
      }
    }
  }

  /** Passes the traces on, and looks at their times. */
  async *along(traces: AsyncIterable<Trace>): AsyncGenerator<Trace> {
    for await (const trace of traces) {
      this.add(trace);
      yield trace;
    }
  }

  #count({ missing, early }: GapCheck): void {
    if (early) this.#early++;
    if (missing <= MAX_MISSING_STEPS) this.#missing += missing;
    else this.#unknown++;
  }

  /** How many gaps are irregular, the first, and how steps are spaced; empty if none is. */
  describeGaps(): string[] {
    const { count, first } = this.gaps;
    if (count === 0 || this.#period === null) return [];
    const { resample = 'error' } = this.#period;
    return [
      `${plural(count, 'irregular gap')} (resample: ${resample}), the first: ${first}${this.#describeSpacing(this.#period)}`,
    ];
  }

  /** The same for those who run a guard along the traces, which is told how many steps are missing or early; if the guard resamples, where it cannot. */
  describeUnread(): string[] {
    if ((this.#period?.resample ?? 'error') !== 'error') return this.#describeRefused();
    const [missing, unknown, early] = [this.#missing, this.#unknown, this.#early];
    const found = [
      ...(missing > 0
        ? [
            `${plural(missing, 'step')} ${missing === 1 ? 'is missing, and' : 'are missing, any of which'} may have broken a rule`,
          ]
        : []),
      ...(unknown > 0 ? [`in ${plural(unknown, 'gap')} nobody knows how many steps are missing`] : []),
      ...(early > 0
        ? [
            `${plural(early, 'step')} ${early === 1 ? 'comes before its time, and may be no step of its' : 'come before their time, and may be no steps of their'} own`,
          ]
        : []),
    ];
    return this.describeGaps().map((gaps) => [gaps, ...found].join('; '));
  }

  #describeRefused(): string[] {
    const { count, first } = this.#refused;
    if (count === 0) return [];
    const more = count === 1 ? '' : ` (nor ${plural(count - 1, 'more trace')})`;
    return [
      `${first}${more}; until then nobody knows how many steps are missing there, any of which may have broken a rule`,
    ];
  }

  /** The spacing in words, and whether the sampling period seems to be wrong. */
  #describeSpacing(period: SamplingPeriod): string {
    const { spacing } = this;
    if (spacing === null) return '';
    const words = `; ${describeSpacing(spacing, period)}`;
    return periodIsWrong(spacing) ? `${words}: ${describeWrongPeriod(spacing, period)}` : words;
  }
}
