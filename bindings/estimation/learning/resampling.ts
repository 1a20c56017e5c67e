import { InvalidDataError } from '../../base/errors.js';
import {
  RegularGaps,
  resample,
  type SampledSteps,
  type Step,
  type Trace,
  withMessages,
  withOnTime,
  withUntimed,
} from '../../observations/trace/index.js';
import type { LearningSettings } from './options.js';

/** Brings the steps of traces a sampling period apart, and counts what that took. */
export class Resampling {
  readonly #period: LearningSettings['period'];
  #held = 0;
  #missing = 0;
  #leftOut = 0;
  #messages = 0;
  #untimed = 0;
  readonly #gaps: RegularGaps | null;
  /** The number in the recording of each step of the trace at hand; null if it is its position. */
  #numbers: readonly number[] | null = null;
  /** Counts the trace at hand. */
  #count: () => void = () => {};

  constructor(period: LearningSettings['period']) {
    this.#period = period;
    this.#gaps = period && new RegularGaps(period);
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
      this.#messages += trace.leftOutMessages ?? 0;
      if (this.#gaps === null) return;
      this.#gaps.begin();
      for (const step of trace.steps) this.countStep(step);
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
    this.#gaps?.begin();
  }

  /** The next step of it was counted, so its time counts, too. */
  countStep({ time }: Step): void {
    if (this.#gaps === null) return;
    if (time === undefined) this.#untimed++;
    this.#gaps.take(time);
  }

  /** The number in the recording of a step of the trace at hand. */
  numberOf(step: number): number {
    return this.#numbers === null ? step : this.#numbers[step];
  }

  /** Takes over what was counted before, in so many steps. */
  load(sampled: Partial<SampledSteps> & Pick<SampledSteps, 'missing' | 'leftOut'>): void {
    // Counts that were saved before steps held were counted say how many were missing.
    const { missing, leftOut, untimed = 0, onTime } = sampled;
    this.#held = sampled.held ?? (this.#period?.resample === 'hold' ? missing : 0);
    this.#missing = missing;
    this.#leftOut = leftOut;
    this.#messages = sampled.leftOutMessages ?? 0;
    this.#untimed = untimed;
    if (onTime) this.#gaps?.load(onTime);
  }

  /** What was counted, in so many steps. */
  read(steps: number): SampledSteps {
    const [held, missing, leftOut] = [this.#held, this.#missing, this.#leftOut];
    const onTime = this.#gaps ? withOnTime(this.#gaps.sum) : {};
    const messages = withMessages(this.#messages);
    return { steps, held, missing, leftOut, ...messages, ...withUntimed(this.#untimed), ...onTime };
  }
}

/** An error about a trace, with its name. */
export function aboutTrace(id: string, { message }: InvalidDataError): InvalidDataError {
  return new InvalidDataError(`trace "${id}", ${message}`);
}
