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

  tell(what: (observer: Observer) => unknown): void {
    const failed = (): void => {
      this.faults++;
    };
    for (const observer of this.#observers) {
      try {
        const told = what(observer);
        // Nobody awaits an observer; what it rejects must not end the process.
        if (told instanceof Promise) told.catch(failed);
      } catch {
        failed();
      }
    }
  }
}
