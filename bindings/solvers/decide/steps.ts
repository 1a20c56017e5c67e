/** Most steps for one claim, unless the caller says otherwise: about two seconds. */
export const DEFAULT_STEPS = 20_000_000;

/** Says that a search has taken more steps than it may. */
export class OutOfSteps extends Error {
  constructor(most: number, doing: string) {
    super(
      `more than ${most} steps are needed for ${doing}; allow more steps, or use fewer or simpler conditions`,
    );
  }
}

/**
 * Counts the steps of searches: moves of automata, elements added to lists, parts of formulas that are evaluated. Steps, and not time, bound what is tried, so
 * that the answers are the same on every machine.
 */
export class Steps {
  /** What is done, in words. */
  doing = '';
  #taken = 0;
  #most: number;
  readonly #limit: number;

  readonly #together: boolean;

  /** @param together whether the limit is for all claims together */
  constructor(limit: number = DEFAULT_STEPS, together = false) {
    this.#limit = limit;
    this.#most = limit;
    this.#together = together;
  }

  /** Begins anew, for another claim. */
  restart(): void {
    if (!this.#together) this.#taken = 0;
  }

  /** Counts steps. @throws OutOfSteps beyond the limit */
  readonly take = (count: number): void => {
    this.#taken += count;
    if (this.#taken > this.#most) throw new OutOfSteps(Math.min(this.#limit, this.#most), this.doing);
  };

  /** Does something that may take so many steps, and a quarter of all that there are. */
  share<T>(most: number, work: () => T): T {
    const before = this.#most;
    this.#most = Math.min(before, this.#taken + Math.min(most, Math.floor(this.#limit / 4)));
    try {
      return work();
    } finally {
      this.#most = before;
    }
  }
}
