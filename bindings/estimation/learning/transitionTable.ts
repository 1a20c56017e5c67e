import { grown } from '../../base/grown.js';
import { PairTable } from '../../base/pairTable.js';

/**
 * Row number of `start`, and as a target the number of `end`. One number serves both because `start` is never entered and `end` never left.
 * The valuation with index i can therefore have number i + 1 while further valuations are still being found.
 */
export const START_OR_END = 0;

/**
 * How often each transition was seen. A transition is a pair of state numbers; it is an entry from its first occurrence
 * on, and entries are numbered in that order.
 */
export class TransitionTable {
  readonly #pairs = new PairTable();
  /** How often each entry was seen. */
  counts = new Float64Array(16);
  /** The draw of its row at which each entry was first seen, counting from 1. */
  firstDraws = new Float64Array(16);
  /** 1 if the constraints forbid the entry. */
  forbidden = new Uint8Array(16);
  /** For each row its newest entry plus 1, and for each entry its predecessor in the row plus 1; 0 means none. */
  #newest: number[] = [];
  #before = new Uint32Array(16);
  readonly #leaving: (readonly number[] | undefined)[] = [];

  /** Number of entries. */
  get size(): number {
    return this.#pairs.size;
  }

  /** Source of each entry. */
  get from(): Int32Array {
    return this.#pairs.firsts;
  }

  /** Target of each entry. */
  get to(): Int32Array {
    return this.#pairs.seconds;
  }

  /** The entry of a transition; -1 if there is none. */
  find(from: number, to: number): number {
    return this.#pairs.find(from, to);
  }

  /**
   * The entry of a transition, created with count 0 if there is none.
   * @throws InvalidArgumentError if the table is full (2^29 transitions)
   */
  insert(from: number, to: number): number {
    const known = this.#pairs.size;
    const entry = this.#pairs.add(from, to);
    if (entry < known) return entry;
    if (entry === this.counts.length) this.#grow();
    while (this.#newest.length <= from) {
      this.#newest.push(0);
      this.#leaving.push(undefined);
    }
    this.#leaving[from] = undefined;
    this.#before[entry] = this.#newest[from];
    this.#newest[from] = entry + 1;
    return entry;
  }

  /** The entries that leave a row, by ascending target, with the one to `end` first. Cached until the row gets another entry. */
  leaving(row: number): readonly number[] {
    const kept = this.#leaving[row];
    if (kept !== undefined) return kept;
    const entries: number[] = [];
    for (let next = this.#newest[row] ?? 0; next !== 0; next = this.#before[next - 1]) entries.push(next - 1);
    entries.sort((a, b) => this.to[a] - this.to[b]);
    if (row in this.#leaving) this.#leaving[row] = entries;
    return entries;
  }

  #grow(): void {
    const capacity = 2 * this.counts.length;
    this.counts = grown(this.counts, capacity);
    this.firstDraws = grown(this.firstDraws, capacity);
    this.forbidden = grown(this.forbidden, capacity);
    this.#before = grown(this.#before, capacity);
  }
}
