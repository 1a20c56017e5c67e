import { f64At, setF64, setU32, u32At } from "../memory";
import { Status } from "../status";
import { EXIT, FIRST, LOWER, NORMAL, UPPER, eliminationBytes, roundingsOf, rowOf } from "./elimination";
import { enlist, forgetCosts } from "./markowitz";
import { UNIT_ROUNDOFF, lowerAt, setBounds, smallestOf, tighten, upperAt } from "./rounding";
import { CENSORED, Sparse, listPredecessors } from "./sparseRows";
import { Until } from "./until";

/** What elimination that keeps zeros begins with, the rows of a component, and what it ends with, the bounds of its states. */

/** Entries that a component's states have inside it. */
export function innerEntries(until: Until, component: u32): u32 {
  const chain = until.chain;
  const last = u32At(until.start, component + 1);
  let entries: u32 = 0;
  for (let i = u32At(until.start, component); i < last; ++i) {
    const s = u32At(until.order, i);
    const end = u32At(chain.rowEnd, s);
    for (let e = u32At(chain.rowStart, s); e < end; ++e) {
      if (u32At(until.componentOf, u32At(chain.columns, e)) == component) ++entries;
    }
  }
  return entries;
}

/** Fills the rows of a component from its chain and the bounds of its successors. */
export function setUpSparse(until: Until, component: u32, sparse: Sparse): void {
  const chain = until.chain;
  const first = u32At(until.start, component);
  const n = sparse.states;
  const place = until.scratch; // u32[states]: where in the component a state is
  for (let i: u32 = 0; i < n; ++i) setU32(place, u32At(until.order, first + i), i);
  memory.fill(sparse.predecessorCount, 0, <usize>n << 2);
  memory.fill(sparse.mark, 0, <usize>n << 2);
  memory.fill(sparse.taken, 0, <usize>n << 2);

  let used: u32 = 0;
  let roundings: f64 = 8;
  for (let i: u32 = 0; i < n; ++i) {
    const s = u32At(until.order, first + i);
    const start = u32At(chain.rowStart, s);
    const end = u32At(chain.rowEnd, s);
    let exit = 0.0;
    let lower = 0.0;
    let upper = 0.0;
    setU32(sparse.rowAt, i, used);
    for (let e = start; e < end; ++e) {
      const t = u32At(chain.columns, e);
      const probability = f64At(chain.values, e);
      if (u32At(until.componentOf, t) == component) {
        const column = u32At(place, t);
        setU32(sparse.columns, used, column);
        setF64(sparse.values, used, probability);
        setU32(sparse.predecessorCount, column, u32At(sparse.predecessorCount, column) + 1);
        ++used;
      } else {
        exit += probability;
        lower += probability * lowerAt(until.bounds, t);
        upper += probability * upperAt(until.bounds, t);
      }
    }
    setU32(sparse.rowLength, i, used - u32At(sparse.rowAt, i));
    setU32(sparse.rowLimit, i, used - u32At(sparse.rowAt, i));
    setF64(sparse.exit, i, exit);
    setBounds(sparse.gains, i, lower, upper);
    roundings += 2 * <f64>(end - start);
  }
  sparse.rowsUsed = used;
  sparse.remaining = n;
  sparse.remainingEntries = used;
  sparse.work = 0;
  sparse.roundings = roundings;
  listPredecessors(sparse);

  forgetCosts(sparse);
  for (let i: u32 = 0; i < n; ++i) enlist(sparse, i);
}

/** Fills the matrix of `eliminationBytes(remaining)` bytes with the rows that are left. */
export function setUpRest(sparse: Sparse, matrix: usize): void {
  const n = sparse.remaining;
  const place = sparse.taken;
  const rest = sparse.order + (<usize>(sparse.states - n) << 2);
  let found: u32 = 0;
  for (let i: u32 = 0; i < sparse.states; ++i) {
    if (u32At(sparse.mark, i) == CENSORED) continue;
    setU32(place, i, found);
    setU32(rest, found++, i);
  }
  memory.fill(matrix, 0, <usize>eliminationBytes(n));
  for (let r: u32 = 0; r < n; ++r) {
    const i = u32At(rest, r);
    const row = rowOf(matrix, n, r);
    setF64(row, EXIT, f64At(sparse.exit, i));
    setF64(row, LOWER, lowerAt(sparse.gains, i));
    setF64(row, UPPER, upperAt(sparse.gains, i));
    const end = u32At(sparse.rowAt, i) + u32At(sparse.rowLength, i);
    for (let e = u32At(sparse.rowAt, i); e < end; ++e) {
      setF64(row, FIRST + u32At(place, u32At(sparse.columns, e)), f64At(sparse.values, e));
    }
  }
  sparse.roundings += roundingsOf(n);
}

/** Takes the solution of the rest from its matrix, after `substituteMatrix`. */
export function takeRest(sparse: Sparse, matrix: usize): void {
  const n = sparse.remaining;
  for (let r: u32 = 0; r < n; ++r) {
    const row = rowOf(matrix, n, r);
    setBounds(sparse.gains, u32At(sparse.order, sparse.states - n + r), f64At(row, LOWER), f64At(row, UPPER));
  }
}

/**
 * Solves for the censored states, last one first, and narrows the bounds of the component by the result and its error, which
 * is a bound of all products of roundings as long as it is small.
 */
export function substituteSparse(until: Until, component: u32, sparse: Sparse): Status {
  const gains = sparse.gains;
  let smallestValue = 1.0;
  for (let r = sparse.states - sparse.remaining; r < sparse.states; ++r) {
    const i = u32At(sparse.order, r);
    smallestValue = min(smallestValue, min(smallestOf(lowerAt(gains, i)), smallestOf(upperAt(gains, i))));
  }
  for (let r = sparse.states - sparse.remaining; r-- > 0; ) {
    const i = u32At(sparse.order, r);
    const end = u32At(sparse.rowAt, i) + u32At(sparse.rowLength, i);
    let lower = lowerAt(gains, i);
    let upper = upperAt(gains, i);
    let smallest = 1.0;
    for (let e = u32At(sparse.rowAt, i); e < end; ++e) {
      const value = f64At(sparse.values, e);
      const t = u32At(sparse.columns, e);
      lower += value * lowerAt(gains, t);
      upper += value * upperAt(gains, t);
      smallest = min(smallest, value);
    }
    if (smallest * smallestValue < NORMAL) return Status.Underflow;
    const pivot = f64At(sparse.exit, i);
    lower /= pivot;
    upper /= pivot;
    setBounds(gains, i, lower, upper);
    smallestValue = min(smallestValue, min(smallestOf(lower), smallestOf(upper)));
  }

  const error = 1.01 * sparse.roundings * UNIT_ROUNDOFF;
  if (!(error < 0.01)) return Status.Underflow;
  const first = u32At(until.start, component);
  for (let i: u32 = 0; i < sparse.states; ++i) {
    const s = u32At(until.order, first + i);
    tighten(until.bounds, s, lowerAt(gains, i) * (1 - error), upperAt(gains, i) * (1 + error));
  }
  return Status.Ok;
}
