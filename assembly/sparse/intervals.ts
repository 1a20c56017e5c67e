import { f64At, setF64, setU32, u32At } from "../memory";

/**
 * An interval model: rows in groups, one group a state, prepared by the bindings (bindings/solvers/kernel/intervalRows.ts says what
 * the numbers mean).
 */
@unmanaged
export class Intervals {
  states: u32;
  rows: u32;
  entries: u32;
  /** Entries of the longest row. */
  longest: u32;
  /** f64[entries] each */
  lower: usize;
  upper: usize;
  centre: usize;
  /** f64[rows] each */
  radius: usize;
  excess: usize;
  /** f64[longest] each: the distribution found last, and the values it was sorted by; together scratch in between. */
  mass: usize;
  keys: usize;
  /** u32[states + 1] */
  groupStart: usize;
  /** u32[rows + 1] */
  rowStart: usize;
  /** u32[entries] */
  columns: usize;
  /** u32[entries]: places in the row, from best to worst when it was sorted last. */
  order: usize;
  /** u32[states + 1] */
  predecessorStart: usize;
  /** u32[entries]: states, once for each entry. */
  predecessors: usize;
  /** What was moved to find `mass`. */
  moved: f64;
  /** Results of `mean`. */
  meanLower: f64;
  meanUpper: f64;
}

const STRUCT: usize = (offsetof<Intervals>() + 7) & ~7;

export function intervalsBytes(states: u32, rows: u32, entries: u32, longest: u32): f64 {
  return <f64>STRUCT + 36 * <f64>entries + 20 * <f64>rows + 16 * <f64>longest + 8 * <f64>states + 12;
}

/** Lays out a model in a block of `intervalsBytes` bytes. The caller then fills its arrays and calls `prepareIntervals`. */
export function layOutIntervals(block: usize, states: u32, rows: u32, entries: u32, longest: u32): Intervals {
  const model = changetype<Intervals>(block);
  const perEntry = <usize>entries << 3;
  const perRow = <usize>rows << 3;
  model.states = states;
  model.rows = rows;
  model.entries = entries;
  model.longest = longest;
  model.lower = block + STRUCT;
  model.upper = model.lower + perEntry;
  model.centre = model.upper + perEntry;
  model.radius = model.centre + perEntry;
  model.excess = model.radius + perRow;
  model.mass = model.excess + perRow;
  model.keys = model.mass + (<usize>longest << 3);
  model.groupStart = model.keys + (<usize>longest << 3);
  model.rowStart = model.groupStart + ((<usize>states + 1) << 2);
  model.columns = model.rowStart + ((<usize>rows + 1) << 2);
  model.order = model.columns + (<usize>entries << 2);
  model.predecessorStart = model.order + (<usize>entries << 2);
  model.predecessors = model.predecessorStart + ((<usize>states + 1) << 2);
  return model;
}

/** Where array number `i` of a model lies, in the order of bindings/solvers/kernel/wasm/intervals.ts. */
export function intervalArray(model: Intervals, i: u32): usize {
  if (i == 0) return model.groupStart;
  if (i == 1) return model.rowStart;
  if (i == 2) return model.columns;
  if (i == 3) return model.lower;
  if (i == 4) return model.upper;
  if (i == 5) return model.centre;
  if (i == 6) return model.radius;
  if (i == 7) return model.excess;
  return model.mass;
}

/** Fills what follows from the rows: an order to begin sorting with, and predecessors. */
export function prepareIntervals(model: Intervals): void {
  const starts = model.predecessorStart;
  memory.fill(starts, 0, (<usize>model.states + 1) << 2);
  for (let row: u32 = 0; row < model.rows; ++row) {
    const start = u32At(model.rowStart, row);
    const end = u32At(model.rowStart, row + 1);
    for (let e = start; e < end; ++e) {
      setU32(model.order, e, e - start);
      const t = u32At(model.columns, e);
      setU32(starts, t, u32At(starts, t) + 1);
    }
  }
  let total: u32 = 0;
  for (let t: u32 = 0; t < model.states; ++t) {
    total += u32At(starts, t);
    setU32(starts, t, total);
  }
  setU32(starts, model.states, total);
  for (let s = model.states; s-- > 0; ) {
    const end = entriesEnd(model, s);
    for (let e = entriesStart(model, s); e < end; ++e) {
      const t = u32At(model.columns, e);
      const place = u32At(starts, t) - 1;
      setU32(starts, t, place);
      setU32(model.predecessors, place, s);
    }
  }
}

/** The entries of all rows of a state lie together. */
// @ts-ignore: decorator
@inline
export function entriesStart(model: Intervals, s: u32): u32 {
  return u32At(model.rowStart, u32At(model.groupStart, s));
}

// @ts-ignore: decorator
@inline
export function entriesEnd(model: Intervals, s: u32): u32 {
  return u32At(model.rowStart, u32At(model.groupStart, s + 1));
}

/** Whether an entry can be positive. In a row that is no point, every entry can. */
// @ts-ignore: decorator
@inline
export function possible(model: Intervals, e: u32): bool {
  return f64At(model.upper, e) > 0;
}

/** Copies the distribution found last to the entries of its row. */
export function copyMass(model: Intervals, row: u32, to: usize): void {
  const start = u32At(model.rowStart, row);
  const size = u32At(model.rowStart, row + 1) - start;
  for (let i: u32 = 0; i < size; ++i) setF64(to, start + i, f64At(model.mass, i));
}
