import type { Forgetting, LearnersMemory } from './forgetting.js';
import type { Tally } from './tally.js';

/** Keeps the last draws of each state. */
export class DrawWindow implements LearnersMemory {
  readonly forgetting: Forgetting;
  readonly #tally: Tally;
  readonly #length: number;
  /** The kept draws of each row, as entries, oldest first. */
  readonly #draws: number[][] = [];
  readonly #counts: number[] = [];

  constructor(forgetting: Forgetting & { window: number }, tally: Tally) {
    this.forgetting = forgetting;
    this.#length = forgetting.window;
    this.#tally = tally;
  }

  count(entry: number): number {
    return this.#counts[entry] ?? 0;
  }

  isKept(): boolean {
    return true;
  }

  drawn(from: number, entry: number): void {
    while (this.#draws.length <= from) this.#draws.push([]);
    const draws = this.#draws[from];
    draws.push(entry);
    this.#counts[entry] = this.count(entry) + 1;
    if (draws.length > this.#length) this.#counts[draws.shift() as number]--;
  }

  advance(): void {}

  save(): unknown {
    return this.#draws;
  }

  load(saved: unknown): void {
    const { from } = this.#tally.transitions;
    for (const draws of saved as number[][]) for (const entry of draws) this.drawn(from[entry], entry);
  }
}
