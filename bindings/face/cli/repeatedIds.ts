import type { Trace } from '../../observations/trace/index.js';

/** How many ids are remembered. */
const REMEMBERED = 100_000;

/** Counts traces that have the id of one before: most likely a run that was stored twice, which figures then count as two. */
export class RepeatedIds {
  readonly #seen = new Set<string>();
  #traces = 0;
  #repeated = 0;
  #first = '';

  add({ id }: Trace): void {
    this.#traces++;
    if (this.#seen.has(id)) {
      this.#repeated++;
      if (this.#repeated === 1) this.#first = id;
    } else if (this.#seen.size < REMEMBERED) this.#seen.add(id);
  }

  notes(): string[] {
    if (this.#repeated === 0) return [];
    const verb = this.#repeated === 1 ? 'has' : 'have';
    return [
      `${this.#repeated} of ${this.#traces} traces ${verb} the id of a trace before, the first "${this.#first}": a run that was stored twice counts as two, and makes intervals too narrow; if they are different runs, give each an id of its own`,
    ];
  }
}
