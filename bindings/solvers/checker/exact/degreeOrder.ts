/** Unknowns with more neighbours than this squared are not told apart. */
const MAX_BUCKET = 4096;

/**
 * Which unknown to eliminate next: the one with the smallest product of the sizes of its row and its column, which keeps sparse
 * systems sparse.
 *
 * @see Markowitz 1957, doi:10.1287/mnsc.3.3.255
 */
export class DegreeOrder {
  /** By product, as it was when an unknown was put in; one that has changed since is put where it belongs. */
  readonly #buckets: number[][] = [];
  readonly #isLeft: Uint8Array;
  #lowest = 0;
  readonly #productOf: (unknown: number) => number;

  constructor(size: number, productOf: (unknown: number) => number) {
    this.#productOf = productOf;
    this.#isLeft = new Uint8Array(size).fill(1);
    for (let unknown = 0; unknown < size; unknown++) this.changed(unknown);
  }

  /** To be called after the product of an unknown changed; where it grew, at the latest when it is its turn. */
  changed(unknown: number): void {
    if (this.#isLeft[unknown] === 0) return;
    const bucket = this.#bucketOf(unknown);
    (this.#buckets[bucket] ??= []).push(unknown);
    this.#lowest = Math.min(this.#lowest, bucket);
  }

  /** Takes the next unknown out; one must be left. */
  next(): number {
    for (;;) {
      const unknown = this.#buckets[this.#lowest]?.pop();
      if (unknown === undefined) this.#lowest++;
      else if (this.#bucketOf(unknown) !== this.#lowest) this.changed(unknown);
      else if (this.#isLeft[unknown] === 1) {
        this.#isLeft[unknown] = 0;
        return unknown;
      }
    }
  }

  #bucketOf(unknown: number): number {
    return Math.min(MAX_BUCKET, this.#productOf(unknown));
  }
}
