import type { Forgetting, LearnersMemory } from './forgetting.js';
import { Tally } from './tally.js';
import { START_OR_END } from './transitionTable.js';

/** Draws of one run, as entries, and its start time. */
interface Run {
  readonly began: number;
  readonly entries: number[];
}

/** Keeps the most recent runs: a fixed number, or those that began within a number of seconds. */
export class RunWindow implements LearnersMemory {
  readonly forgetting: Forgetting;
  readonly #tally: Tally;
  /** Called for every row that loses draws, and for states that appear or disappear. */
  readonly #touch: (row: number, state: number) => void;
  readonly #length: number;
  #runs: Run[] = [];
  #now = Number.NEGATIVE_INFINITY;
  readonly #counts: number[] = [];
  /** For each row, the number of kept draws that lead to it. */
  readonly #entered: number[] = [];

  constructor(
    forgetting: Forgetting & { window: number },
    tally: Tally,
    touch: (row: number, state: number) => void,
  ) {
    this.forgetting = forgetting;
    this.#length = forgetting.window;
    this.#tally = tally;
    this.#touch = touch;
  }

  /** Traces and steps that are kept, and the kept traces that were cut. */
  get kept(): { traces: number; steps: number; censored: number } {
    const { to } = this.#tally.transitions;
    let [steps, ended] = [0, 0];
    for (const { entries } of this.#runs) {
      const complete = to[entries[entries.length - 1]] === START_OR_END;
      steps += entries.length - Number(complete);
      ended += Number(complete);
    }
    return { traces: this.#runs.length, steps, censored: this.#runs.length - ended };
  }

  count(entry: number): number {
    return this.#counts[entry] ?? 0;
  }

  isKept(state: number): boolean {
    return (this.#entered[state] ?? 0) > 0;
  }

  drawn(from: number, entry: number): void {
    if (from === START_OR_END) {
      this.#runs.push({ began: this.#now, entries: [] });
      if (this.forgetting.of === 'traces' && this.#runs.length > this.#length) this.#forgetOldest();
    }
    this.#runs[this.#runs.length - 1].entries.push(entry);
    this.#add(entry, 1);
  }

  advance(seconds: number): void {
    this.#now = seconds;
    while (this.#runs.length > 0 && this.#runs[0].began <= seconds - this.#length) this.#forgetOldest();
  }

  /** Recounts the kept runs, as if nothing else had ever been seen. */
  recount(): Tally {
    const { abstraction, table, transitions } = this.#tally;
    const { valuations, words } = table;
    const tally = new Tally(abstraction);
    for (const { entries } of this.#runs) {
      let from = START_OR_END;
      for (const entry of entries) {
        const target = transitions.to[entry];
        const to =
          target === START_OR_END ? START_OR_END : tally.insertState(valuations, (target - 1) * words);
        tally.draw(from, tally.insertTransition(from, to, transitions.forbidden[entry] === 1));
        from = to;
      }
    }
    return tally;
  }

  save(): unknown {
    return this.#runs.map(({ began, entries }) => ({
      began: this.forgetting.of === 'seconds' ? began : null,
      entries,
    }));
  }

  load(saved: unknown): void {
    for (const { began, entries } of saved as { began: number | null; entries: number[] }[]) {
      this.#now = began ?? this.#now;
      this.#runs.push({ began: this.#now, entries });
      for (const entry of entries) this.#add(entry, 1);
    }
  }

  #forgetOldest(): void {
    const { entries = [] } = this.#runs.shift() ?? {};
    for (const entry of entries) this.#add(entry, -1);
  }

  #add(entry: number, change: 1 | -1): void {
    const { from, to } = this.#tally.transitions;
    const target = to[entry];
    const wasKept = this.isKept(target);
    this.#counts[entry] = this.count(entry) + change;
    while (this.#entered.length <= target) this.#entered.push(0);
    this.#entered[target] += change;
    this.#touch(from[entry], this.isKept(target) === wasKept ? START_OR_END : target);
  }
}
