import { NotSupportedError } from '../../../base/errors.js';
import { PairTable } from '../../../base/pairTable.js';
import type { BitSet } from '../../kernel/index.js';

/**
 * The rows of a model without their numbers; those of state s are rowGroupStart[s] to rowGroupStart[s + 1] - 1, or row s alone
 * without groups.
 */
export interface ModelRows {
  readonly rowStart: Uint32Array;
  readonly columns: Uint32Array;
  readonly rowGroupStart?: Uint32Array;
}

/** A deterministic automaton that reads states: on entering state t it goes from q to `step(q, letterOf[t])`. */
export interface Reader {
  readonly letterOf: Uint32Array;
  step(q: number, letter: number): number;
  /** Whether a product is absorbing once the automaton is in q. */
  isFinal(q: number): boolean;
}

/** Marks a row or an entry of a product without an origin in the model: a final state's self-loop. */
export const NO_ORIGIN = 0xffffffff;

/**
 * Model × automaton: state (s, q) is model state s after the automaton has read it. States are numbered by model state, so that
 * rows copy those of the model entry by entry, columns ascending.
 */
export interface StateProduct extends Required<ModelRows> {
  readonly states: number;
  /** Uint32Array(states) each. */
  readonly modelState: Uint32Array;
  readonly automatonState: Uint32Array;
  /** The origin of each row and of each entry, or NO_ORIGIN. */
  readonly rowOf: Uint32Array;
  readonly entryOf: Uint32Array;
  /** Returns the product state of a pair, or -1 if it does not exist. */
  find(modelState: number, automatonState: number): number;
}

export interface MultiplyOptions {
  /** The rows of the model to use. Default: all. */
  readonly rows?: BitSet;
  /** The largest number of product states. */
  readonly maxStates?: number;
  readonly signal?: AbortSignal;
}

/** Above this, entries and states would not fit into typed arrays of a usual size. */
const DEFAULT_MAX_STATES = 50_000_000;

/**
 * Builds the product from the reachable pairs of model and automaton states, in time and memory linear in the transitions
 * found.
 *
 * @throws NotSupportedError if it has more than `maxStates` states
 */
export function multiply(
  model: ModelRows,
  reader: Reader,
  seeds: Iterable<readonly [modelState: number, automatonState: number]>,
  { rows, maxStates = DEFAULT_MAX_STATES, signal }: MultiplyOptions = {},
): StateProduct {
  const { rowStart, columns, rowGroupStart } = model;
  const { letterOf } = reader;
  const modelStates = rowGroupStart === undefined ? rowStart.length - 1 : rowGroupStart.length - 1;
  const found = new PairTable();
  for (const [s, q] of seeds) found.add(s, q);
  let rowCount = 0;
  let entryCount = 0;
  const firstRow = (s: number) => (rowGroupStart === undefined ? s : rowGroupStart[s]);
  for (let i = 0; i < found.size; i++) {
    const s = found.first(i);
    const q = found.second(i);
    if ((i & 0xffff) === 0) signal?.throwIfAborted();
    if (reader.isFinal(q)) {
      rowCount++;
      entryCount++;
      continue;
    }
    const end = firstRow(s + 1);
    for (let row = firstRow(s); row < end; row++) {
      if (rows !== undefined && !rows.has(row)) continue;
      rowCount++;
      entryCount += rowStart[row + 1] - rowStart[row];
      for (let e = rowStart[row]; e < rowStart[row + 1]; e++) {
        const t = columns[e];
        found.add(t, reader.step(q, letterOf[t]));
      }
    }
    if (found.size > maxStates) {
      throw new NotSupportedError(
        `the product of the model's ${modelStates} states with the automaton of the path formula has more than ${maxStates} states: simplify the formula, or shorten its bounds`,
      );
    }
  }
  const states = found.size;
  const order = new Uint32Array(states);
  const numberOf = new Uint32Array(states);
  const ends = new Uint32Array(modelStates + 1);
  for (let i = 0; i < states; i++) ends[found.first(i) + 1]++;
  for (let s = 0; s < modelStates; s++) ends[s + 1] += ends[s];
  for (let i = 0; i < states; i++) {
    numberOf[i] = ends[found.first(i)]++;
    order[numberOf[i]] = i;
  }
  const product = {
    states,
    modelState: order.map((i) => found.first(i)),
    automatonState: order.map((i) => found.second(i)),
    rowGroupStart: new Uint32Array(states + 1),
    rowStart: new Uint32Array(rowCount + 1),
    columns: new Uint32Array(entryCount),
    rowOf: new Uint32Array(rowCount),
    entryOf: new Uint32Array(entryCount),
    find: (s: number, q: number) => {
      const i = found.find(s, q);
      return i < 0 ? -1 : numberOf[i];
    },
  };
  let r = 0;
  let n = 0;
  for (let p = 0; p < states; p++) {
    const s = product.modelState[p];
    const q = product.automatonState[p];
    if (reader.isFinal(q)) {
      product.columns[n] = p;
      product.entryOf[n++] = NO_ORIGIN;
      product.rowOf[r++] = NO_ORIGIN;
      product.rowStart[r] = n;
    } else {
      const end = firstRow(s + 1);
      for (let row = firstRow(s); row < end; row++) {
        if (rows !== undefined && !rows.has(row)) continue;
        for (let e = rowStart[row]; e < rowStart[row + 1]; e++) {
          const t = columns[e];
          product.columns[n] = numberOf[found.find(t, reader.step(q, letterOf[t]))];
          product.entryOf[n++] = e;
        }
        product.rowOf[r++] = row;
        product.rowStart[r] = n;
      }
    }
    product.rowGroupStart[p + 1] = r;
  }
  return product;
}
