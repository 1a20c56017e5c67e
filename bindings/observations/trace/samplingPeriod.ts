/**
 * What becomes of steps that do not come a sampling period apart:
 * - `error`: they are a fault;
 * - `hold`: a step that is missing is the one before it again, and one that comes before its time is left out;
 * - `skip`: a step that is missing is not counted, so that deadlines stretch, and one that comes before its time is left out.
 */
export type ResamplePolicy = 'error' | 'hold' | 'skip';

/** The policies there are, the default first. */
export const RESAMPLE_POLICIES = ['error', 'hold', 'skip'] as const satisfies readonly ResamplePolicy[];

/** How far apart steps are meant to be. */
export interface SamplingPeriod {
  readonly seconds: number;
  /** Fraction of `seconds` by which a gap may differ. */
  readonly tolerance: number;
  /** Default `error`. */
  readonly resample?: ResamplePolicy;
}

/**
 * More missing steps than this are a fault under any policy: nobody knows what went on meanwhile. So are more steps than this, one after
 * another, none of them later than all before: under a clock that stands still nothing would count any more.
 */
export const MAX_MISSING_STEPS = 100;

/**
 * Whether steps come a sampling period apart, asked one by one. Of steps without time between two that have one, it is enough that
 * there are times for them which make every gap regular.
 */
export class GapCheck {
  readonly #seconds: number;
  readonly #slack: number;
  #previous = Number.NaN;
  /** Gaps since the previous time: one, and one for each step without time. */
  #gaps = 1;
  /** Seconds, less than half a period, by which irregular gaps were longer than the steps that they were counted for. */
  #excess = 0;
  /** How many steps are missing in the gap before the last time: 0 where it is regular or too short; NaN where nobody knows, as time went back. */
  missing = 0;

  constructor({ seconds, tolerance }: SamplingPeriod) {
    this.#seconds = seconds;
    this.#slack = seconds * tolerance;
  }

  /** Forgets the last time: the next one is regular. */
  reset(): void {
    this.#previous = Number.NaN;
    this.#gaps = 1;
    this.#excess = 0;
    this.missing = 0;
  }

  /**
   * Whether a step's time, in seconds, is a sampling period after the step before it, if there was a time. Allocates nothing: the time is handed over in an
   * array, since a number that is passed to a function may have to be allocated.
   */
  isRegular(clock: Float64Array): boolean {
    const time = clock[0];
    const previous = this.#previous;
    const gaps = this.#gaps;
    this.#previous = time;
    this.#gaps = 1;
    this.missing = 0;
    if (Number.isNaN(previous)) return true;
    const late = time - previous - gaps * this.#seconds;
    if (Math.abs(late) <= gaps * this.#slack + roundingOf(previous, time)) return true;
    if (time < previous) this.missing = Number.NaN;
    else this.#countMissing(late);
    return false;
  }

  /** Whether a step's time has come, or nobody knows, as time went back: `isRegular` would not find it too early. Nothing changes. */
  hasCome(clock: Float64Array): boolean {
    const time = clock[0];
    const previous = this.#previous;
    if (Number.isNaN(previous) || time < previous) return true;
    const gaps = this.#gaps;
    return time - previous - gaps * this.#seconds >= -(gaps * this.#slack + roundingOf(previous, time));
  }

  /** Gaps that are each too long by less than half a period add up to a step that is missing, too. */
  #countMissing(late: number): void {
    const excess = Math.max(0, this.#excess + late);
    this.missing = Math.round(excess / this.#seconds);
    this.#excess = Math.max(0, excess - this.missing * this.#seconds);
  }

  /** Takes a step without time: the next time is one period later. */
  takeUntimed(): void {
    this.#gaps++;
  }
}

/** Whether nobody knows how many steps are missing: too many, or the clock stands still. */
function isUnknown(steps: number, sinceLatest: number): boolean {
  return Math.abs(steps) > MAX_MISSING_STEPS + 1 || sinceLatest > MAX_MISSING_STEPS;
}

/** A gap at the very edge of the tolerance is regular: two roundings of the clock are allowed for. */
function roundingOf(previous: number, time: number): number {
  return 2 * Number.EPSILON * Math.max(Math.abs(time), Math.abs(previous));
}

/**
 * The times at which steps are due: a sampling period apart, from the first step on. A step counts for the last of them that is
 * at most the tolerance after it, if it is the first to do so. So periods that are a little too long or short add up to a step that is
 * missing or left out, once in a while.
 */
export class SamplingGrid {
  readonly #seconds: number;
  readonly #tolerance: number;
  #start = Number.NaN;
  /** Of the due times, the last one that a step counted for. */
  #index = 0;
  /** The latest time there was, and how many steps came since. */
  #latest = Number.NaN;
  #sinceLatest = 0;

  constructor({ seconds, tolerance }: SamplingPeriod) {
    this.#seconds = seconds;
    this.#tolerance = tolerance;
  }

  /** When the last step that counted was due; NaN before the first. */
  get time(): number {
    return this.#start + this.#index * this.#seconds;
  }

  /** Begins anew. */
  reset(): void {
    this.#start = Number.NaN;
  }

  /**
   * Takes a step at the time in `clock`, as of `GapCheck.isRegular`.
   *
   * @returns how many due times it moves on: 1 if none is missing, 0 or less if it comes before its time or out of order and does
   * not count. Where it would be more than 101 either way, or time has not advanced for 101 steps, NaN, and the grid begins anew at this step.
   */
  take(clock: Float64Array): number {
    const time = clock[0];
    if (Number.isNaN(this.#start)) {
      this.#begin(time);
      return 1;
    }
    if (time > this.#latest) {
      this.#latest = time;
      this.#sinceLatest = 0;
    } else this.#sinceLatest++;
    const steps = this.#stepsTo(time);
    if (isUnknown(steps, this.#sinceLatest)) {
      this.#begin(time);
      return Number.NaN;
    }
    if (steps > 0) this.#index += steps;
    return steps;
  }

  /** Whether `take` would count a step, or begin anew at it. Nothing changes. */
  hasCome(clock: Float64Array): boolean {
    if (Number.isNaN(this.#start)) return true;
    const time = clock[0];
    const steps = this.#stepsTo(time);
    return steps > 0 || isUnknown(steps, time > this.#latest ? 0 : this.#sinceLatest + 1);
  }

  /** How many due times it is from the last one that a step counted for. */
  #stepsTo(time: number): number {
    const due = time - this.time + roundingOf(this.time, time);
    return Math.floor(due / this.#seconds + this.#tolerance);
  }

  /** Takes a step without time: it is where it is due. */
  takeUntimed(): void {
    this.#index++;
  }

  #begin(time: number): void {
    this.#start = time;
    this.#index = 0;
    this.#latest = time;
    this.#sinceLatest = 0;
  }
}
