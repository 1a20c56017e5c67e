/**
 * The entries of a rule's tables: pairs of a chain state and an automaton state that a run can be in, numbered by chain state, and within one by automaton
 * state.
 */
export class Entries {
  readonly count: number;
  /** Runs of automaton states, group after group: the first state of each run, the one after its last, and the number of the group's states before it. */
  readonly #first: Uint32Array;
  readonly #after: Uint32Array;
  readonly #before: Uint32Array;
  /** Per chain state: the range of its group's runs, and the number of its first entry. */
  readonly #from: Uint32Array;
  readonly #to: Uint32Array;
  readonly #offset: Uint32Array;

  /**
   * @param groups the automaton states of each group, as runs: first and number, first and number, …
   * @param groupOf the group of each chain state
   */
  constructor(groups: readonly (readonly number[])[], groupOf: readonly number[]) {
    const runs = groups.reduce((sum, group) => sum + group.length / 2, 0);
    this.#first = new Uint32Array(runs);
    this.#after = new Uint32Array(runs);
    this.#before = new Uint32Array(runs);
    const start = new Uint32Array(groups.length + 1);
    const sizes = groups.map((group, g) => {
      let run = start[g];
      let size = 0;
      for (let i = 0; i < group.length; i += 2, run++) {
        this.#first[run] = group[i];
        this.#after[run] = group[i] + group[i + 1];
        this.#before[run] = size;
        size += group[i + 1];
      }
      start[g + 1] = run;
      return size;
    });
    this.#from = Uint32Array.from(groupOf, (g) => start[g]);
    this.#to = Uint32Array.from(groupOf, (g) => start[g + 1]);
    this.#offset = new Uint32Array(groupOf.length);
    let count = 0;
    for (let s = 0; s < groupOf.length; s++) {
      this.#offset[s] = count;
      count += sizes[groupOf[s]];
    }
    this.count = count;
  }

  /** The number of the entry of chain state `s` and automaton state `q`, or -1 if there is none. */
  of(s: number, q: number): number {
    let low = this.#from[s];
    let high = this.#to[s];
    if (low === high) return -1;
    // The last run that does not begin after q.
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (this.#first[middle] <= q) low = middle;
      else high = middle;
    }
    const first = this.#first[low];
    return q < first || q >= this.#after[low] ? -1 : this.#offset[s] + this.#before[low] + q - first;
  }
}
