import { f64At, setF64, setU32, u32At } from "../memory";
import { Status } from "../status";
import {
  EXIT,
  FIRST,
  LOWER,
  NORMAL,
  UPPER,
  eliminate,
  eliminationBytes,
  rowOf,
  roundingsOf,
  substituteMatrix,
} from "./elimination";
import { UNIT_ROUNDOFF, lowerAt, setBounds, setLower, tighten, upperAt } from "./rounding";
import { Sparse } from "./sparseRows";
import { substituteSparse } from "./sparseSolution";
import { System } from "./system";
import { systemSweep } from "./systemIteration";

/** As `solveSmall`: components of at most SMALL states; returns the first that could not be solved directly, or `last`. */
export function solveSmallSystem(system: System, first: u32, last: u32): u32 {
  for (let component = first; component < last; ++component) {
    const n = u32At(system.start, component + 1) - u32At(system.start, component);
    if (n == 1) {
      systemSweep(system, component, false);
    } else {
      setUpSystem(system, component, system.matrix);
      if (eliminate(system.matrix, n, n, n) != Status.Ok) return component;
      if (substituteSystem(system, component, system.matrix) != Status.Ok) return component;
    }
  }
  return last;
}

/**
 * Fills the matrix of a component (see elimination.ts), always by rows: what a pivot divides by is what leaves a state. Rows
 * gain with LOWER and UPPER while states are censored; a transposed system needs its gains only afterwards.
 */
export function setUpSystem(system: System, component: u32, matrix: usize): void {
  const rows = system.source;
  const first = u32At(system.start, component);
  const n = u32At(system.start, component + 1) - first;
  const place = system.scratch;
  for (let i: u32 = 0; i < n; ++i) setU32(place, u32At(system.order, first + i), i);
  memory.fill(matrix, 0, <usize>eliminationBytes(n));
  for (let i: u32 = 0; i < n; ++i) {
    const s = u32At(system.order, first + i);
    const row = rowOf(matrix, n, i);
    const end = u32At(rows.rowStart, s + 1);
    for (let e = u32At(rows.rowStart, s); e < end; ++e) {
      const t = u32At(rows.columns, e);
      const probability = f64At(rows.values, e);
      if (u32At(system.componentOf, t) == component) setF64(row, FIRST + u32At(place, t), probability);
      else setF64(row, EXIT, f64At(row, EXIT) + probability);
    }
  }
  if (!system.transposed) setUpGains(system, component, matrix);
}

/** LOWER and UPPER of each row: its gain, and what the states outside the component contribute. */
function setUpGains(system: System, component: u32, matrix: usize): void {
  const chain = system.chain;
  const first = u32At(system.start, component);
  const n = u32At(system.start, component + 1) - first;
  for (let i: u32 = 0; i < n; ++i) {
    const s = u32At(system.order, first + i);
    const row = rowOf(matrix, n, i);
    let lower = lowerAt(system.gain, s);
    let upper = upperAt(system.gain, s);
    const end = u32At(chain.rowStart, s + 1);
    for (let e = u32At(chain.rowStart, s); e < end; ++e) {
      const t = u32At(chain.columns, e);
      if (u32At(system.componentOf, t) == component) continue;
      lower += f64At(chain.values, e) * lowerAt(system.bounds, t);
      upper += f64At(chain.values, e) * upperAt(system.bounds, t);
    }
    setF64(row, LOWER, lower);
    setF64(row, UPPER, upper);
  }
}

/** Solves a component whose states are all censored, and narrows its bounds by the result and its error. */
export function substituteSystem(system: System, component: u32, matrix: usize): Status {
  const first = u32At(system.start, component);
  const n = u32At(system.start, component + 1) - first;
  let status: Status;
  if (system.transposed) {
    setUpGains(system, component, matrix);
    status = substituteTransposed(matrix, n);
  } else {
    status = substituteMatrix(matrix, n);
  }
  if (status != Status.Ok) return status;
  for (let k: u32 = 0; k < n; ++k) {
    if (!(f64At(rowOf(matrix, n, k), LOWER) < Infinity)) return Status.Underflow;
  }
  const error = errorBound(system, first, n);
  for (let k: u32 = 0; k < n; ++k) {
    const row = rowOf(matrix, n, k);
    const s = u32At(system.order, first + k);
    tighten(system.bounds, s, f64At(row, LOWER) * (1 - error), f64At(row, UPPER) * (1 + error));
  }
  return Status.Ok;
}

