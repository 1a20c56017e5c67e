import { BitSet } from '../../kernel/index.js';

/**
 * Rows of possible transitions; those of state s are rowGroupStart[s] to rowGroupStart[s + 1] - 1, or row s alone without
 * groups.
 */
export interface GraphRows {
  readonly rowStart: Uint32Array;
  readonly columns: Uint32Array;
  readonly rowGroupStart?: Uint32Array;
}

/** The graph of all transitions of all choices, searched backwards for CTL's existential operators, each in linear time. */
export class Graph {
  readonly #states: number;
  /** State s has start[s + 1] - start[s] transitions. */
  readonly #start: Uint32Array;
  /** Transitions into t come from sources[sourceStart[t]] to sources[sourceStart[t + 1] - 1], one entry per transition. */
  readonly #sourceStart: Uint32Array;
  readonly #sources: Uint32Array;

  constructor({ rowStart, columns, rowGroupStart }: GraphRows) {
    this.#start = rowGroupStart === undefined ? rowStart : rowGroupStart.map((row) => rowStart[row]);
    this.#states = this.#start.length - 1;
    const ends = new Uint32Array(this.#states + 1);
    for (let e = 0; e < columns.length; e++) ends[columns[e]]++;
    for (let t = 1; t <= this.#states; t++) ends[t] += ends[t - 1];
    this.#sources = new Uint32Array(columns.length);
    for (let s = this.#states - 1; s >= 0; s--) {
      for (let e = this.#start[s]; e < this.#start[s + 1]; e++) this.#sources[--ends[columns[e]]] = s;
    }
    this.#sourceStart = ends;
  }

  /** States with a transition into `target`. */
  existsNext(target: BitSet): BitSet {
    const result = new BitSet(this.#states);
    for (const t of target) {
      for (let i = this.#sourceStart[t]; i < this.#sourceStart[t + 1]; i++) result.add(this.#sources[i]);
    }
    return result;
  }

  /** States with a path to `target` through `remain`. */
  existsUntil(remain: BitSet, target: BitSet): BitSet {
    const result = target.clone();
    const pending = new Uint32Array(this.#states);
    let size = 0;
    for (const s of target) pending[size++] = s;
    while (size > 0) {
      const t = pending[--size];
      for (let i = this.#sourceStart[t]; i < this.#sourceStart[t + 1]; i++) {
        const s = this.#sources[i];
        if (result.has(s) || !remain.has(s)) continue;
        result.add(s);
        pending[size++] = s;
      }
    }
    return result;
  }

  /** States with a path that never leaves `remain`: the states left after repeatedly removing those whose transitions all leave. */
  existsGlobally(remain: BitSet): BitSet {
    const states = this.#states;
    const start = this.#start;
    const result = remain.clone();
    const staying = new Uint32Array(states);
    for (let s = 0; s < states; s++) staying[s] = start[s + 1] - start[s];
    const pending = new Uint32Array(states);
    let size = 0;
    for (let s = 0; s < states; s++) if (!remain.has(s) || staying[s] === 0) pending[size++] = s;
    for (let i = 0; i < size; i++) result.delete(pending[i]);
    while (size > 0) {
      const t = pending[--size];
      for (let i = this.#sourceStart[t]; i < this.#sourceStart[t + 1]; i++) {
        const s = this.#sources[i];
        if (--staying[s] > 0 || !result.has(s)) continue;
        result.delete(s);
        pending[size++] = s;
      }
    }
    return result;
  }
}
