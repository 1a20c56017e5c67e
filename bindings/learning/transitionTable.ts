import { InvalidArgumentError } from '../errors.js';

/** Largest number of transitions a table can hold: entries, slots and their doubled capacity stay 32-bit. */
const MAX_SIZE = 2 ** 29;

/**
 * Row number of `start`, and as a target the number of `end`: `start` is never entered and `end` never left, so that one
 * number serves both, and the valuation with index i has number i + 1 while more of them are still being found.
 */
export const OUTSIDE = 0;

/**
 * How often each transition was seen. A transition is a pair of state numbers; it is an entry from its first occurrence
 * on, and entries are numbered in that order. Open addressing with linear probing over typed arrays, at most half full.
 */
export class TransitionTable {
  #size = 0;
  /** Source of each entry. */
  from = new Uint32Array(16);
  /** Target of each entry. */
  to = new Uint32Array(16);
  /** How often each entry was seen. */
  counts = new Float64Array(16);
  /** The draw of its row at which each entry was first seen, counting from 1. */
  firstDraws = new Float64Array(16);
  /** 1 where the constraints forbid the entry. */
  forbidden = new Uint8Array(16);
  /** Per row its newest entry, plus 1; and per entry the one before it in its row, plus 1; 0 is none. */
  #newest: number[] = [];
  #before = new Uint32Array(16);
  readonly #leaving: (readonly number[] | undefined)[] = [];
  /** Entry in each slot, plus 1; 0 is empty. */
  #slots = new Uint32Array(32);

  /** Number of entries. */
  get size(): number {
    return this.#size;
  }

  /** The entry of a transition, or -1. */
  find(from: number, to: number): number {
    return this.#slots[this.#slotOf(from, to)] - 1;
  }

  /**
   * The entry of a transition, made with count 0 if there is none.
   * @throws InvalidArgumentError if the table is full (2^29 transitions)
   */
  insert(from: number, to: number): number {
    const slot = this.#slotOf(from, to);
    if (this.#slots[slot] !== 0) return this.#slots[slot] - 1;
    if (this.#size === MAX_SIZE) {
      throw new InvalidArgumentError(`more than ${MAX_SIZE} different transitions; use fewer predicates`);
    }
    const entry = this.#size++;
    if (entry === this.from.length) this.#grow();
    this.from[entry] = from;
    this.to[entry] = to;
    while (this.#newest.length <= from) {
      this.#newest.push(0);
      this.#leaving.push(undefined);
    }
    this.#leaving[from] = undefined;
    this.#before[entry] = this.#newest[from];
    this.#newest[from] = entry + 1;
    this.#slots[slot] = entry + 1;
    if (2 * this.#size > this.#slots.length) this.#rehash();
    return entry;
  }

  /** The entries that leave a row, by ascending target, that to `end` first. Kept until the row gets another one. */
  leaving(row: number): readonly number[] {
    const kept = this.#leaving[row];
    if (kept !== undefined) return kept;
    const entries: number[] = [];
    for (let next = this.#newest[row] ?? 0; next !== 0; next = this.#before[next - 1]) entries.push(next - 1);
    entries.sort((a, b) => this.to[a] - this.to[b]);
    if (row in this.#leaving) this.#leaving[row] = entries;
    return entries;
  }

  /** The slot that holds the transition, or the empty one where it belongs. */
  #slotOf(from: number, to: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let hash = Math.imul(Math.imul(from, 0x9e3779b1) ^ to, 0x85ebca6b);
    hash ^= hash >>> 15;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const entry = slots[slot] - 1;
      if (entry < 0 || (this.from[entry] === from && this.to[entry] === to)) return slot;
    }
  }

  #grow(): void {
    const capacity = 2 * this.from.length;
    this.from = copyInto(new Uint32Array(capacity), this.from);
    this.to = copyInto(new Uint32Array(capacity), this.to);
    this.counts = copyInto(new Float64Array(capacity), this.counts);
    this.firstDraws = copyInto(new Float64Array(capacity), this.firstDraws);
    this.forbidden = copyInto(new Uint8Array(capacity), this.forbidden);
    this.#before = copyInto(new Uint32Array(capacity), this.#before);
  }

  #rehash(): void {
    this.#slots = new Uint32Array(2 * this.#slots.length);
    for (let entry = 0; entry < this.#size; entry++) {
      this.#slots[this.#slotOf(this.from[entry], this.to[entry])] = entry + 1;
    }
  }
}

function copyInto<T extends { set(source: ArrayLike<number>): void }>(
  target: T,
  source: ArrayLike<number>,
): T {
  target.set(source);
  return target;
}
