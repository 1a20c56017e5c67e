import { f64At, setF64, setU32, u32At } from "../memory";
import { Status } from "../status";
import { NORMAL } from "./elimination";
import { cheapestOf, delist, enlist } from "./markowitz";
import { lowerAt, setBounds, smallestOf, upperAt } from "./rounding";
import { CENSORED, Sparse } from "./sparseRows";

/**
 * Direct solution of a component that keeps its zeros: the elimination of elimination.ts on rows that hold positive entries
 * only. Any order of censoring is equally stable, because nothing is subtracted; here it is always a state with the smallest
 * product of predecessors and successors (Markowitz 1957, doi:10.1287/mnsc.3.3.255), so that few entries are created. Once
 * the states that are left nearly all follow each other, they are better solved as a dense matrix.
 *
 * Error bound. As in elimination.ts, entries perturbed by relative e change the solution by at most 2e for each row that is
 * perturbed. Censoring a state with d successors and p predecessors rounds each entry of those p rows at most d + 3 times:
 * 2p(d + 3) units 2^-53. Substituting it back rounds 2d + 2 times. Setting up a row with d entries rounds at most d times.
 * `roundings` counts all of it while it happens.
 */

/**
 * Censors states, cheapest first, for about `work` products: `Unfinished` if there are more, `Full` if an arena is too small
 * to go on, `Ok` if none are left, or if the rest is dense enough to be solved as a matrix.
 */
export function eliminateSparse(sparse: Sparse, work: f64): Status {
  const end = sparse.work + work;
  while (sparse.remaining > 0) {
    if (sparse.work >= end) return Status.Unfinished;
    const remaining = <f64>sparse.remaining;
    if (8 * <f64>sparse.remainingEntries > remaining * remaining) break;
    const status = censorSparse(sparse, cheapestOf(sparse));
    if (status != Status.Ok) return status;
  }
  return Status.Ok;
}

/** Exported so that an engine without on-stack replacement enters it anew, see `intervalSweep`. */
export function censorSparse(sparse: Sparse, k: u32): Status {
  const length = u32At(sparse.rowLength, k);
  const count = u32At(sparse.predecessorCount, k);
  if (!hasRoom(sparse, k, length, count)) return Status.Full;

  const start = u32At(sparse.rowAt, k);
  const gains = sparse.gains;
  let pivot = f64At(sparse.exit, k);
  let smallest = min(smallestOf(pivot), min(smallestOf(lowerAt(gains, k)), smallestOf(upperAt(gains, k))));
  for (let e = start; e < start + length; ++e) {
    const value = f64At(sparse.values, e);
    pivot += value;
    smallest = min(smallest, value);
  }
  if (!(pivot > 0)) return Status.Underflow;

  delist(sparse, k);
  setU32(sparse.mark, k, CENSORED);
  for (let j: u32 = 0; j < length; ++j) {
    const column = u32At(sparse.columns, start + j);
    delist(sparse, column);
    setU32(sparse.predecessorCount, column, u32At(sparse.predecessorCount, column) - 1);
    setU32(sparse.mark, column, j + 1);
    reserveList(sparse, column, count);
  }
  const list = u32At(sparse.listAt, k);
  const listEnd = list + u32At(sparse.listLength, k);
  let status: Status = Status.Ok;
  for (let e = list; e < listEnd; ++e) {
    const i = u32At(sparse.predecessors, e);
    const mark = u32At(sparse.mark, i);
    if (mark == CENSORED) continue;
    if (mark == 0) delist(sparse, i);
    if (!addRow(sparse, i, k, pivot, smallest)) status = Status.Underflow;
    if (mark == 0) enlist(sparse, i);
  }
  for (let j: u32 = 0; j < length; ++j) {
    const column = u32At(sparse.columns, start + j);
    setU32(sparse.mark, column, 0);
    setU32(sparse.taken, j, 0);
    enlist(sparse, column);
  }
  setF64(sparse.exit, k, pivot);
  setU32(sparse.order, sparse.states - sparse.remaining, k);
  sparse.remaining -= 1;
  sparse.remainingEntries -= length;
  sparse.roundings += 2 * <f64>count * <f64>(length + 3) + 2 * <f64>length + 2;
  return status;
}

/** Whether all rows and lists that censoring `k` may lengthen could be moved to the ends of the arenas. */
function hasRoom(sparse: Sparse, k: u32, length: u32, count: u32): bool {
  let rows: u64 = 0;
  const list = u32At(sparse.listAt, k);
  const listEnd = list + u32At(sparse.listLength, k);
  for (let e = list; e < listEnd; ++e) {
    const i = u32At(sparse.predecessors, e);
    if (u32At(sparse.mark, i) != CENSORED) rows += roomFor(u32At(sparse.rowLength, i) + length);
  }
  let lists: u64 = 0;
  const start = u32At(sparse.rowAt, k);
  for (let e = start; e < start + length; ++e) {
    lists += roomFor(u32At(sparse.predecessorCount, u32At(sparse.columns, e)) + count);
  }
  return (
    rows + <u64>sparse.rowsUsed <= <u64>sparse.rowRoom &&
    lists + <u64>sparse.predecessorsUsed <= <u64>sparse.predecessorRoom
  );
}

