import type { Forgetting, LearnersMemory } from './forgetting.js';
import type { Tally } from './tally.js';
import { START_OR_END } from './transitionTable.js';

/** Weights below this are forgotten when their row is next drawn from, because they would only cost precision. */
const LEAST = 2 ** -100;

/** Beyond this, nothing fades without a draw, so that rows keep their proportions. */
const MAX_HALVINGS = 900;

/** Halves the weight of every draw after a number of further traces, draws of its row, or seconds. */
export class Decay implements LearnersMemory {
  readonly forgetting: Forgetting;
  readonly #tally: Tally;
  readonly #halfLife: number;
  /** Traces begun, or seconds; with draws, each row has its own clock. */
  #now = 0;
  /** The weight of each entry when its row was last drawn from, and the time of that draw for each row. */
  #weights: number[] = [];
  #times: number[] = [];

  constructor(forgetting: Forgetting & { halfLife: number }, tally: Tally) {
    this.forgetting = forgetting;
    this.#halfLife = forgetting.halfLife;
    this.#tally = tally;
  }

  count(entry: number): number {
    const row = this.#tally.transitions.from[entry];
    return (this.#weights[entry] ?? 0) * this.#left(row, this.#nowOf(row));
  }

  isKept(): boolean {
    return true;
  }

  drawn(from: number, entry: number): void {
    const { of } = this.forgetting;
    if (of === 'traces' && from === START_OR_END) this.#now++;
    while (this.#times.length <= from) this.#times.push(0);
    const now = of === 'draws' ? this.#times[from] + 1 : this.#now;
    const left = this.#left(from, now);
    if (left < 1) {
      for (const other of this.#tally.transitions.leaving(from)) {
        const weight = (this.#weights[other] ?? 0) * left;
        this.#weights[other] = weight < LEAST ? 0 : weight;
      }
    }
    this.#times[from] = now;
    this.#weights[entry] = (this.#weights[entry] ?? 0) + 1;
  }

  advance(seconds: number): void {
    if (this.forgetting.of === 'seconds') this.#now = seconds;
  }

  save(): unknown {
    return { now: this.#now, weights: this.#weights, times: this.#times };
  }

  load(saved: unknown): void {
    const { now, weights, times } = saved as { now: number; weights: number[]; times: number[] };
    this.#now = now;
    this.#weights = weights;
    this.#times = times;
  }

  #nowOf(row: number): number {
    return this.forgetting.of === 'draws' ? (this.#times[row] ?? 0) : this.#now;
  }

  #left(row: number, now: number): number {
    return 2 ** -Math.min(MAX_HALVINGS, (now - (this.#times[row] ?? now)) / this.#halfLife);
  }
}
