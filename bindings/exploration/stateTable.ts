import type { StateVariables } from '../model/index.js';
import type { ExploredVariable } from './variables.js';
import { wordsOf } from './variables.js';

/**
 * The states found so far, packed into words, numbered in the order of discovery, with a hash table over them (open
 * addressing, linear probing, at most half full).
 */
export class StateTable implements StateVariables {
  size = 0;
  private readonly words: number;
  private packed: Uint32Array;
  /** State number plus 1; 0 is empty. */
  private slots = new Uint32Array(1 << 10);
  private readonly scratch: Uint32Array;

  constructor(readonly variables: readonly ExploredVariable[]) {
    this.words = wordsOf(variables);
    this.packed = new Uint32Array(this.words << 9);
    this.scratch = new Uint32Array(this.words);
  }

  /** Bytes held. */
  get bytes(): number {
    return this.packed.byteLength + this.slots.byteLength;
  }

  /** The number of the state with these values, in their ranges; a new one if it was not known. */
  insert(values: ArrayLike<number>): number {
    const { words, variables } = this;
    const scratch = this.scratch.fill(0);
    for (let v = 0; v < variables.length; v++) {
      const { word, shift, low } = variables[v];
      scratch[word] |= (values[v] - low) << shift;
    }
    const mask = this.slots.length - 1;
    let slot = hash(scratch) & mask;
    for (;;) {
      const found = this.slots[slot];
      if (found === 0) break;
      let same = true;
      for (let w = 0, at = (found - 1) * words; w < words && same; w++)
        same = this.packed[at + w] === scratch[w];
      if (same) return found - 1;
      slot = (slot + 1) & mask;
    }
    const state = this.size++;
    if (this.size * words > this.packed.length) {
      const grown = new Uint32Array(this.packed.length * 2);
      grown.set(this.packed);
      this.packed = grown;
    }
    this.packed.set(scratch, state * words);
    this.slots[slot] = state + 1;
    if (this.size * 2 > this.slots.length) this.rehash();
    return state;
  }

  read(state: number, into: Float64Array): void {
    const { variables, packed } = this;
    const at = state * this.words;
    for (let v = 0; v < variables.length; v++) {
      const { word, shift, width, low } = variables[v];
      const mask = width === 32 ? 0xffffffff : (1 << width) - 1;
      into[v] = (((packed[at + word] >>> shift) & mask) >>> 0) + low;
    }
  }

  private rehash(): void {
    const { words, packed } = this;
    this.slots = new Uint32Array(this.slots.length * 2);
    const mask = this.slots.length - 1;
    for (let state = 0; state < this.size; state++) {
      let slot = hash(packed.subarray(state * words, (state + 1) * words)) & mask;
      while (this.slots[slot] !== 0) slot = (slot + 1) & mask;
      this.slots[slot] = state + 1;
    }
  }
}

/** Multiply-and-rotate over the words, finished by a mix that reaches the low bits (constants of MurmurHash3, public domain). */
function hash(words: Uint32Array): number {
  let h = 0x9747b28c;
  for (let w = 0; w < words.length; w++) {
    let k = Math.imul(words[w], 0xcc9e2d51);
    k = (k << 15) | (k >>> 17);
    h ^= Math.imul(k, 0x1b873593);
    h = Math.imul((h << 13) | (h >>> 19), 5) + 0xe6546b64;
  }
  h ^= h >>> 16;
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
