import { TupleTable } from '../tupleTable.js';

/** Numbers pairs of integers in the order in which they are first asked for. */
export class PairTable {
  readonly #pairs = new TupleTable(2);
  readonly #pair = new Uint32Array(2);

  get size(): number {
    return this.#pairs.size;
  }

  first(index: number): number {
    return this.#pairs.word(index, 0) | 0;
  }

  second(index: number): number {
    return this.#pairs.word(index, 1) | 0;
  }

  /** The number of a pair, -1 if it has none. */
  find(first: number, second: number): number {
    this.#pair[0] = first;
    this.#pair[1] = second;
    return this.#pairs.find(this.#pair);
  }

  /** The number of a pair, which gets the next one if it has none. */
  add(first: number, second: number): number {
    this.#pair[0] = first;
    this.#pair[1] = second;
    return this.#pairs.insert(this.#pair);
  }
}
