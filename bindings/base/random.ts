/**
 * A seeded generator of pseudo-random numbers: xoshiro128**, with its state initialised by splitmix32. It uses only 32-bit integer
 * operations, so every engine draws the same numbers. Not for cryptography.
 *
 * @see D. Blackman, S. Vigna, Scrambled linear pseudorandom number generators, 2021, doi:10.1145/3460772
 */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #d: number;

  /**
   * @param seed an integer; only its lowest 32 bits are used
   * @param stream an integer, default 0: the same seed with another stream gives unrelated numbers, e.g. one stream per run
   */
  constructor(seed: number, stream = 0) {
    let word = Math.imul(seed | 0, 0x9e3779b1) ^ Math.imul((stream | 0) + 0x7f4a7c15, 0x85ebca77);
    const fill = (): number => {
      word = (word + 0x9e3779b9) | 0;
      let mixed = word ^ (word >>> 16);
      mixed = Math.imul(mixed, 0x21f0aaad);
      mixed ^= mixed >>> 15;
      mixed = Math.imul(mixed, 0x735a2d97);
      return mixed ^ (mixed >>> 15);
    };
    // Four successive outputs of a bijection on distinct words are distinct: the state is never all zero.
    this.#a = fill();
    this.#b = fill();
    this.#c = fill();
    this.#d = fill();
  }

  /** The next 32 random bits, as an unsigned integer. */
  bits(): number {
    const scrambled = Math.imul(this.#b, 5);
    const result = Math.imul((scrambled << 7) | (scrambled >>> 25), 9) >>> 0;
    const shifted = this.#b << 9;
    this.#c ^= this.#a;
    this.#d ^= this.#b;
    this.#b ^= this.#c;
    this.#a ^= this.#d;
    this.#c ^= shifted;
    this.#d = (this.#d << 11) | (this.#d >>> 21);
    return result;
  }

  /** Uniform in [0, 1), a multiple of 2^-32. */
  next(): number {
    return this.bits() / 4294967296;
  }

  /** Fills an array with the numbers that `next` would return; allocates nothing. */
  fill(into: Float64Array): void {
    for (let i = 0; i < into.length; i++) into[i] = this.next();
  }

  /** True with the given probability. Always draws once, so that runs stay aligned when a probability changes. */
  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** An element drawn uniformly from a non-empty list. */
  pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.next() * items.length)];
  }

  /** The same items in a uniformly random order. */
  shuffled<T>(items: readonly T[]): T[] {
    const result = [...items];
    for (let i = result.length - 1; i > 0; i--) {
      const j = Math.floor(this.next() * (i + 1));
      [result[i], result[j]] = [result[j], result[i]];
    }
    return result;
  }
}
