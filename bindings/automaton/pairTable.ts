/** Numbers pairs of integers in the order in which they are first asked for: open addressing over typed arrays. */
export class PairTable {
  #slots = new Int32Array(64).fill(-1);
  #firsts = new Int32Array(32);
  #seconds = new Int32Array(32);
  #count = 0;

  get size(): number {
    return this.#count;
  }

  first(index: number): number {
    return this.#firsts[index];
  }

  second(index: number): number {
    return this.#seconds[index];
  }

  /** The number of a pair, -1 if it has none. */
  find(first: number, second: number): number {
    return this.#slots[this.#slotOf(first, second)];
  }

  /** The number of a pair, which gets the next one if it has none. */
  add(first: number, second: number): number {
    const slot = this.#slotOf(first, second);
    const known = this.#slots[slot];
    if (known >= 0) return known;
    const index = this.#count++;
    if (index === this.#firsts.length) this.#grow();
    this.#firsts[index] = first;
    this.#seconds[index] = second;
    this.#slots[slot] = index;
    if (this.#count * 2 > this.#slots.length) this.#rehash();
    return index;
  }

  /** Where a pair is, or would be. */
  #slotOf(first: number, second: number): number {
    const mask = this.#slots.length - 1;
    let hash = Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    for (let slot = (hash ^ (hash >>> 13)) & mask; ; slot = (slot + 1) & mask) {
      const index = this.#slots[slot];
      if (index < 0 || (this.#firsts[index] === first && this.#seconds[index] === second)) return slot;
    }
  }

  #grow(): void {
    const [firsts, seconds] = [this.#firsts, this.#seconds];
    this.#firsts = new Int32Array(firsts.length * 2);
    this.#seconds = new Int32Array(firsts.length * 2);
    this.#firsts.set(firsts);
    this.#seconds.set(seconds);
  }

  #rehash(): void {
    this.#slots = new Int32Array(this.#slots.length * 2).fill(-1);
    for (let index = 0; index < this.#count; index++)
      this.#slots[this.#slotOf(this.#firsts[index], this.#seconds[index])] = index;
  }
}
