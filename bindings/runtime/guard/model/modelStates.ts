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

  constructor({ predicates, states, seen }: GuardFile, tables: Tables) {
    this.#draws = tables.of('draws', () => Float64Array.from(states.draws));
    this.#rowStart = tables.of('seen.rowStart', () => Uint32Array.from(seen.rowStart));
    this.#columns = tables.of('seen.columns', () => Uint32Array.from(seen.columns));
    const { dense, table } = tables.of('states', () => indexOf(states, predicates.length));
    this.#dense = dense;
    this.#table = table;
  }

  /** The state of a valuation, or -1. */
  find(valuation: Uint32Array): number {
    return this.#dense === null ? this.#table.find(valuation, 0) : this.#dense[valuation[0]];
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
