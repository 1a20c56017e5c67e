import type { Reading } from './learntChain.js';
import type { Contradiction } from './report.js';

/** Maximal number of contradictions and failures kept with their place; further ones are only counted. */
export const MAX_REPORTED = 100;

/** The contradictions between traces and constraints. */
export class Contradictions {
  readonly #counts = { state: 0, transition: 0, end: 0 };
  readonly #first: Contradiction[] = [];

  /** Counts a contradiction that is reported by an error. */
  count(kind: Contradiction['kind']): void {
    this.#counts[kind]++;
  }

  /** Counts a contradiction and keeps the description from `describe`, unless enough are kept already; the first of its kind is always kept. */
  add(kind: Contradiction['kind'], describe: () => Contradiction): void {
    this.count(kind);
    if (this.#first.length < MAX_REPORTED || this.#counts[kind] === 1) this.#first.push(describe());
  }

  get read(): Reading['contradictions'] {
    return { ...this.#counts, first: [...this.#first] };
  }

  /** Loads earlier counts, before anything is added. */
  load({ first, ...counts }: Reading['contradictions']): void {
    Object.assign(this.#counts, counts);
    this.#first.push(...first);
  }
}
