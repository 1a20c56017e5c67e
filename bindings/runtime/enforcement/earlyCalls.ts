import type { Guard } from '../guard/index.js';
import type { Clock, State } from './world.js';

/**
 * Calls before their time, where rules read one step a period (`resample: hold` or `skip`). The last decision says nothing of a state that reads otherwise, nor
 * of one whose time is unknown because the clock was set back: such a call waits until rules read the state.
 */
export class EarlyCalls {
  readonly #guard: Guard;
  readonly #slack: number;
  /** The latest reading of the clock, in seconds, since the last one that was a fault. */
  #latest = Number.NEGATIVE_INFINITY;

  constructor(guard: Guard) {
    const { samplingPeriodSeconds, periodTolerance } = guard.file;
    this.#guard = guard;
    this.#slack = (samplingPeriodSeconds ?? 0) * periodTolerance;
  }

  /** Why a call cannot be judged in this state yet, in words, and when it can; null if it can. */
  complaint(state: State, clock: Clock): string | null {
    const { time } = clock;
    if (time === undefined || this.#guard.isStep(state, clock)) {
      if (time !== undefined) this.#latest = time;
      return null;
    }
    const behind = this.#latest - time;
    if (behind > this.#slack)
      return `the clock was set back by ${seconds(behind)}; propose it again once it has caught up`;
    this.#latest = Math.max(this.#latest, time);
    const left = this.#guard.unreadFor(state, clock);
    if (left === 0) return null;
    return `the state has changed since the last step, and rules read the next one in ${seconds(left)}; propose it again then`;
  }
}

function seconds(value: number): string {
  return `${Number(value.toPrecision(3))} s`;
}
