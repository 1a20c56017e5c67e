import { f64At, setF64, setU32, u32At } from "../memory";
import { SMALLEST } from "../sparse/csr";
import { lowerAt, outward, setBounds, tighten, upperAt } from "./rounding";
import { Until } from "./until";

/**
 * The rows of one component, copied for many sweeps: states are renumbered in the order of the component, except that within
 * each window of WINDOW states rows of one length come together, as runs whose loop over entries is unrolled. What comes from
 * outside the component is summed up once, and entries are divided by the exit beforehand. Bounds lie as [lower, -upper], so
 * that both may only rise.
 *
 * A term of a row with k entries still takes at most k + 3 roundings: exit, division, product, and the k additions, of which
 * the first adds to 0, or to a sum that began so; the outward multiplication is the fourth that `outward` covers.
 */
@unmanaged
export class RowBlocks {
  states: u32;
  /** Where its states begin among those that `bounds` and `outside` are of; 0 but for a part, see assembly/threads. */
  first: u32;
  /** RowBlocks: u32[4] each, the length of its rows inside the component, how many there are, and the longest row in all. */
  count: u32;
  runs: usize;
  /** f64[2 * states] each: current bounds, and what comes from outside. */
  bounds: usize;
  outside: usize;
  /** f64[entries], and the places of the successors' bounds, relative to `bounds`: u32[entries]. */
  values: usize;
  columns: usize;
  entries: u32;
  /** u32[states] */
  order: usize;
}

const STRUCT: usize = (offsetof<RowBlocks>() + 15) & ~15;
const WINDOW: u32 = 1024;
/** Rows of this many entries and more are each a run. */
const LONG: u32 = 16;

export function rowBlocksBytes(states: u32, entries: u32): f64 {
  return <f64>STRUCT + 12 * <f64>entries + 36 * <f64>states + 16 * <f64>mostRuns(states, entries);
}

function mostRuns(states: u32, entries: u32): u32 {
  return ((states + WINDOW - 1) / WINDOW) * LONG + entries / LONG;
}

/** Copies a component of `states` states with `entries` entries inside it to a block of `rowBlocksBytes` bytes. */
export function buildRowBlocks(block: usize, until: Until, component: u32, states: u32, entries: u32): RowBlocks {
  const copy = changetype<RowBlocks>(block);
  copy.states = states;
  copy.first = 0;
  copy.entries = entries;
  copy.bounds = block + STRUCT;
  copy.outside = copy.bounds + (<usize>states << 4);
  copy.values = copy.outside + (<usize>states << 4);
  copy.runs = copy.values + (<usize>entries << 3);
  copy.columns = copy.runs + (<usize>mostRuns(states, entries) << 4);
  copy.order = copy.columns + (<usize>entries << 2);
  copy.count = 0;

  const first = u32At(until.start, component);
  const place = until.scratch; // u32[chain.states]: where a state is in the copy
  for (let from: u32 = 0; from < states; from += WINDOW) {
    sortWindow(copy, until, component, first, from, min(from + WINDOW, states));
  }
  for (let i: u32 = 0; i < states; ++i) setU32(place, u32At(copy.order, i), i);
  let filled: u32 = 0;
  for (let i: u32 = 0; i < states; ++i) filled = copyRow(copy, until, component, i, filled);
  measureRowBlocks(copy, until);
  return copy;
}

function innerLength(until: Until, component: u32, s: u32): u32 {
  const chain = until.chain;
  const end = u32At(chain.rowEnd, s);
  let length: u32 = 0;
  for (let e = u32At(chain.rowStart, s); e < end; ++e) {
    if (u32At(until.componentOf, u32At(chain.columns, e)) == component) ++length;
  }
  return length;
}

/** Puts states `from` to `to` of a component in the order of the copy, and adds their runs. */
function sortWindow(copy: RowBlocks, until: Until, component: u32, first: u32, from: u32, to: u32): void {
  const lengths = copy.outside; // u32[states], scratch until rows are copied
  const sums = memory.data(4 * (LONG + 1));
  memory.fill(sums, 0, 4 * (LONG + 1));
  for (let i = from; i < to; ++i) {
    const length = innerLength(until, component, u32At(until.order, first + i));
    setU32(lengths, i, length);
    const key = min(length, LONG);
    setU32(sums, key, u32At(sums, key) + 1);
  }
  let place = from;
  for (let key: u32 = 0; key <= LONG; ++key) {
    const size = u32At(sums, key);
    if (size > 0 && key < LONG) addRun(copy, key, size);
    setU32(sums, key, place);
    place += size;
  }
  for (let i = from; i < to; ++i) {
    const length = u32At(lengths, i);
    const key = min(length, LONG);
    const at = u32At(sums, key);
    setU32(sums, key, at + 1);
    setU32(copy.order, at, u32At(until.order, first + i));
    if (key == LONG) addRun(copy, length, 1);
  }
}

