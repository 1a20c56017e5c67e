import { ValuationTable } from '../../../observations/abstraction/runtime/index.js';
import type { GuardFile } from '../guardFile.js';
import type { Tables } from '../tables.js';

/** Maximum number of predicates for which every valuation has its entry in a dense table (256 KB at most). */
const DENSE_PREDICATES = 16;

/** The states of a model as a guard file has them, numbered in its order, and the steps between them that the data hold. */
export class ModelStates {
  readonly #draws: Float64Array;
  readonly #rowStart: Uint32Array;
  readonly #columns: Uint32Array;
  readonly #dense: Int32Array | null;
  readonly #table: ValuationTable;
  /** Null if the states are made of all predicates, and all rules read the observation alike. */
  readonly parts: Parts | null;
  /** The part of a valuation that the states are made of. */
  readonly #learnt: Uint32Array;

  constructor(file: GuardFile, tables: Tables) {
    const { predicates, learntPredicates = predicates.length, states, seen } = file;
    this.parts = file.learntPredicates === undefined ? null : partsOf(file);
    this.#learnt = new Uint32Array(states.words);
    this.#draws = tables.of('draws', () => Float64Array.from(states.draws));
    this.#rowStart = tables.of('seen.rowStart', () => Uint32Array.from(seen.rowStart));
    this.#columns = tables.of('seen.columns', () => Uint32Array.from(seen.columns));
    const { dense, table } = tables.of('states', () => indexOf(states, learntPredicates));
    this.#dense = dense;
    this.#table = table;
  }

  /** The state of a valuation, or -1. */
  find(valuation: Uint32Array): number {
    const key = this.parts === null ? valuation : this.#learntPart(valuation, this.parts);
    return this.#dense === null ? this.#table.find(key, 0) : this.#dense[key[0]];
  }

  /** The valuation without the predicates that the states are not made of. */
  #learntPart(valuation: Uint32Array, { learnt }: Parts): Uint32Array {
    const part = this.#learnt;
    for (let w = 0; w < part.length; w++) part[w] = valuation[w] & learnt[w];
    return part;
  }

  /** Whether the data left a state, so that something is known of it. */
  isLeft(state: number): boolean {
    return state >= 0 && this.#draws[state] > 0;
  }

  /** Whether the data hold a step from one state to another; -1 is none of them. */
  hasStep(from: number, to: number): boolean {
    if (from < 0 || to < 0) return false;
    let low = this.#rowStart[from];
    let high = this.#rowStart[from + 1];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#columns[middle] < to) low = middle + 1;
      else high = middle;
    }
    return low < this.#rowStart[from + 1] && this.#columns[low] === to;
  }
}

/** The predicates that the states of the chain are made of, and those that rules without tables read, as bits of a valuation. */
interface Parts {
  readonly learnt: Uint32Array;
  readonly exact: Uint32Array;
}

function partsOf({ predicates, learntPredicates = 0, rules }: GuardFile): Parts {
  const read = new Set(
    rules.flatMap(({ tables, automaton }) => (tables === undefined ? automaton.predicates : [])),
  );
  const bits = (holds: (name: string, i: number) => boolean): Uint32Array => {
    const part = new Uint32Array(Math.max(1, Math.ceil(predicates.length / 32)));
    predicates.forEach(({ name }, i) => {
      if (holds(name, i)) part[i >>> 5] |= 1 << (i & 31);
    });
    return part;
  };
  return { learnt: bits((_, i) => i < learntPredicates), exact: bits((name) => read.has(name)) };
}

/** The index by which a valuation's state is found. */
function indexOf(
  { words, valuations, draws }: GuardFile['states'],
  predicates: number,
): { readonly dense: Int32Array | null; readonly table: ValuationTable } {
  const table = new ValuationTable(words);
  const dense = predicates <= DENSE_PREDICATES ? new Int32Array(1 << predicates).fill(-1) : null;
  const packed = Uint32Array.from(valuations);
  for (let s = 0; s < draws.length; s++) {
    if (dense !== null) dense[packed[s]] = s;
    else table.insert(packed, s * words);
  }
  return { dense, table };
}
