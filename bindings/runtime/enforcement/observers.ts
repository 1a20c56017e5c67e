import type { SessionOptions } from './sessionOptions.js';

type Observer = NonNullable<SessionOptions['observers']>[number];

/** The observers of a session's decisions: an observer's error is counted and has no other effect. */
export class Observers {
  /** Number of times that an observer has thrown. */
  faults = 0;
  readonly #observers: readonly Observer[];

  constructor(observers: readonly Observer[] = []) {
    this.#observers = observers;
  }

  tell(what: (observer: Observer) => void): void {
    for (const observer of this.#observers) {
      try {
        what(observer);
      } catch {
        this.faults++;
      }
    }
  }
}
