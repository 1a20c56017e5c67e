import { PairTable } from '../../base/pairTable.js';

/** Numbers finite sequences of integers in the order in which they are first added, with a trie whose edges are pairs. */
export class SequenceTable {
  readonly #edges = new PairTable();
  /** The number of each node of the trie, the root first; -1 for none. */
  readonly #numbers: number[] = [];
  #count = 0;

  get size(): number {
    return this.#count;
  }

  /** The number of a sequence; a new sequence gets the next number. */
  add(sequence: readonly number[]): number {
    let node = -1;
    for (const member of sequence) node = this.#edges.add(node, member);
    // Nodes are reached in the order of their numbers, except for prefixes, which leave holes.
    while (this.#numbers.length <= node + 1) this.#numbers.push(-1);
    if (this.#numbers[node + 1] < 0) this.#numbers[node + 1] = this.#count++;
    return this.#numbers[node + 1];
  }
}