function addRun(copy: RowBlocks, length: u32, size: u32): void {
  const run = copy.runs + (<usize>copy.count << 4);
  copy.count += 1;
  store<u32>(run, length);
  store<u32>(run, size, 4);
  store<u32>(run, 0, 8);
}

function copyRow(copy: RowBlocks, until: Until, component: u32, i: u32, filled: u32): u32 {
  const chain = until.chain;
  const s = u32At(copy.order, i);
  const end = u32At(chain.rowEnd, s);
  const exit = f64At(chain.exit, s);
  let lower = 0.0;
  let upper = 0.0;
  for (let e = u32At(chain.rowStart, s); e < end; ++e) {
    const t = u32At(chain.columns, e);
    const value = f64At(chain.values, e) / exit;
    if (u32At(until.componentOf, t) == component) {
      setF64(copy.values, filled, value);
      setU32(copy.columns, filled, u32At(until.scratch, t) << 4);
      ++filled;
    } else {
      lower += value * lowerAt(until.bounds, t);
      upper += value * upperAt(until.bounds, t);
    }
  }
  setBounds(copy.outside, i, lower, -upper);
  setBounds(copy.bounds, i, lowerAt(until.bounds, s), -upperAt(until.bounds, s));
  return filled;
}

/** Notes in each run how long its longest row is in all, on which its rounding depends. */
function measureRowBlocks(copy: RowBlocks, until: Until): void {
  const chain = until.chain;
  let i: u32 = 0;
  for (let r: u32 = 0; r < copy.count; ++r) {
    const run = copy.runs + (<usize>r << 4);
    let longest: u32 = 0;
    for (let left = load<u32>(run, 4); left > 0; --left, ++i) {
      const s = u32At(copy.order, i);
      longest = max(longest, u32At(chain.rowEnd, s) - u32At(chain.rowStart, s));
    }
    store<u32>(run, longest, 8);
  }
}

/** Up to `count` sweeps after `from` earlier ones, as `intervalSweeps`. */
export function rowBlocksSweeps(copy: RowBlocks, from: u32, count: u32): u32 {
  let done: u32 = 0;
  while (done < count && (((from + done) & 7) == 7 ? sweepBackward(copy) : sweepForward(copy))) ++done;
  return done;
}

/** Exported so that an engine without on-stack replacement enters it anew, see `intervalSweep`. */
export function sweepForward(copy: RowBlocks): bool {
  let row: usize = copy.bounds + (<usize>copy.first << 4);
  let values = copy.values;
  let columns = copy.columns;
  const distance = copy.outside - copy.bounds;
  const end = copy.runs + (<usize>copy.count << 4);
  let moved = false;
  for (let run = copy.runs; run < end; run += 16) {
    const length = load<u32>(run);
    const size = load<u32>(run, 4);
    if (sweepRun(copy.bounds, distance, row, values, columns, length, size, load<u32>(run, 8), 1)) moved = true;
    row += <usize>size << 4;
    values += <usize>(size * length) << 3;
    columns += <usize>(size * length) << 2;
  }
  return moved;
}

/** Exported for the same reason. */
export function sweepBackward(copy: RowBlocks): bool {
  let row: usize = copy.bounds + ((<usize>copy.first + copy.states) << 4);
  let values = copy.values + (<usize>copy.entries << 3);
  let columns = copy.columns + (<usize>copy.entries << 2);
  const distance = copy.outside - copy.bounds;
  let moved = false;
  for (let run = copy.runs + (<usize>copy.count << 4); run > copy.runs; ) {
    run -= 16;
    const length = load<u32>(run);
    const size = load<u32>(run, 4);
    // The last row of the run comes first.
    const last = row - 16;
    const lastValues = values - (<usize>length << 3);
    const lastColumns = columns - (<usize>length << 2);
    if (sweepRun(copy.bounds, distance, last, lastValues, lastColumns, length, size, load<u32>(run, 8), -1)) moved = true;
    row -= <usize>size << 4;
    values -= <usize>(size * length) << 3;
    columns -= <usize>(size * length) << 2;
  }
  return moved;
}

/** Exported for the same reason: `size` rows of `length` entries each, up or down from those given. */
export function sweepRun(
  bounds: usize,
  distance: usize,
  row: usize,
  values: usize,
  columns: usize,
  length: u32,
  size: u32,
  longest: u32,
  step: i32
): bool {
  switch (length) {
    case 1:
      return sweepRows(bounds, distance, row, values, columns, 1, size, longest, step);
    case 2:
      return sweepRows(bounds, distance, row, values, columns, 2, size, longest, step);
    case 3:
      return sweepRows(bounds, distance, row, values, columns, 3, size, longest, step);
    case 4:
      return sweepRows(bounds, distance, row, values, columns, 4, size, longest, step);
    case 5:
      return sweepRows(bounds, distance, row, values, columns, 5, size, longest, step);
    case 6:
      return sweepRows(bounds, distance, row, values, columns, 6, size, longest, step);
    case 7:
      return sweepRows(bounds, distance, row, values, columns, 7, size, longest, step);
    case 8:
      return sweepRows(bounds, distance, row, values, columns, 8, size, longest, step);
    default:
      return sweepRows(bounds, distance, row, values, columns, length, size, longest, step);
  }
}

