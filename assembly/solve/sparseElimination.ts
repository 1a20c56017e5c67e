import { f64At, setF64, setU32, u32At } from "../memory";
import { Status } from "../status";
import { EXIT, FIRST, LOWER, NORMAL, UPPER, eliminationBytes, roundingsOf, rowOf } from "./elimination";
import { UNIT_ROUNDOFF, lowerAt, setBounds, tighten, upperAt } from "./rounding";
import { Until } from "./until";

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
@unmanaged
export class Sparse {
  states: u32;
  /** Entries that fit into the arena of rows. */
  rowRoom: u32;
  /** Entries that fit into the arena of predecessors. */
  predecessorRoom: u32;
  rowsUsed: u32;
  predecessorsUsed: u32;
  /** States not yet censored, and the entries of their rows. */
  remaining: u32;
  remainingEntries: u32;
  /** No state costs less. */
  cheapest: u32;
  /** Products since the start. */
  work: f64;
  roundings: f64;

  /** f64[states]: what leaves the component; of a censored state, its pivot. */
  exit: usize;
  /** f64[2 * states]: lower and upper value gained by leaving; in the end, the solution. */
  gains: usize;
  /** f64[rowRoom] */
  values: usize;
  /** u32[rowRoom] */
  columns: usize;
  /** u32[predecessorRoom]; a list may still hold states that were censored. */
  predecessors: usize;
  /** Where the row of a state begins, how long it is, and how long it may become there: three u32[states]. */
  rowAt: usize;
  rowLength: usize;
  rowLimit: usize;
  /** The same for lists of predecessors; `predecessorCount` counts those not censored. */
  listAt: usize;
  listLength: usize;
  listLimit: usize;
  predecessorCount: usize;
  /** States of one cost are linked both ways; `head`: u32[COSTS]. */
  next: usize;
  previous: usize;
  head: usize;
  /** u32[states]: first the states in the order in which they were censored, then the others. */
  order: usize;
  /** u32[states]: 1 + the place of a column in the row that is being added to others; of censored states, CENSORED. */
  mark: usize;
  /** u32[states]: for each place of that row, 1 + the state whose row has taken it up already. */
  taken: usize;
}

const STRUCT: usize = (offsetof<Sparse>() + 15) & ~15;
const NONE: u32 = 0xffffffff;
const CENSORED: u32 = 0xffffffff;
/** Costs below SINGLE have a list each, those above share 64 lists an octave. */
const SINGLE: u32 = 1024;
const COSTS: u32 = SINGLE + 54 * 64;

export function sparseBytes(states: u32, rowRoom: u32, predecessorRoom: u32): f64 {
  return <f64>STRUCT + 72 * <f64>states + 4 * <f64>COSTS + 12 * <f64>rowRoom + 4 * <f64>predecessorRoom;
}

/** Lays out `states` rows without entries in a block of `sparseBytes` bytes. */
export function layOutSparse(block: usize, states: u32, rowRoom: u32, predecessorRoom: u32): Sparse {
  const sparse = changetype<Sparse>(block);
  const words = <usize>states << 2;
  sparse.states = states;
  sparse.rowRoom = rowRoom;
  sparse.predecessorRoom = predecessorRoom;
  sparse.gains = block + STRUCT;
  sparse.exit = sparse.gains + (words << 2);
  sparse.values = sparse.exit + (words << 1);
  sparse.columns = sparse.values + (<usize>rowRoom << 3);
  sparse.predecessors = sparse.columns + (<usize>rowRoom << 2);
  sparse.rowAt = sparse.predecessors + (<usize>predecessorRoom << 2);
  sparse.rowLength = sparse.rowAt + words;
  sparse.rowLimit = sparse.rowLength + words;
  sparse.listAt = sparse.rowLimit + words;
  sparse.listLength = sparse.listAt + words;
  sparse.listLimit = sparse.listLength + words;
  sparse.predecessorCount = sparse.listLimit + words;
  sparse.next = sparse.predecessorCount + words;
  sparse.previous = sparse.next + words;
  sparse.order = sparse.previous + words;
  sparse.mark = sparse.order + words;
  sparse.taken = sparse.mark + words;
  sparse.head = sparse.taken + words;
  return sparse;
}

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

  sparse.cheapest = COSTS - 1;
  memory.fill(sparse.head, 0xff, <usize>COSTS << 2);
  for (let i: u32 = 0; i < n; ++i) enlist(sparse, i);
}

