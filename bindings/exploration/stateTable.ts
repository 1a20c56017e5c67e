/**
 * The states found so far, packed into words, numbered in the order of discovery, with a hash table over them (open
 * addressing, linear probing, at most half full).
 */
export class StateTable {
  size = 0;
  packed: Int32Array;
  /** State number plus 1; 0 is empty. */
  #slots = new Int32Array(1 << 10);
  readonly #words: number;
  readonly #limit: number;
  readonly #full: () => never;

  /** @param full Throws; called when there would be more than `limit` states */
  constructor(words: number, limit: number, full: () => never) {
    this.#words = words;
    this.#limit = limit;
    this.#full = full;

    this.packed = new Int32Array(words << 9);
  }

  /** Bytes held. */
  get bytes(): number {
    return this.packed.byteLength + this.#slots.byteLength;
  }

  /** The number of a packed state; a new one if it was not known. */
  insert(state: Int32Array): number {
    const { packed } = this;
    const words = this.#words;
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = hash(state, 0, words) & mask;
    for (let found = slots[slot]; found !== 0; found = slots[slot]) {
      const at = (found - 1) * words;
      let w = 0;
      while (w < words && packed[at + w] === state[w]) w++;
      if (w === words) return found - 1;
      slot = (slot + 1) & mask;
    }
    if (this.size === this.#limit) this.#full();
    return this.#append(state, slot);
  }

  #append(state: Int32Array, slot: number): number {
    const words = this.#words;
    const number = this.size;
    if ((number + 1) * words > this.packed.length) {
      const grown = new Int32Array(this.packed.length * 2);
      grown.set(this.packed);
      this.packed = grown;
    }
    for (let w = 0, at = number * words; w < words; w++) this.packed[at + w] = state[w];
    this.#slots[slot] = number + 1;
    this.size++;
    if (this.size * 2 > this.#slots.length) this.#rehash();
    return number;
  }

  #rehash(): void {
    const slots = new Int32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (let state = 0; state < this.size; state++) {
      let slot = hash(this.packed, state * this.#words, this.#words) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = state + 1;
    }
    this.#slots = slots;
  }
}

/**
 * A product's upper bits depend on all bits of its factors and its lower ones do not, so the upper ones are mixed into the
 * lower ones after each.
 */
function hash(state: Int32Array, from: number, words: number): number {
  let h = 0;
  for (let w = from; w < from + words; w++) {
    h = Math.imul(h ^ state[w], 0x9e3779b1);
    h ^= h >>> 15;
  }
  h = Math.imul(h, 0x85ebca6b);
  return h ^ (h >>> 13);
}
