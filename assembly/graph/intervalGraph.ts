import { add, complement, has, wordsOf } from "../bitSet";
import { f64At, setF64, setU32, u32At } from "../memory";
import { Intervals, entriesEnd, entriesStart, possible } from "../sparse/intervals";

/** Of no part, or not yet found. */
export const NONE: u32 = 0xffffffff;

/** A set of states: members of the bit set `set` (or the others, if `outside`), or, if `part` is given, states with part[s] = id. */
@unmanaged
export class Region {
  set: usize;
  outside: bool;
  part: usize;
  id: u32;
}

// @ts-ignore: decorator
@inline
function contains(region: Region, t: u32): bool {
  return region.part != 0 ? u32At(region.part, t) == region.id : has(region.set, t) != region.outside;
}

/**
 * Whether some distribution of the row stays in a region: no lower bound forces it out, the upper bounds inside leave room for
 * everything, and the ball lets go of what its centre has outside, which may be the radius, or, if the centre sums to more than 1,
 * that much more. Sums are exact: who can stay by less than a rounding can stay. A point, whose sum may miss 1, stays if what is
 * possible does.
 */
export function canStay(model: Intervals, row: u32, region: Region): bool {
  const end = u32At(model.rowStart, row + 1);
  let leaves = false;
  for (let e = u32At(model.rowStart, row); e < end; ++e) {
    if (!possible(model, e) || contains(region, u32At(model.columns, e))) continue;
    if (f64At(model.lower, e) > 0) return false;
    leaves = true;
  }
  if (!leaves) return true;
  const radius = f64At(model.radius, row);
  return (
    excessOf(model, row, region, model.upper, true, -1, 0) >= 0 &&
    (excessOf(model, row, region, model.centre, false, 0, -radius) <= 0 ||
      excessOf(model, row, region, model.centre, true, -1, radius) >= 0)
  );
}

/** A number with the sign of `first` + `second` + what `entries` sum to inside or outside a region. */
function excessOf(
  model: Intervals,
  row: u32,
  region: Region,
  entries: usize,
  inside: bool,
  first: f64,
  second: f64
): f64 {
  // At most one part a term: places for two a term lie here, see `Intervals`.
  const parts = model.mass;
  let count = addExactly(parts, 0, first);
  count = addExactly(parts, count, second);
  const end = u32At(model.rowStart, row + 1);
  for (let e = u32At(model.rowStart, row); e < end; ++e) {
    if (contains(region, u32At(model.columns, e)) == inside) count = addExactly(parts, count, f64At(entries, e));
  }
  return count == 0 ? 0 : f64At(parts, count - 1);
}

/**
 * Adds a term to an exact sum: doubles that do not overlap, ascending, none of them 0, so that the last has the sign of all
 * (Shewchuk 1997, doi:10.1007/PL00009321). Returns how many there are.
 */
function addExactly(parts: usize, count: u32, term: f64): u32 {
  let kept: u32 = 0;
  for (let i: u32 = 0; i < count; ++i) {
    const part = f64At(parts, i);
    const total = term + part;
    const added = total - term;
    const lost = term - (total - added) + (part - added);
    if (lost != 0) setF64(parts, kept++, lost);
    term = total;
  }
  if (term != 0) setF64(parts, kept++, term);
  return kept;
}

/** Whether a row gives a positive chance of entering `set`: if nature minimises, whatever it does. */
function mayEnter(model: Intervals, row: u32, set: usize, natureMax: bool, region: Region): bool {
  if (!natureMax) {
    region.set = set;
    region.outside = true;
    return !canStay(model, row, region);
  }
  const end = u32At(model.rowStart, row + 1);
  for (let e = u32At(model.rowStart, row); e < end; ++e) {
    if (possible(model, e) && has(set, u32At(model.columns, e))) return true;
  }
  return false;
}

/** Whether a row stays in `set` surely: if nature maximises, whether it can. */
export function staysIn(model: Intervals, row: u32, set: usize, natureMax: bool, region: Region): bool {
  if (natureMax) {
    region.set = set;
    region.outside = false;
    return canStay(model, row, region);
  }
  const end = u32At(model.rowStart, row + 1);
  for (let e = u32At(model.rowStart, row); e < end; ++e) {
    if (possible(model, e) && !has(set, u32At(model.columns, e))) return false;
  }
  return true;
}

/** Bytes of scratch that `robustProb0` and `robustProb1` need. */
export function robustScratchBytes(states: u32): f64 {
  return <f64>offsetof<Region>() + 8 + 4 * <f64>states + 4 * <f64>wordsOf(states);
}

/**
 * The least set with `target` and all states of `remain` from which the players that maximise get a positive chance of
 * entering it, by a row of `rows` (0: any) that stays in `within` surely (0: anywhere).
 */
