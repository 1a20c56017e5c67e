import { InvalidArgumentError } from '../errors.js';

/** Largest number of valuations a table can hold: indices, slots and their doubled capacity stay 32-bit. */
const MAX_SIZE = 2 ** 29;

/**
 * A set of packed valuations, each known by the order in which it was first inserted: the abstract states of a chain.
 *
 * A valuation is `words` 32-bit words; predicate i is bit `i & 31` of word `i >>> 5`. Open addressing with linear probing
 * over typed arrays, at most half full, so that finding a valuation allocates nothing and touches few cache lines.
 */
export class ValuationTable {
  /** 32-bit words a valuation takes. */
  readonly words: number;
  #size = 0;
  #valuations: Uint32Array;
  /** Index of the valuation in each slot, plus 1; 0 is empty. */
  #slots: Uint32Array;

  /**
   * @param words 32-bit words a valuation takes, at least 1.
   * @throws InvalidArgumentError if `words` is not a positive integer
   */
  constructor(words: number) {
    if (!Number.isInteger(words) || words < 1) {
      throw new InvalidArgumentError(`a valuation takes a positive number of words, not ${words}`);
    }
    this.words = words;
    this.#valuations = new Uint32Array(16 * words);
    this.#slots = new Uint32Array(32);
  }

  /** Number of valuations held; their indices are 0..size - 1, in order of insertion. */
  get size(): number {
    return this.#size;
  }

  /** A view of all valuations, `words` each, in order of insertion; stale after the next insertion. */
  get valuations(): Uint32Array {
    return this.#valuations.subarray(0, this.#size * this.words);
  }

  /** Index of the valuation that starts at `offset` of `valuation`, or -1. */
  find(valuation: Uint32Array, offset = 0): number {
    return this.#slots[this.#slotOf(valuation, offset)] - 1;
  }

  /**
   * Index of the valuation that starts at `offset` of `valuation`; a new one is copied in and gets the next index.
   * @throws InvalidArgumentError if the table is full (2^29 valuations)
   */
  insert(valuation: Uint32Array, offset = 0): number {
    const slot = this.#slotOf(valuation, offset);
    if (this.#slots[slot] !== 0) return this.#slots[slot] - 1;
    if (this.#size === MAX_SIZE)
      throw new InvalidArgumentError(`a table holds at most ${MAX_SIZE} valuations`);
    const index = this.#size++;
    const start = index * this.words;
    if (start === this.#valuations.length) {
      const grown = new Uint32Array(2 * start);
      grown.set(this.#valuations);
      this.#valuations = grown;
    }
    for (let i = 0; i < this.words; i++) this.#valuations[start + i] = valuation[offset + i];
    this.#slots[slot] = index + 1;
    if (2 * this.#size > this.#slots.length) this.#rehash();
    return index;
  }

  /** The slot that holds the valuation, or the empty one where it belongs. */
  #slotOf(valuation: Uint32Array, offset: number): number {
    const { words } = this;
    const slots = this.#slots;
    const valuations = this.#valuations;
    const mask = slots.length - 1;
    let hash = 0;
    for (let i = 0; i < words; i++) hash = mix(hash ^ valuation[offset + i]);
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const found = slots[slot];
      if (found === 0) return slot;
      const start = (found - 1) * words;
      let i = 0;
      while (i < words && valuations[start + i] === valuation[offset + i]) i++;
      if (i === words) return slot;
    }
  }

  #rehash(): void {
    this.#slots = new Uint32Array(2 * this.#slots.length);
    for (let index = 0; index < this.#size; index++) {
      this.#slots[this.#slotOf(this.#valuations, index * this.words)] = index + 1;
    }
  }
}

/** Spreads every bit of a word over all bits of the result (the finaliser of MurmurHash3). */
function mix(word: number): number {
  let hash = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
