import { setU32, u32At } from "../memory";

/**
 * Rows of a component that hold positive entries only, while its states are censored one after another (see
 * sparseElimination.ts), with the lists that find the cheapest next one (see markowitz.ts).
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
/** `mark` of censored states. */
export const CENSORED: u32 = 0xffffffff;
/** Costs below SINGLE have a list each, those above share 64 lists an octave. */
export const SINGLE: u32 = 1024;
export const COSTS: u32 = SINGLE + 54 * 64;

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

/** Fills the lists of predecessors by the rows, without room to grow. */
export function listPredecessors(sparse: Sparse): void {
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
