import { GapCheck, type SamplingPeriod } from './samplingPeriod.js';

/** Number of gaps between steps, and their total seconds. */
export interface GapSum {
  readonly gaps: number;
  readonly seconds: number;
}

/**
 * Added to a gap in seconds and subtracted again, this rounds the gap to 2^-24 s (60 ns). Sums of such numbers are exact up to 17 years, so
 * that they are the same to the last bit in whatever order traces are counted: in SQL, too, and by learners that are merged.
 */
export const GAP_ROUNDING = 3 * 2 ** 27;

/** Adds up the gaps that are a sampling period long, to within its tolerance, as `GapCheck` finds them. Steps without a time divide a gap into several. */
export class RegularGaps {
  readonly #check: GapCheck;
  readonly #clock = new Float64Array(1);
  #gaps = 0;
  #seconds = 0;
  #last = Number.NaN;
  #untimed = 0;

  constructor(period: SamplingPeriod) {
    this.#check = new GapCheck(period);
  }

  /** Begins a trace. */
  begin(): void {
    this.#check.reset();
    this.#last = Number.NaN;
    this.#untimed = 0;
  }

  /** Takes the time of the next step. */
  take(time: number | undefined): void {
    if (time === undefined) {
      this.#check.takeUntimed();
      this.#untimed++;
      return;
    }
    this.#clock[0] = time;
    const gap = time - this.#last;
    // Before the first time, the gap is NaN.
    if (this.#check.isRegular(this.#clock) && Number.isFinite(gap)) {
      this.#gaps += 1 + this.#untimed;
      this.#seconds += gap + GAP_ROUNDING - GAP_ROUNDING;
    }
    this.#last = time;
    this.#untimed = 0;
  }

  /** Adds gaps that were counted before. */
  load({ gaps, seconds }: GapSum): void {
    this.#gaps += gaps;
    this.#seconds += seconds;
  }

  get sum(): GapSum {
    return { gaps: this.#gaps, seconds: this.#seconds };
  }
}
