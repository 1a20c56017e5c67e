import type { Reading } from './learntChain.js';
import type { Contradiction } from './report.js';

/** Contradictions and failures kept with their place; further ones are only counted. */
export const MAX_REPORTED = 100;

/** What in the traces contradicts the constraints. */
export class Contradictions {
  readonly #counts = { state: 0, transition: 0, end: 0 };
  readonly #first: Contradiction[] = [];

  /** Counts one that is told in an error. */
  count(kind: Contradiction['kind']): void {
    this.#counts[kind]++;
  }

  /** Counts one, and keeps what `describe` says of it, unless enough are kept already; the first of its kind is kept in any case. */
  add(kind: Contradiction['kind'], describe: () => Contradiction): void {
    this.count(kind);
    if (this.#first.length < MAX_REPORTED || this.#counts[kind] === 1) this.#first.push(describe());
  }

  get read(): Reading['contradictions'] {
    return { ...this.#counts, first: [...this.#first] };
  }

  /** Takes over what was read before anything is added. */
  load({ first, ...counts }: Reading['contradictions']): void {
    Object.assign(this.#counts, counts);
    this.#first.push(...first);
  }
}
