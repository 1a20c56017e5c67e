import type { SessionOptions } from './sessionOptions.js';

type Observer = NonNullable<SessionOptions['observers']>[number];

/** Those who are told what a session decides: one that throws changes nothing, and is counted. */
export class Observers {
  /** How often one has thrown. */
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