/**
 * Visits from what starts in each state (LOWER, UPPER), which they replace. What starts in a censored state starts where the
 * state first goes; the visits of state k are what starts there and what arrives from the states before it, divided by its
 * pivot. The numbers rounded, and how often, are those of `substituteMatrix` with rows and columns exchanged, so the error
 * bound is the same: a start is one more entry of the matrix while states are censored.
 */
function substituteTransposed(matrix: usize, n: u32): Status {
  for (let k = n; k-- > 1; ) {
    const row = rowOf(matrix, n, k);
    const status = passOn(matrix, n, k, 0, k, f64At(row, FIRST + k));
    if (status != Status.Ok) return status;
  }
  for (let k: u32 = 0; k < n; ++k) {
    const row = rowOf(matrix, n, k);
    const pivot = f64At(row, FIRST + k);
    setF64(row, LOWER, f64At(row, LOWER) / pivot);
    setF64(row, UPPER, f64At(row, UPPER) / pivot);
    const status = passOn(matrix, n, k, k + 1, n, 1);
    if (status != Status.Ok) return status;
  }
  return Status.Ok;
}

/** Adds what starts in state `k`, times its entries for states `from` (included) to `to` (excluded) divided by `pivot`, to theirs. */
function passOn(matrix: usize, n: u32, k: u32, from: u32, to: u32, pivot: f64): Status {
  const row = rowOf(matrix, n, k);
  const lower = f64At(row, LOWER);
  const upper = f64At(row, UPPER);
  if (upper == 0) return Status.Ok;
  for (let j = from; j < to; ++j) {
    const entry = f64At(row, FIRST + j);
    if (entry == 0) continue;
    const factor = entry / pivot;
    if (factor * upper < NORMAL || (lower > 0 && factor * lower < NORMAL)) return Status.Underflow;
    const other = rowOf(matrix, n, j);
    setF64(other, LOWER, f64At(other, LOWER) + factor * lower);
    setF64(other, UPPER, f64At(other, UPPER) + factor * upper);
  }
  return Status.Ok;
}

/** Adds the gains of a component to what its rows gain, once they are set up for an elimination that keeps zeros. Rows only. */
export function addGains(system: System, component: u32, sparse: Sparse): void {
  const first = u32At(system.start, component);
  for (let i: u32 = 0; i < sparse.states; ++i) {
    const s = u32At(system.order, first + i);
    const lower = lowerAt(sparse.gains, i) + lowerAt(system.gain, s);
    setBounds(sparse.gains, i, lower, upperAt(sparse.gains, i) + upperAt(system.gain, s));
  }
  sparse.roundings += 2;
}

/** `substituteSparse`; lower bounds that overflowed, as those of no finite value's successors did, start again from 0. */
export function substituteSparseSystem(system: System, component: u32, sparse: Sparse): Status {
  const status = substituteSparse(system, component, sparse);
  const end = u32At(system.start, component + 1);
  for (let i = u32At(system.start, component); i < end; ++i) {
    const s = u32At(system.order, i);
    if (lowerAt(system.bounds, s) == Infinity) setLower(system.bounds, s, 0);
  }
  return status;
}

/**
 * As derived in elimination.ts, with the longer of a state's row and column for d, once more for the gains, which enter a
 * solution once, and 16 for the gain itself and the outward multiplication.
 */
function errorBound(system: System, first: u32, n: u32): f64 {
  let longest: u32 = 0;
  for (let i: u32 = 0; i < n; ++i) {
    const s = u32At(system.order, first + i);
    const rows = u32At(system.source.rowStart, s + 1) - u32At(system.source.rowStart, s);
    longest = max(longest, max(rows, u32At(system.chain.rowStart, s + 1) - u32At(system.chain.rowStart, s)));
  }
  return 1.01 * (roundingsOf(n) + (2 * <f64>n + 1) * <f64>longest + 16) * UNIT_ROUNDOFF;
}
