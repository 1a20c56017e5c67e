import type { ResamplePolicy } from './resamplePolicy.js';

/** The intended time between steps. */
export interface SamplingPeriod {
  readonly seconds: number;
  /** Fraction of `seconds` by which a gap may differ from `seconds`. */
  readonly tolerance: number;
  /** Default `error`. */
  readonly resample?: ResamplePolicy;
}

/**
 * More missing steps in one gap are a fault under any policy, because the state in between is unknown. More consecutive steps whose time
 * does not advance are a fault too: if the clock stands still, no later step would count.
 */
export const MAX_MISSING_STEPS = 100;

/**
 * Checks, step by step, whether steps come a sampling period apart. Steps without a time, between two steps with one, pass if some
 * assignment of times to them makes every gap regular.
 */
export class GapCheck {
  readonly #seconds: number;
  readonly #slack: number;
  #previous = Number.NaN;
  /** Gaps since the previous time: 1, plus 1 for each step without a time. */
  #gaps = 1;
  /** Accumulated seconds, less than half a period, by which irregular gaps exceeded the steps that they were counted as. */
  #excess = 0;
  /**
   * Number of missing steps in the gap before the last time: 0 if the gap is regular or too short; NaN if it is unknown, for example because time went back.
   */
  missing = 0;
  /** The last time came too early. */
  early = false;

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
    this.early = false;
  }

  /**
   * Whether a step's time, in seconds, is a sampling period after the previous time, if there is one. Allocates nothing: the time is passed
   * in an array because a number argument may be boxed on the heap.
   */
  isRegular(clock: Float64Array): boolean {
    const time = clock[0];
    const previous = this.#previous;
    const gaps = this.#gaps;
    this.#previous = time;
    this.#gaps = 1;
    this.missing = 0;
    this.early = false;
    if (Number.isNaN(previous)) return true;
    const late = time - previous - gaps * this.#seconds;
    if (Math.abs(late) <= gaps * this.#slack + roundingOf(previous, time)) return true;
    if (time < previous) this.missing = Number.NaN;
    else this.#countMissing(late);
    this.early = late < 0 && time >= previous;
    return false;
  }

  /** Whether `isRegular` would not find the step too early: its time has come, or the gap is unknown because time went back. Changes no state. */
  hasCome(clock: Float64Array): boolean {
    const time = clock[0];
    const previous = this.#previous;
    if (Number.isNaN(previous) || time < previous) return true;
    const gaps = this.#gaps;
    return time - previous - gaps * this.#seconds >= -(gaps * this.#slack + roundingOf(previous, time));
  }

  /** Gaps that are each too long by less than half a period also add up to a missing step. */
  #countMissing(late: number): void {
    const excess = Math.max(0, this.#excess + late);
    this.missing = Math.round(excess / this.#seconds);
    this.#excess = Math.max(0, excess - this.missing * this.#seconds);
  }

  /** Takes a step without a time: the next time is due one period later. */
  takeUntimed(): void {
    this.#gaps++;
  }
}

/** Whether the number of missing steps is unknown: there are too many, or the clock stands still. */
function isUnknown(steps: number, sinceLatest: number): boolean {
  return Math.abs(steps) > MAX_MISSING_STEPS + 1 || sinceLatest > MAX_MISSING_STEPS;
}

/** Allowance for two roundings of the clock, so that a gap exactly at the tolerance is regular. */
function roundingOf(previous: number, time: number): number {
  return 2 * Number.EPSILON * Math.max(Math.abs(time), Math.abs(previous));
}

/**
 * The times at which steps are due: a sampling period apart, starting at the first step. A step counts for the last due time that is at
 * most the tolerance after it, unless an earlier step already did. Gaps that are slightly too long or too short thus occasionally add up to
 * a step that is missing or left out.
 */
export class SamplingGrid {
  readonly #seconds: number;
  readonly #tolerance: number;
  #start = Number.NaN;
  /** Index of the last due time that a step counted for. */
  #index = 0;
  /** The latest time so far, and the number of steps since. */
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

  /** From when on the next step counts; NaN before the first. */
  get next(): number {
    return this.time + (1 - this.#tolerance) * this.#seconds;
  }

  /** Restarts the grid at the next step. */
  reset(): void {
    this.#start = Number.NaN;
  }

  /**
   * Takes a step at the time in `clock`; see `GapCheck.isRegular`.
   *
   * @returns the number of due times by which the grid advances: 1 if no step is missing; 0 or less if the step comes too early or out of
   * order and does not count; NaN if the number would exceed 101 in either direction, or time has not advanced for 101 steps: the grid then
   * restarts at this step.
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

  /** Whether `take` would count the step or restart at it. Changes no state. */
  hasCome(clock: Float64Array): boolean {
    if (Number.isNaN(this.#start)) return true;
    const time = clock[0];
    const steps = this.#stepsTo(time);
    return steps > 0 || isUnknown(steps, time > this.#latest ? 0 : this.#sinceLatest + 1);
  }

  /** Number of due times from the last one that a step counted for. */
  #stepsTo(time: number): number {
    const due = time - this.time + roundingOf(this.time, time);
    return Math.floor(due / this.#seconds + this.#tolerance);
  }

  /** Takes a step without a time, which counts as on time. */
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
