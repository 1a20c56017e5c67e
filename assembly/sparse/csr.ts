import { f64At, setF64, setU32, u32At } from "../memory";
import { Status } from "../status";
import { transpose } from "./transpose";

/**
 * A discrete-time Markov chain. Doubles define it by what leaves a state: once prepared, rows hold the off-diagonal entries
 * alone, `exit` is their sum, and a state stays with `stay` = 1 - exit. Whoever solves equations divides by `exit`, so that
 * all solvers solve the same chain. A sum above 1 (by rounding) is scaled to 1.
 */
@unmanaged
export class Chain {
  states: u32;
  transitions: u32;
  /** The state whose row `checkChain` refused. */
  faultyState: u32;
  /** u32[states + 1] */
  rowStart: usize;
  /** u32[states]: where rows end. The second element of `rowStart`, unless rows can be replaced: then they may have gaps. */
  rowEnd: usize;
  /** u32[transitions] */
  columns: usize;
  /** f64[transitions] */
  values: usize;
  /** f64[states], within 2^-53 relative */
  exit: usize;
  /** f64[states], an upper bound of 1 - exit by less than 2 * `stayError` */
  stay: usize;
  /** u32[states + 1] */
  predecessorStart: usize;
  /** u32[transitions] */
  predecessors: usize;
}

/**
 * The smallest probability accepted, 2^-500, and the smallest positive value kept: products of two cannot underflow, so
 * relative error bounds hold.
 */
export const SMALLEST: f64 = reinterpret<f64>((1023 - 500) << 52);

const STRUCT: usize = (offsetof<Chain>() + 7) & ~7;

/** Bytes that a chain needs, as a double: the number may be beyond what can be addressed. */
export function chainBytes(states: u32, transitions: u32): f64 {
  return <f64>STRUCT + 24 * <f64>states + 16 * <f64>transitions + 8;
}

/** Lays out a chain in a block of `chainBytes` bytes. The caller then fills `rowStart`, `columns` and `values`. */
export function layOutChain(block: usize, states: u32, transitions: u32): Chain {
  const chain = changetype<Chain>(block);
  chain.states = states;
  chain.transitions = transitions;
  chain.values = block + STRUCT;
  chain.exit = chain.values + (<usize>transitions << 3);
  chain.stay = chain.exit + (<usize>states << 3);
  chain.rowStart = chain.stay + (<usize>states << 3);
  chain.rowEnd = chain.rowStart + 4;
  chain.predecessorStart = chain.rowStart + ((<usize>states + 1) << 2);
  chain.columns = chain.predecessorStart + ((<usize>states + 1) << 2);
  chain.predecessors = chain.columns + (<usize>transitions << 2);
  return chain;
}

export function rowStartOf(chain: Chain): usize {
  return chain.rowStart;
}

export function columnsOf(chain: Chain): usize {
  return chain.columns;
}

export function valuesOf(chain: Chain): usize {
  return chain.values;
}

export function faultyStateOf(chain: Chain): u32 {
  return chain.faultyState;
}

/** Whether the rows are probability distributions; the first state that is wrong is left in `faultyState`. */
export function checkChain(chain: Chain): Status {
  let start = u32At(chain.rowStart, 0);
  chain.faultyState = 0;
  if (start != 0) return Status.RowStart;
  for (let s: u32 = 0; s < chain.states; ++s) {
    chain.faultyState = s;
    const end = u32At(chain.rowStart, s + 1);
    if (end < start || end > chain.transitions) return Status.RowStart;
    const status = checkRow(chain.columns, chain.values, start, end, chain.states);
    if (status != Status.Ok) return status;
    start = end;
  }
  return start == chain.transitions ? Status.Ok : Status.RowStart;
}

/** Whether entries `start` (included) to `end` (excluded) are a probability distribution over `states` states. */
export function checkRow(columns: usize, values: usize, start: u32, end: u32, states: u32): Status {
  if (start == end) return Status.EmptyRow;
  let sum = 0.0;
  for (let e = start; e < end; ++e) {
    const column = u32At(columns, e);
    if (column >= states) return Status.ColumnRange;
    if (e > start && column <= u32At(columns, e - 1)) return Status.ColumnOrder;
    const value = f64At(values, e);
    if (!(value >= SMALLEST && value <= 1)) return Status.Probability;
    sum += value;
  }
  return abs(sum - 1) <= 1e-9 ? Status.Ok : Status.RowSum;
}

/** Turns checked rows into off-diagonal entries, exits and predecessors, in place. */
export function prepareChain(chain: Chain): void {
  let from: u32 = 0;
  let to: u32 = 0;
  for (let s: u32 = 0; s < chain.states; ++s) {
    const end = u32At(chain.rowStart, s + 1);
    setU32(chain.rowStart, s, to);
    to = packRow(chain.columns, chain.values, s, from, end, to, chain.exit, chain.stay, s);
    from = end;
  }
  setU32(chain.rowStart, chain.states, to);
  chain.transitions = to;
  transpose(chain);
}

/**
 * Moves the entries `from` (included) to `end` (excluded) of a row of state `s` to `to`, without the diagonal one, and sets
 * place `row` of `exit` and `stay`. Sums are kept in two doubles (Knuth's two-sum): the error of `exit` is one rounding, and
 * 1 - exit does not cancel. Returns where the row ends.
 */
export function packRow(
  columns: usize,
  values: usize,
  s: u32,
  from: u32,
  end: u32,
  to: u32,
  exit: usize,
  stay: usize,
  row: u32
): u32 {
  const start = to;
  let sum = 0.0;
  let error = 0.0;
  let exact = true;
  for (let e = from; e < end; ++e) {
    const column = u32At(columns, e);
    if (column == s) continue;
    const value = f64At(values, e);
    const total = sum + value;
    const added = total - sum;
    const lost = sum - (total - added) + (value - added);
    if (lost != 0) exact = false;
    error += lost;
    sum = total;
    setU32(columns, to, column);
    setF64(values, to, value);
    ++to;
  }
  setF64(exit, row, sum + error);
  setF64(stay, row, max(0, 1 - sum - error + (exact ? 0 : stayError(to - start))));
  return to;
}

/** How far 1 - exit may be off for a row of `entries` entries: the roundings of the second double of the sum. */
// @ts-ignore: decorator
@inline
export function stayError(entries: u32): f64 {
  const k = <f64>entries;
  return (k * k + 1) * reinterpret<f64>((1023 - 104) << 52);
}