function listPredecessors(sparse: Sparse): void {
  let total: u32 = 0;
  for (let i: u32 = 0; i < sparse.states; ++i) {
    setU32(sparse.listAt, i, total);
    setU32(sparse.listLength, i, 0);
    setU32(sparse.listLimit, i, u32At(sparse.predecessorCount, i));
    total += u32At(sparse.predecessorCount, i);
  }
  sparse.predecessorsUsed = total;
  for (let i: u32 = 0; i < sparse.states; ++i) {
    if (u32At(sparse.mark, i) == CENSORED) continue;
    const end = u32At(sparse.rowAt, i) + u32At(sparse.rowLength, i);
    for (let e = u32At(sparse.rowAt, i); e < end; ++e) {
      const column = u32At(sparse.columns, e);
      const length = u32At(sparse.listLength, column);
      setU32(sparse.predecessors, u32At(sparse.listAt, column) + length, i);
      setU32(sparse.listLength, column, length + 1);
    }
  }
}

/** Copies a half-done elimination to a larger one, without the gaps. */
export function moveSparse(from: Sparse, to: Sparse): void {
  const n = from.states;
  const words = <usize>n << 2;
  memory.copy(to.gains, from.gains, words << 2);
  memory.copy(to.exit, from.exit, words << 1);
  memory.copy(to.rowLength, from.rowLength, words);
  memory.copy(to.rowLimit, from.rowLength, words);
  // The arrays from predecessorCount to head are laid out one after the other.
  memory.copy(to.predecessorCount, from.predecessorCount, 6 * words + (<usize>COSTS << 2));
  to.remaining = from.remaining;
  to.remainingEntries = from.remainingEntries;
  to.cheapest = from.cheapest;
  to.work = from.work;
  to.roundings = from.roundings;
  let used: u32 = 0;
  for (let i: u32 = 0; i < n; ++i) {
    const at = u32At(from.rowAt, i);
    const length = u32At(from.rowLength, i);
    setU32(to.rowAt, i, used);
    memory.copy(to.columns + (<usize>used << 2), from.columns + (<usize>at << 2), <usize>length << 2);
    memory.copy(to.values + (<usize>used << 3), from.values + (<usize>at << 3), <usize>length << 3);
    used += length;
  }
  to.rowsUsed = used;
  listPredecessors(to);
}

/** Entries that `moveSparse` would copy: those in use, without the gaps. */
export function sparseEntries(sparse: Sparse): u32 {
  let entries: u32 = 0;
  for (let i: u32 = 0; i < sparse.states; ++i) entries += u32At(sparse.rowLength, i);
  return entries;
}

export function sparseRemaining(sparse: Sparse): u32 {
  return sparse.remaining;
}

export function sparseWork(sparse: Sparse): f64 {
  return sparse.work;
}

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

// @ts-ignore: decorator
@inline
function costOf(sparse: Sparse, i: u32): u32 {
  const cost = <u64>u32At(sparse.predecessorCount, i) * <u64>u32At(sparse.rowLength, i);
  if (cost < SINGLE) return <u32>cost;
  return SINGLE + <u32>((reinterpret<u64>(<f64>cost) - ((<u64>1023 + 10) << 52)) >> 46);
}

function cheapestOf(sparse: Sparse): u32 {
  let cost = sparse.cheapest;
  while (u32At(sparse.head, cost) == NONE) ++cost;
  sparse.cheapest = cost;
  return u32At(sparse.head, cost);
}

function enlist(sparse: Sparse, i: u32): void {
  const cost = costOf(sparse, i);
  const next = u32At(sparse.head, cost);
  setU32(sparse.next, i, next);
  setU32(sparse.previous, i, NONE);
  if (next != NONE) setU32(sparse.previous, next, i);
  setU32(sparse.head, cost, i);
  if (cost < sparse.cheapest) sparse.cheapest = cost;
}

function delist(sparse: Sparse, i: u32): void {
  const next = u32At(sparse.next, i);
  const previous = u32At(sparse.previous, i);
  if (next != NONE) setU32(sparse.previous, next, previous);
  if (previous != NONE) setU32(sparse.next, previous, next);
  else setU32(sparse.head, costOf(sparse, i), next);
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

// @ts-ignore: decorator
@inline
function smallestOf(value: f64): f64 {
  return value > 0 ? value : 1;
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
