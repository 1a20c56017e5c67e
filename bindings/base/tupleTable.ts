import { InvalidArgumentError } from './errors.js';
import { grown } from './grown.js';

/** Largest number of tuples a table can hold: indices, slots and their doubled capacity stay 32-bit. */
const MAX_SIZE = 2 ** 29;

/**
 * A set of tuples of 32-bit words, indexed in order of first insertion; data about a tuple is kept in separate arrays under that index.
 * Open addressing with linear probing over typed arrays, at most half full, so that finding a tuple allocates nothing and touches few cache lines.
 */
export class TupleTable {
  /** Words per tuple. */
  readonly words: number;
  #size = 0;
  #tuples: Uint32Array;
  /** Index of the tuple in each slot, plus 1; 0 is empty. */
  #slots = new Uint32Array(32);

  /**
   * @param words 32-bit words per tuple, at least 1.
   * @throws InvalidArgumentError if `words` is not a positive integer
   */
  constructor(words: number) {
    if (!Number.isInteger(words) || words < 1)
      throw new InvalidArgumentError(`a tuple takes a positive number of words, not ${words}`);
    this.words = words;
    this.#tuples = new Uint32Array(16 * words);
  }

  /** Number of tuples held; their indices are 0..size - 1, in order of insertion. */
  get size(): number {
    return this.#size;
  }

  /** Bytes of memory held by the table. */
  get bytes(): number {
    return this.#tuples.byteLength + this.#slots.byteLength;
  }

  /** A view of all tuples, `words` each, in order of insertion; stale after the next insertion. */
  get tuples(): Uint32Array {
    return this.#tuples.subarray(0, this.#size * this.words);
  }

  /** Word number `word` of the tuple with this index. */
  word(index: number, word: number): number {
    return this.#tuples[index * this.words + word];
  }

  /** Index of the tuple that starts at `offset` of `tuple`, or -1. */
  find(tuple: Uint32Array, offset = 0): number {
    return this.#slots[this.#slotOf(tuple, offset)] - 1;
  }

  /**
   * Index of the tuple that starts at `offset` of `tuple`; a new one is copied in and gets the next index.
   * @throws InvalidArgumentError if the table is full (2^29 tuples)
   */
  insert(tuple: Uint32Array, offset = 0): number {
    const slot = this.#slotOf(tuple, offset);
    if (this.#slots[slot] !== 0) return this.#slots[slot] - 1;
    if (this.#size === MAX_SIZE) throw new InvalidArgumentError(`a table holds at most ${MAX_SIZE} tuples`);
    const index = this.#size++;
    const start = index * this.words;
    if (start === this.#tuples.length) this.#tuples = grown(this.#tuples, 2 * start);
    for (let i = 0; i < this.words; i++) this.#tuples[start + i] = tuple[offset + i];
    this.#slots[slot] = index + 1;
    if (2 * this.#size > this.#slots.length) this.#rehash();
    return index;
  }

  /** The slot that holds the tuple, or the empty one where it belongs. */
  #slotOf(tuple: Uint32Array, offset: number): number {
    const { words } = this;
    const slots = this.#slots;
    const tuples = this.#tuples;
    const mask = slots.length - 1;
    let hash = 0;
    for (let i = 0; i < words; i++) hash = mix(hash ^ tuple[offset + i]);
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const found = slots[slot];
      if (found === 0) return slot;
      const start = (found - 1) * words;
      let i = 0;
      while (i < words && tuples[start + i] === tuple[offset + i]) i++;
      if (i === words) return slot;
    }
  }

  #rehash(): void {
    this.#slots = new Uint32Array(2 * this.#slots.length);
    for (let index = 0; index < this.#size; index++)
      this.#slots[this.#slotOf(this.#tuples, index * this.words)] = index + 1;
  }
}

/** Spreads every bit of a word over all bits of the result (the finaliser of MurmurHash3). */
function mix(word: number): number {
  let hash = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
