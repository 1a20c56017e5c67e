import { InvalidArgumentError } from '../../base/errors.js';

/**
 * A set of states, one bit per state in 32-bit words. Bits at and above `size` are always 0, so that whole words can be
 * compared and counted.
 */
export class BitSet {
  readonly size: number;
  readonly words: Uint32Array;

  /** @throws InvalidArgumentError for a size that is not a whole number from 0 to 2^32 - 1. */
  constructor(size: number, words: Uint32Array = new Uint32Array((size + 31) >>> 5)) {
    if (size >>> 0 !== size) {
      throw new InvalidArgumentError(
        `the size of a set is ${size}: it is a whole number, at least 0 and below 2^32`,
      );
    }
    this.size = size;
    this.words = words;
  }

  /**
   * The set with the given members.
   * @throws InvalidArgumentError for a member that is not a whole number from 0 to `size` - 1.
   */
  static of(size: number, members: Iterable<number>): BitSet {
    const set = new BitSet(size);
    for (const member of members) set.add(member);
    return set;
  }

  /** The set of all states for which `contains` is true. */
  static where(size: number, contains: (state: number) => boolean): BitSet {
    const set = new BitSet(size);
    for (let state = 0; state < size; state++) if (contains(state)) set.add(state);
    return set;
  }

  /** The set of all `size` states. */
  static full(size: number): BitSet {
    const set = new BitSet(size);
    set.words.fill(0xffffffff);
    if (size & 31) set.words[set.words.length - 1] = (1 << (size & 31)) - 1;
    return set;
  }

  /** Whether `state`, a whole number below `size`, is a member. */
  has(state: number): boolean {
    return ((this.words[state >>> 5] >>> (state & 31)) & 1) === 1;
  }

  /**
   * Adds `state`.
   * @throws InvalidArgumentError unless it is a whole number from 0 to `size` - 1.
   */
  add(state: number): void {
    if (state >>> 0 !== state || state >= this.size) throw noMember(state, this.size);
    this.words[state >>> 5] |= 1 << (state & 31);
  }

  /** Removes `state`, a whole number below `size`. */
  delete(state: number): void {
    this.words[state >>> 5] &= ~(1 << (state & 31));
  }

  /** Number of members. */
  count(): number {
    let total = 0;
    for (let word of this.words) {
      word -= (word >>> 1) & 0x55555555;
      word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
      total += Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
    }
    return total;
  }

  /** A copy that shares nothing. */
  clone(): BitSet {
    return new BitSet(this.size, this.words.slice());
  }

  /** All states that are not members. */
  complement(): BitSet {
    const result = BitSet.full(this.size);
    for (let i = 0; i < result.words.length; i++) result.words[i] &= ~this.words[i];
    return result;
  }

  /** Members of either set; both are over the same states. */
  union(other: BitSet): BitSet {
    const result = this.clone();
    for (let i = 0; i < result.words.length; i++) result.words[i] |= other.words[i];
    return result;
  }

  /** Members of both sets. */
  intersection(other: BitSet): BitSet {
    const result = this.clone();
    for (let i = 0; i < result.words.length; i++) result.words[i] &= other.words[i];
    return result;
  }

  /** Members of this set that are not in the other. */
  difference(other: BitSet): BitSet {
    const result = this.clone();
    for (let i = 0; i < result.words.length; i++) result.words[i] &= ~other.words[i];
    return result;
  }

  /** Whether both sets have the same members and are over the same states. */
  equals(other: BitSet): boolean {
    return this.size === other.size && this.words.every((word, i) => word === other.words[i]);
  }

  /** Members in ascending order. */
  *[Symbol.iterator](): Generator<number> {
    for (let i = 0; i < this.words.length; i++) {
      for (let word = this.words[i]; word !== 0; word &= word - 1)
        yield (i << 5) + (31 - Math.clz32(word & -word));
    }
  }
}

function noMember(state: number, size: number): InvalidArgumentError {
  return new InvalidArgumentError(
    `${state} cannot be a member of a set over ${size} states: members are whole numbers, at least 0 and below ${size}`,
  );
}
