import { PairTable } from '../../base/pairTable.js';

/** Numbers finite sequences of integers in the order in which they are first asked for: a trie whose edges are pairs. */
export class SequenceTable {
  readonly #edges = new PairTable();
  /** Per node of the trie, the root first. */
  readonly #numbers: number[] = [];
  #count = 0;

  get size(): number {
    return this.#count;
  }

  /** The number of a sequence, which gets the next one if it has none. */
  add(sequence: readonly number[]): number {
    let node = -1;
    for (const member of sequence) node = this.#edges.add(node, member);
    // Nodes are met in the order of their numbers but for prefixes, which leave holes.
    while (this.#numbers.length <= node + 1) this.#numbers.push(-1);
    if (this.#numbers[node + 1] < 0) this.#numbers[node + 1] = this.#count++;
    return this.#numbers[node + 1];
  }
}
