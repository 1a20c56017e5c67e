import { InvalidDataError } from '../../base/errors.js';
import {
  resample,
  type SampledSteps,
  type Trace,
  untimedSteps,
  withUntimed,
} from '../../observations/trace/index.js';
import type { LearningSettings } from './options.js';

/** Brings the steps of traces a sampling period apart, and counts what that took. */
export class Resampling {
  readonly #period: LearningSettings['period'];
  #held = 0;
  #missing = 0;
  #leftOut = 0;
  #untimed = 0;
  /** The number in the recording of each step of the trace at hand; null if it is its position. */
  #numbers: readonly number[] | null = null;
  /** Counts the trace at hand. */
  #count: () => void = () => {};

  constructor(period: LearningSettings['period']) {
    this.#period = period;
  }

  /** The trace with its steps a period apart. @throws InvalidDataError if it is at fault */
  regular(trace: Trace): Trace {
    const period = this.#period;
    this.#numbers = null;
    let regular = trace;
    let [held, missing, leftOut] = [trace.heldSteps ?? 0, 0, trace.leftOutMessages ?? 0];
    if (period !== null) {
      const resampled = resample(trace.steps, period);
      const { steps } = resampled;
      ({ missing, numbers: this.#numbers } = resampled);
      leftOut += resampled.leftOut;
      if (period.resample === 'hold') held += missing;
      if (steps !== trace.steps) regular = { ...trace, steps };
    }
    this.#count = () => {
      this.#held += held;
      this.#missing += missing;
      this.#leftOut += leftOut;
      this.#untimed += untimedSteps(trace.steps, period).untimed ?? 0;
    };
    return regular;
  }

  /** The last trace was counted, so what bringing it a period apart took counts, too. */
  counted(): void {
    this.#count();
  }

  /** A trace begins that is counted step by step, as it was recorded. */
  begin(): void {
    this.#numbers = null;
  }

  /** A step of it has no time. */
  countUntimed(): void {
    this.#untimed++;
  }

  /** The number in the recording of a step of the trace at hand. */
  numberOf(step: number): number {
    return this.#numbers === null ? step : this.#numbers[step];
  }

  /** Takes over what was counted before, in so many steps. */
  load(sampled: Partial<SampledSteps> & Pick<SampledSteps, 'missing' | 'leftOut'>): void {
    // Counts that were saved before steps held were counted say how many were missing.
    const { missing, leftOut, untimed = 0 } = sampled;
    this.#held = sampled.held ?? (this.#period?.resample === 'hold' ? missing : 0);
    this.#missing = missing;
    this.#leftOut = leftOut;
    this.#untimed = untimed;
  }

  /** What was counted, in so many steps. */
  read(steps: number): SampledSteps {
    const [held, missing, leftOut] = [this.#held, this.#missing, this.#leftOut];
    return { steps, held, missing, leftOut, ...withUntimed(this.#untimed) };
  }
}

/** An error about a trace, with its name. */
export function aboutTrace(id: string, { message }: InvalidDataError): InvalidDataError {
  return new InvalidDataError(`trace "${id}", ${message}`);
}