function attract(
  model: Intervals,
  remain: usize,
  target: usize,
  within: usize,
  rows: usize,
  schedulerMax: bool,
  natureMax: bool,
  result: usize,
  scratch: usize
): void {
  const region = changetype<Region>(scratch);
  const frontier = scratch + ((offsetof<Region>() + 7) & ~7);
  region.part = 0;
  memory.copy(result, target, <usize>wordsOf(model.states) << 2);
  let size: u32 = 0;
  for (let s: u32 = 0; s < model.states; ++s) if (has(target, s)) setU32(frontier, size++, s);
  while (size > 0) {
    const t = u32At(frontier, --size);
    const end = u32At(model.predecessorStart, t + 1);
    for (let p = u32At(model.predecessorStart, t); p < end; ++p) {
      const s = u32At(model.predecessors, p);
      if (has(result, s) || !has(remain, s)) continue;
      const groupEnd = u32At(model.groupStart, s + 1);
      let enters: bool = !schedulerMax;
      for (let row = u32At(model.groupStart, s); row < groupEnd && enters != schedulerMax; ++row) {
        enters =
          (rows == 0 || has(rows, row)) &&
          (within == 0 || staysIn(model, row, within, natureMax, region)) &&
          mayEnter(model, row, result, natureMax, region);
      }
      if (!enters) continue;
      add(result, s);
      setU32(frontier, size++, s);
    }
  }
}

/** States where the players can keep the probability at 0; see bindings/solvers/kernel/reference/intervalGraph.ts for why. */
export function robustProb0(
  model: Intervals,
  remain: usize,
  target: usize,
  schedulerMax: bool,
  natureMax: bool,
  result: usize,
  scratch: usize
): void {
  attract(model, remain, target, 0, 0, schedulerMax, natureMax, result, scratch);
  complement(result, model.states);
}

/**
 * States where the probability is 1, by rows of `rows` (0: all): the greatest set from all of whose states the target is reached with a positive chance
 * without ever leaving it. If a distribution of a row stays in a set at all, one does that also takes any given possible entry
 * within it: where the mass comes from has more than its lower bound, or the row would be a point; and a ball that is used up
 * has given some entry more than its centre.
 */
export function robustProb1(
  model: Intervals,
  remain: usize,
  target: usize,
  schedulerMax: bool,
  natureMax: bool,
  rows: usize,
  result: usize,
  scratch: usize
): void {
  const words = wordsOf(model.states);
  const within = scratch + ((offsetof<Region>() + 7) & ~7) + (<usize>model.states << 2);
  memory.fill(within, 0xff, <usize>words << 2);
  while (true) {
    attract(model, remain, target, within, rows, schedulerMax, natureMax, result, scratch);
    let same = true;
    for (let i: u32 = 0; i < words; ++i) {
      if (u32At(result, i) != u32At(within, i)) {
        // Beyond the last state `within` begins with ones.
        same = false;
        setU32(within, i, u32At(result, i));
      }
    }
    if (same) return;
  }
}

/**
 * Strongly connected components of the graph on the `count` states in `list` whose `part` is not NONE, of entries that stay in
 * a part and are possible, or, if `played` is given, members of it. Numbered successors first into `found` (Tarjan 1972, without
 * recursion); if `order` is given, it lists the states by component, and start[c] is where component c begins.
 * `scratch`: u32[5 * states]. Returns the number of components.
 */
export function partComponents(
  model: Intervals,
  list: usize,
  count: u32,
  part: usize,
  played: usize,
  found: usize,
  order: usize,
  start: usize,
  scratch: usize
): u32 {
  const bytes = <usize>model.states << 2;
  const index = scratch;
  const low = index + bytes;
  const cursor = low + bytes;
  const path = cursor + bytes;
  const stack = path + bytes;
  for (let i: u32 = 0; i < count; ++i) {
    setU32(index, u32At(list, i), 0);
    setU32(found, u32At(list, i), NONE);
  }
  let discovered: u32 = 0;
  let open: u32 = 0;
  let components: u32 = 0;
  let finished: u32 = 0;
  for (let i: u32 = 0; i < count; ++i) {
    const root = u32At(list, i);
    if (u32At(part, root) == NONE || u32At(index, root) != 0) continue;
    let depth: u32 = 0;
    let entered = root;
    while (true) {
      if (entered != NONE) {
        setU32(index, entered, ++discovered);
        setU32(low, entered, discovered);
        setU32(cursor, entered, entriesStart(model, entered));
        setU32(path, depth++, entered);
        setU32(stack, open++, entered);
        entered = NONE;
      }
      const s = u32At(path, depth - 1);
      const e = u32At(cursor, s);
      if (e < entriesEnd(model, s)) {
        setU32(cursor, s, e + 1);
        const t = u32At(model.columns, e);
        if (u32At(part, t) != u32At(part, s)) continue;
        if (played != 0 ? !has(played, e) : !possible(model, e)) continue;
        if (u32At(index, t) == 0) entered = t;
        else if (u32At(found, t) == NONE) setU32(low, s, min(u32At(low, s), u32At(index, t)));
        continue;
      }
      if (u32At(low, s) == u32At(index, s)) {
        if (order != 0) setU32(start, components, finished);
        let member: u32;
        do {
          member = u32At(stack, --open);
          setU32(found, member, components);
          if (order != 0) setU32(order, finished++, member);
        } while (member != s);
        ++components;
      }
      if (--depth == 0) break;
      const parent = u32At(path, depth - 1);
      setU32(low, parent, min(u32At(low, parent), u32At(low, s)));
    }
  }
  if (order != 0) setU32(start, components, finished);
  return components;
}
