/** Lets so many calls run side by side that each can be judged beside the others, and has the rest wait for one to come back. */
export class Room {
  readonly #most: number;
  readonly #running: () => number;
  #waiting: (() => void)[] = [];
  /** Calls that were let in and are being decided on. */
  #entering = 0;

  /**
   * @param most running calls beside which one more may be decided
   * @param running how many calls were let through and have not come back
   */
  constructor(most: number, running: () => number) {
    this.#most = most;
    this.#running = running;
  }

  /** Whether one more call would be one too many. */
  get isFull(): boolean {
    return this.#running() + this.#entering > this.#most;
  }

  /**
   * Waits until there is room, or `signal` aborts, then does `work`, by which a call may be let through. In the order of the calls.
   */
  async enter<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (this.isFull || this.#waiting.length > 0) await this.#turn(signal);
    else this.#entering++;
    try {
      return await work();
    } finally {
      this.#entering--;
      this.update();
    }
  }

  /** Resolves where a call that waits may go on, which counts as entering. */
  #turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const enter = (): void => {
        signal?.removeEventListener('abort', enter);
        this.#waiting = this.#waiting.filter((one) => one !== enter);
        this.#entering++;
        resolve();
      };
      if (signal?.aborted) return enter();
      this.#waiting.push(enter);
      signal?.addEventListener('abort', enter);
    });
  }

  /** Calls have come back, or nothing runs any more: those that wait go on, as far as there is room. */
  update(over = false): void {
    while (this.#waiting.length > 0 && (over || !this.isFull)) this.#waiting[0]();
  }
}
