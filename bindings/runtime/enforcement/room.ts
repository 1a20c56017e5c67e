/** Limits concurrent calls so that each can be judged beside the others; further calls wait for one to come back. */
export class Room {
  readonly #most: number;
  readonly #running: () => number;
  #waiting: (() => void)[] = [];
  /** Number of calls that were let in and are being decided. */
  #entering = 0;

  /**
   * @param most maximum number of running calls beside which one more may be decided
   * @param running returns the number of permitted calls that have not come back
   */
  constructor(most: number, running: () => number) {
    this.#most = most;
    this.#running = running;
  }

  /** Whether the limit is reached. */
  get isFull(): boolean {
    return this.#running() + this.#entering > this.#most;
  }

  /** Waits until there is room, or `signal` aborts, then runs `work`, which may permit a call. Calls enter in their order. */
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

  /** Resolves when a waiting call may proceed; the call then counts as entering. */
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

  /** Lets waiting calls proceed while there is room, or all of them if the run is over. */
  update(over = false): void {
    while (this.#waiting.length > 0 && (over || !this.isFull)) this.#waiting[0]();
  }
}