// @ts-ignore: decorator
@inline
function roomFor(length: u32): u32 {
  return length + (length >>> 1);
}

/** Exported for the same reason: row `i` goes where row `k` goes instead of to `k`. False if numbers became too small. */
export function addRow(sparse: Sparse, i: u32, k: u32, pivot: f64, smallest: f64): bool {
  const columns = sparse.columns;
  const values = sparse.values;
  const added = u32At(sparse.rowLength, k);
  const from = u32At(sparse.rowAt, k);
  let at = u32At(sparse.rowAt, i);
  let length = u32At(sparse.rowLength, i);

  // The entry of k leaves, and the last one takes its place.
  let e = at;
  while (u32At(columns, e) != k) ++e;
  const factor = f64At(values, e) / pivot;
  --length;
  setU32(columns, e, u32At(columns, at + length));
  setF64(values, e, f64At(values, at + length));
  setF64(sparse.exit, i, f64At(sparse.exit, i) + factor * f64At(sparse.exit, k));
  setBounds(
    sparse.gains,
    i,
    lowerAt(sparse.gains, i) + factor * lowerAt(sparse.gains, k),
    upperAt(sparse.gains, i) + factor * upperAt(sparse.gains, k)
  );

  let missing = added;
  for (e = at; e < at + length; ++e) {
    const place = u32At(sparse.mark, u32At(columns, e));
    if (place == 0) continue;
    setF64(values, e, f64At(values, e) + factor * f64At(values, from + place - 1));
    setU32(sparse.taken, place - 1, i + 1);
    --missing;
  }
  const own = u32At(sparse.mark, i); // a way from i back to i is no move
  if (own != 0) {
    setU32(sparse.taken, own - 1, i + 1);
    --missing;
  }
  if (missing > 0) {
    if (length + missing > u32At(sparse.rowLimit, i)) at = moveRow(sparse, i, at, length, length + missing);
    for (let j: u32 = 0; j < added; ++j) {
      if (u32At(sparse.taken, j) == i + 1) continue;
      const column = u32At(columns, from + j);
      setU32(columns, at + length, column);
      setF64(values, at + length, factor * f64At(values, from + j));
      ++length;
      addPredecessor(sparse, column, i);
    }
  }
  sparse.remainingEntries += length - u32At(sparse.rowLength, i);
  sparse.work += <f64>(length + added);
  setU32(sparse.rowLength, i, length);
  return factor * smallest >= NORMAL;
}

/** Gives a row room for `needed` entries and more at the end of the arena; returns where it is then. */
function moveRow(sparse: Sparse, i: u32, at: u32, length: u32, needed: u32): u32 {
  const to = sparse.rowsUsed;
  memory.copy(sparse.columns + (<usize>to << 2), sparse.columns + (<usize>at << 2), <usize>length << 2);
  memory.copy(sparse.values + (<usize>to << 3), sparse.values + (<usize>at << 3), <usize>length << 3);
  setU32(sparse.rowAt, i, to);
  setU32(sparse.rowLimit, i, roomFor(needed));
  sparse.rowsUsed = to + roomFor(needed);
  return to;
}

function addPredecessor(sparse: Sparse, column: u32, i: u32): void {
  const length = u32At(sparse.listLength, column);
  setU32(sparse.predecessors, u32At(sparse.listAt, column) + length, i);
  setU32(sparse.listLength, column, length + 1);
  setU32(sparse.predecessorCount, column, u32At(sparse.predecessorCount, column) + 1);
}

/** Makes sure that a list can take `more` states, dropping those censored, and moving it if it stays nearly full. */
function reserveList(sparse: Sparse, column: u32, more: u32): void {
  const length = u32At(sparse.listLength, column);
  const limit = u32At(sparse.listLimit, column);
  if (length + more <= limit) return;
  const needed = u32At(sparse.predecessorCount, column) + more;
  const at = u32At(sparse.listAt, column);
  let to = at;
  if (needed + (needed >>> 2) > limit) {
    to = sparse.predecessorsUsed;
    setU32(sparse.listAt, column, to);
    setU32(sparse.listLimit, column, roomFor(needed));
    sparse.predecessorsUsed = to + roomFor(needed);
  }
  let kept: u32 = 0;
  for (let e = at; e < at + length; ++e) {
    const s = u32At(sparse.predecessors, e);
    if (u32At(sparse.mark, s) != CENSORED) setU32(sparse.predecessors, to + kept++, s);
  }
  setU32(sparse.listLength, column, kept);
}
