import { InvalidArgumentError } from './errors.js';
import { grown } from './grown.js';

/** Largest number of pairs a table can hold: indices, slots and their doubled capacity stay 32-bit. */
const MAX_SIZE = 2 ** 29;

/** Numbers pairs of 32-bit integers in the order in which they are first added. Like a `TupleTable` of two words, but takes two thirds of its time. */
export class PairTable {
  #slots = new Int32Array(16).fill(-1);
  /** The first number of each pair, with spare capacity; replaced as the table grows. */
  firsts = new Int32Array(8);
  /** The second number of each pair. See `firsts`. */
  seconds = new Int32Array(8);
  #count = 0;

  get size(): number {
    return this.#count;
  }

  first(index: number): number {
    return this.firsts[index];
  }

  second(index: number): number {
    return this.seconds[index];
  }

  /** The number of a pair, or -1 if it has none. */
  find(first: number, second: number): number {
    return this.#slots[this.#slotOf(first, second)];
  }

  /**
   * The number of a pair; a new pair gets the next number.
   * @throws InvalidArgumentError if the table is full (2^29 pairs)
   */
  add(first: number, second: number): number {
    const slot = this.#slotOf(first, second);
    const known = this.#slots[slot];
    if (known >= 0) return known;
    if (this.#count === MAX_SIZE) throw new InvalidArgumentError(`a table holds at most ${MAX_SIZE} pairs`);
    const index = this.#count++;
    if (index === this.firsts.length) this.#grow();
    this.firsts[index] = first;
    this.seconds[index] = second;
    this.#slots[slot] = index;
    if (this.#count * 2 > this.#slots.length) this.#rehash();
    return index;
  }

  /** The slot of a pair, or the empty slot where it belongs. */
  #slotOf(first: number, second: number): number {
    const mask = this.#slots.length - 1;
    const hash = Math.imul(Math.imul(first, 0x9e3779b1) ^ second, 0x85ebca6b);
    for (let slot = (hash ^ (hash >>> 15)) & mask; ; slot = (slot + 1) & mask) {
      const index = this.#slots[slot];
      if (index < 0 || (this.firsts[index] === first && this.seconds[index] === second)) return slot;
    }
  }

  #grow(): void {
    this.firsts = grown(this.firsts, 2 * this.firsts.length);
    this.seconds = grown(this.seconds, 2 * this.seconds.length);
  }

  #rehash(): void {
    this.#slots = new Int32Array(this.#slots.length * 2).fill(-1);
    for (let index = 0; index < this.#count; index++)
      this.#slots[this.#slotOf(this.firsts[index], this.seconds[index])] = index;
  }
}
