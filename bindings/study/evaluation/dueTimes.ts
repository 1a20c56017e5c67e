import { SamplingGrid } from '../../observations/trace/index.js';
import type { GuardFile } from '../../runtime/guard/index.js';

/** The due times, in seconds, of the steps of a trace that a guard samples. */
export class DueTimes {
  readonly #grid: SamplingGrid | null;
  readonly #seconds: number;
  readonly #clock = new Float64Array(1);

  constructor({ samplingPeriodSeconds, periodTolerance, resample = 'error' }: GuardFile) {
    this.#seconds = samplingPeriodSeconds ?? Number.NaN;
    this.#grid =
      samplingPeriodSeconds === null || resample === 'error'
        ? null
        : new SamplingGrid({ seconds: samplingPeriodSeconds, tolerance: periodTolerance });
  }

  /** Takes the time of the next step. */
  take(time: number | undefined): void {
    if (time === undefined || !Number.isFinite(time)) this.#grid?.takeUntimed();
    else {
      this.#clock[0] = time;
      this.#grid?.take(this.#clock);
    }
  }

  /** The due time of the step that many steps before the last one taken; NaN if steps are not sampled, or none had a time yet. */
  before(steps: number): number {
    return this.#grid === null ? Number.NaN : this.#grid.time - steps * this.#seconds;
  }
}
