/** Unknowns whose product of row and column size exceeds this are treated alike. */
const MAX_BUCKET = 4096;

/**
 * Chooses the unknown to eliminate next: the one with the smallest product of the sizes of its row and its column, which keeps
 * sparse systems sparse.
 *
 * @see Markowitz 1957, doi:10.1287/mnsc.3.3.255
 */
export class DegreeOrder {
  /** Buckets by product at the time of insertion; an unknown that has changed since is moved to its bucket. */
  readonly #buckets: number[][] = [];
  readonly #isLeft: Uint8Array;
  #lowest = 0;
  readonly #productOf: (unknown: number) => number;

  constructor(size: number, productOf: (unknown: number) => number) {
    this.#productOf = productOf;
    this.#isLeft = new Uint8Array(size).fill(1);
    for (let unknown = 0; unknown < size; unknown++) this.changed(unknown);
  }

  /** Call it after the product of an unknown changed; if the product grew, at the latest when its turn comes. */
  changed(unknown: number): void {
    if (this.#isLeft[unknown] === 0) return;
    const bucket = this.#bucketOf(unknown);
    (this.#buckets[bucket] ??= []).push(unknown);
    this.#lowest = Math.min(this.#lowest, bucket);
  }

  /** Removes and returns the next unknown; at least one must be left. */
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