// @ts-ignore: decorator
@inline
function sweepRows(
  bounds: usize,
  distance: usize,
  row: usize,
  values: usize,
  columns: usize,
  length: u32,
  size: u32,
  longest: u32,
  step: i32
): bool {
  const rowStep = <isize>step << 4;
  const valueStep = <isize>(step * <i32>length) << 3;
  const columnStep = <isize>(step * <i32>length) << 2;
  const error = outward(longest);
  if (ASC_FEATURE_SIMD) {
    const factors = f64x2.replace_lane(f64x2.splat(1 - error), 1, 1 + error);
    const least = f64x2.replace_lane(f64x2.splat(SMALLEST), 1, -Infinity);
    const most = f64x2.replace_lane(f64x2.splat(Infinity), 1, -SMALLEST);
    let moved = i64x2.splat(0);
    for (let left = size; left > 0; --left) {
      let sum = v128.load(row + distance);
      if (length <= 8) {
        if (length > 0) sum = f64x2.add(sum, term(bounds, values, columns));
        if (length > 1) sum = f64x2.add(sum, term(bounds, values + 8, columns + 4));
        if (length > 2) sum = f64x2.add(sum, term(bounds, values + 16, columns + 8));
        if (length > 3) sum = f64x2.add(sum, term(bounds, values + 24, columns + 12));
        if (length > 4) sum = f64x2.add(sum, term(bounds, values + 32, columns + 16));
        if (length > 5) sum = f64x2.add(sum, term(bounds, values + 40, columns + 20));
        if (length > 6) sum = f64x2.add(sum, term(bounds, values + 48, columns + 24));
        if (length > 7) sum = f64x2.add(sum, term(bounds, values + 56, columns + 28));
      } else {
        for (let e: usize = 0; e < <usize>length; ++e)
          sum = f64x2.add(sum, term(bounds, values + (e << 3), columns + (e << 2)));
      }
      sum = f64x2.mul(sum, factors);
      sum = f64x2.pmin(most, v128.and(sum, f64x2.ge(sum, least)));
      const old = v128.load(row);
      v128.store(row, f64x2.pmax(old, sum));
      moved = v128.or(moved, f64x2.gt(sum, old));
      row += rowStep;
      values += valueStep;
      columns += columnStep;
    }
    return v128.any_true(moved);
  }
  let moved = false;
  for (let left = size; left > 0; --left) {
    let lower = load<f64>(row + distance);
    let upper = load<f64>(row + distance, 8);
    for (let e: usize = 0; e < <usize>length; ++e) {
      const value = load<f64>(values + (e << 3));
      const successor = bounds + <usize>load<u32>(columns + (e << 2));
      lower += value * load<f64>(successor);
      upper += value * load<f64>(successor, 8);
    }
    lower *= 1 - error;
    upper = min(upper * (1 + error), -SMALLEST);
    if (lower < SMALLEST) lower = 0;
    if (lower > load<f64>(row)) {
      store<f64>(row, lower);
      moved = true;
    }
    if (upper > load<f64>(row, 8)) {
      store<f64>(row, upper, 8);
      moved = true;
    }
    row += rowStep;
    values += valueStep;
    columns += columnStep;
  }
  return moved;
}

/** Both products of an entry: the value, with the bounds of its successor. */
// @ts-ignore: decorator
@inline
function term(bounds: usize, value: usize, column: usize): v128 {
  return f64x2.mul(v128.load64_splat(value), v128.load(bounds + <usize>load<u32>(column)));
}

/** The widest gap between the bounds of a state. */
export function rowBlocksGap(copy: RowBlocks, relative: bool): f64 {
  let widest = 0.0;
  for (let i = copy.first; i < copy.first + copy.states; ++i) {
    const lower = lowerAt(copy.bounds, i);
    const width = -upperAt(copy.bounds, i) - lower;
    widest = max(widest, width > 0 ? width / (relative ? lower : max(1, lower)) : width);
  }
  return widest;
}

/** Narrows the bounds of the problem by those of the copy. */
export function storeRowBlocks(copy: RowBlocks, until: Until): void {
  for (let i: u32 = 0; i < copy.states; ++i) {
    tighten(until.bounds, u32At(copy.order, i), lowerAt(copy.bounds, i), -upperAt(copy.bounds, i));
  }
}
