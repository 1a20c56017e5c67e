import { add, has, remove, wordsOf } from "../bitSet";
import {
  NONE,
  Region,
  canStay,
  partComponents,
  robustProb0,
  robustProb1,
  robustScratchBytes,
} from "../graph/intervalGraph";
import { f64At, setF64, setU32, u32At } from "../memory";
import { Intervals, entriesEnd, entriesStart, possible } from "../sparse/intervals";
import { NOBODY, lowerByRow, mean, optimise, upperByRow } from "./intervalRow";
import { lowerAt, setBounds, setUpper, tighten, upperAt } from "./rounding";

/**
 * The best P(remain U target) of an interval model: bounds of every state, and the maybe states in components, successors
 * first. What keeps upper bounds from falling are sets of states that play can stay in for ever, where the equations say
 * x = x: they are lowered to their best exit, see `lowerToExits`.
 */
@unmanaged
export class RobustUntil {
  model: Intervals;
  schedulerMax: bool;
  natureMax: bool;
  /** f64[2 * states] */
  bounds: usize;
  /** f64[states]: by end component, its best exit. */
  exits: usize;
  /** States by component: those of component c are order[start[c]] .. order[start[c + 1] - 1]. */
  order: usize;
  start: usize;
  componentOf: usize;
  /** u32[states]: the end component of a state, or NONE; those of one component are numbered from its first place. */
  part: usize;
  /** u32[states]: the row a minimising scheduler takes. */
  choice: usize;
  /** u32[states], scratch. */
  found: usize;
  scratch: usize;
  remain: usize;
  target: usize;
  zero: usize;
  one: usize;
  /** Sets of entries and of rows that end components are made of. */
  played: usize;
  playedRows: usize;
  region: usize;
}

const STRUCT: usize = (offsetof<RobustUntil>() + 7) & ~7;

function scratchBytes(states: u32): f64 {
  const bytes = max(20 * <f64>states, robustScratchBytes(states));
  return Math.ceil(bytes / 8) * 8;
}

export function robustUntilBytes(model: Intervals): f64 {
  const sets = 4 * <f64>wordsOf(model.states) + <f64>wordsOf(model.entries) + <f64>wordsOf(model.rows);
  return (
    <f64>STRUCT + <f64>offsetof<Region>() + 16 + 48 * <f64>model.states + 8 + 4 * sets + scratchBytes(model.states)
  );
}

/** Lays out a problem in a block of `robustUntilBytes` bytes. The caller then fills `remain` and `target`. */
export function layOutRobustUntil(
  block: usize,
  model: Intervals,
  schedulerMax: bool,
  natureMax: bool
): RobustUntil {
  const until = changetype<RobustUntil>(block);
  const states = <usize>model.states;
  const set = <usize>wordsOf(model.states) << 2;
  until.model = model;
  until.schedulerMax = schedulerMax;
  until.natureMax = natureMax;
  until.bounds = block + STRUCT;
  until.exits = until.bounds + (states << 4);
  until.scratch = until.exits + (states << 3);
  until.region = until.scratch + <usize>scratchBytes(model.states);
  until.order = until.region + ((offsetof<Region>() + 7) & ~7);
  until.start = until.order + (states << 2);
  until.componentOf = until.start + ((states + 1) << 2);
  until.part = until.componentOf + (states << 2);
  until.choice = until.part + (states << 2);
  until.found = until.choice + (states << 2);
  until.remain = until.found + (states << 2);
  until.target = until.remain + set;
  until.zero = until.target + set;
  until.one = until.zero + set;
  until.played = until.one + set;
  until.playedRows = until.played + (<usize>wordsOf(model.entries) << 2);
  return until;
}

/** Where set or array number `i` of a problem lies: remain, target, bounds, starts of components. */
export function robustArray(until: RobustUntil, i: u32): usize {
  if (i == 0) return until.remain;
  if (i == 1) return until.target;
  if (i == 2) return until.bounds;
  return until.start;
}

/** Decides what the graph decides, sets all bounds, and returns the number of components of maybe states. */
export function classifyRobust(until: RobustUntil): u32 {
  const model = until.model;
  const states = model.states;
  robustProb0(model, until.remain, until.target, until.schedulerMax, until.natureMax, until.zero, until.scratch);
  robustProb1(model, until.remain, until.target, until.schedulerMax, until.natureMax, until.one, until.scratch);
  const list = until.choice;
  let count: u32 = 0;
  memory.fill(until.part, 0xff, <usize>states << 2);
  memory.fill(until.componentOf, 0xff, <usize>states << 2);
  for (let s: u32 = 0; s < states; ++s) {
    if (has(until.zero, s)) setBounds(until.bounds, s, 0, 0);
    else if (has(until.one, s)) setBounds(until.bounds, s, 1, 1);
    else {
      setBounds(until.bounds, s, 0, 1);
      setU32(until.part, s, 0);
      setU32(list, count++, s);
    }
  }
  const components = partComponents(
    model,
    list,
    count,
    until.part,
    0,
    until.componentOf,
    until.order,
    until.start,
    until.scratch
  );
  memory.fill(until.part, 0xff, <usize>states << 2);
  return components;
}

/**
 * One Gauss-Seidel sweep over a component, forward or backward in its order; returns whether any bound moved. Exported so that
 * an engine without on-stack replacement enters it anew, see `intervalSweep`.
 */
export function robustSweep(until: RobustUntil, component: u32, backward: bool): bool {
  const first = u32At(until.start, component);
  const last = u32At(until.start, component + 1) - 1;
  const step = backward ? -1 : 1;
  const end = (backward ? first : last) + step;
  let moved = false;
  for (let i = backward ? last : first; i != end; i += step) {
    if (tightenByRows(until, u32At(until.order, i))) moved = true;
  }
  if (lowerToExits(until, component)) moved = true;
  return moved;
}

/** Up to `count` sweeps after `from` earlier ones; returns how many moved a bound. */
export function robustSweeps(until: RobustUntil, component: u32, from: u32, count: u32): u32 {
  let done: u32 = 0;
  while (done < count && robustSweep(until, component, ((from + done) & 7) == 7)) ++done;
  return done;
}

function tightenByRows(until: RobustUntil, s: u32): bool {
  const model = until.model;
  const bounds = until.bounds;
  const first = u32At(model.groupStart, s);
  const end = u32At(model.groupStart, s + 1);
  let lower = lowerByRow(model, bounds, first, s, until.natureMax);
  let upper = upperByRow(model, bounds, first, s, until.natureMax);
  for (let row = first + 1; row < end; ++row) {
    const otherLower = lowerByRow(model, bounds, row, s, until.natureMax);
    const otherUpper = upperByRow(model, bounds, row, s, until.natureMax);
    lower = until.schedulerMax ? max(lower, otherLower) : min(lower, otherLower);
    upper = until.schedulerMax ? max(upper, otherUpper) : min(upper, otherUpper);
  }
  return tighten(bounds, s, lower, upper);
}

/**
 * Maximal end components for the maximising players within a component, with the choices of the minimising ones fixed to what
 * is best for them at the current lower bounds: those converge, so in the end the choices are optimal.
 */
export function findEndComponents(until: RobustUntil, component: u32): void {
  if (!until.schedulerMax && !until.natureMax) return;
  const model = until.model;
  const first = u32At(until.start, component);
  const last = u32At(until.start, component + 1);
  const list = until.order + (<usize>first << 2);
  const count = last - first;
  for (let i = first; i < last; ++i) {
    const s = u32At(until.order, i);
    setU32(until.part, s, first);
    choosePlay(until, s);
  }
  while (true) {
    for (let backward = true; trim(until, first, last, backward); backward = !backward) {}
    partComponents(model, list, count, until.part, until.played, until.found, 0, 0, until.scratch);
    if (!split(until, first, last)) return;
  }
}

/** Makes the components found the new parts; whether one of the old ones had several. */
function split(until: RobustUntil, first: u32, last: u32): bool {
  const foundIn = until.scratch;
  for (let i: u32 = 0; i < last - first; ++i) setU32(foundIn, i, NONE);
  let several = false;
  for (let i = first; i < last; ++i) {
    const s = u32At(until.order, i);
    const part = u32At(until.part, s);
    if (part == NONE) continue;
    const found = first + u32At(until.found, s);
    const other = u32At(foundIn, part - first);
    if (other != NONE && other != found) several = true;
    setU32(foundIn, part - first, found);
    setU32(until.part, s, found);
  }
  return several;
}

/** Marks the rows that may be played in a state, and their entries that may be taken. */
function choosePlay(until: RobustUntil, s: u32): void {
  const model = until.model;
  const first = u32At(model.groupStart, s);
  const end = u32At(model.groupStart, s + 1);
  if (!until.schedulerMax) {
    let least = f64.MAX_VALUE;
    for (let row = first; row < end; ++row) {
      optimise(model, row, until.bounds, until.natureMax, NOBODY, 0);
      const value = mean(model, row, until.bounds, NOBODY, 0) ? model.meanLower : 0;
      if (value < least) {
        least = value;
        setU32(until.choice, s, row);
      }
    }
  }
  for (let row = first; row < end; ++row) {
    const plays = until.schedulerMax || row == u32At(until.choice, s);
    if (plays) add(until.playedRows, row);
    else remove(until.playedRows, row);
    if (plays && !until.natureMax) optimise(model, row, until.bounds, false, NOBODY, 0);
    const start = u32At(model.rowStart, row);
    const rowEnd = u32At(model.rowStart, row + 1);
    for (let e = start; e < rowEnd; ++e) {
      const taken = until.natureMax ? possible(model, e) : f64At(model.mass, e - start) > 0;
      if (plays && taken) add(until.played, e);
      else remove(until.played, e);
    }
  }
}

/** Takes rows that cannot stay in their part out of play, and states without a row out of their part; whether any state left. */
function trim(until: RobustUntil, first: u32, last: u32, backward: bool): bool {
  const model = until.model;
  let left = false;
  for (let k = first; k < last; ++k) {
    const s = u32At(until.order, backward ? first + (last - 1 - k) : k);
    const part = u32At(until.part, s);
    if (part == NONE) continue;
    let stays = false;
    const end = u32At(model.groupStart, s + 1);
    for (let row = u32At(model.groupStart, s); row < end; ++row) {
      if (!has(until.playedRows, row)) continue;
      if (rowStays(until, row, part)) {
        stays = true;
        continue;
      }
      remove(until.playedRows, row);
      const rowEnd = u32At(model.rowStart, row + 1);
      for (let e = u32At(model.rowStart, row); e < rowEnd; ++e) remove(until.played, e);
    }
    if (stays) continue;
    setU32(until.part, s, NONE);
    left = true;
  }
  return left;
}

function rowStays(until: RobustUntil, row: u32, part: u32): bool {
  const model = until.model;
  if (until.natureMax) return canStayInPart(until, row, part);
  const end = u32At(model.rowStart, row + 1);
  for (let e = u32At(model.rowStart, row); e < end; ++e) {
    if (has(until.played, e) && u32At(until.part, u32At(model.columns, e)) != part) return false;
  }
  return true;
}

function canStayInPart(until: RobustUntil, row: u32, part: u32): bool {
  const region = changetype<Region>(until.region);
  region.part = until.part;
  region.id = part;
  return canStay(until.model, row, region);
}

/**
 * Lowers the states of each end component to the best that the maximising players get by leaving it. This is sound for any
 * set without target states: the minimising ones can stay inside (where nothing is reached) but for the rows that cannot
 * stay. What a maximising nature gets where it can stay: waiting, it leaves by one successor outside alone, and may choose
 * among all possible ones; so the best of their values.
 */
function lowerToExits(until: RobustUntil, component: u32): bool {
  const model = until.model;
  const first = u32At(until.start, component);
  const last = u32At(until.start, component + 1);
  let any = false;
  for (let i = first; i < last; ++i) {
    const part = u32At(until.part, u32At(until.order, i));
    if (part == NONE) continue;
    setF64(until.exits, part, 0);
    any = true;
  }
  if (!any) return false;
  for (let i = first; i < last; ++i) {
    const s = u32At(until.order, i);
    const part = u32At(until.part, s);
    if (part == NONE) continue;
    let best = f64At(until.exits, part);
    const from = until.schedulerMax ? u32At(model.groupStart, s) : u32At(until.choice, s);
    const to = until.schedulerMax ? u32At(model.groupStart, s + 1) : from + 1;
    for (let row = from; row < to; ++row) {
      if (!canStayInPart(until, row, part)) best = max(best, upperByRow(model, until.bounds, row, s, until.natureMax));
      else if (until.natureMax) {
        const end = u32At(model.rowStart, row + 1);
        for (let e = u32At(model.rowStart, row); e < end; ++e) {
          const t = u32At(model.columns, e);
          if (possible(model, e) && u32At(until.part, t) != part) best = max(best, upperAt(until.bounds, t));
        }
      }
    }
    setF64(until.exits, part, best);
  }
  let moved = false;
  for (let i = first; i < last; ++i) {
    const s = u32At(until.order, i);
    const part = u32At(until.part, s);
    if (part == NONE || !(f64At(until.exits, part) < upperAt(until.bounds, s))) continue;
    setUpper(until.bounds, s, f64At(until.exits, part));
    moved = true;
  }
  return moved;
}

/** The widest gap between the bounds of the states of components `first` to `last` (excluded), relative to the lower one if asked. */
export function widestRobustGap(until: RobustUntil, first: u32, last: u32, relative: bool): f64 {
  let widest = 0.0;
  const end = u32At(until.start, last);
  for (let i = u32At(until.start, first); i < end; ++i) {
    widest = max(widest, gap(until.bounds, u32At(until.order, i), relative));
  }
  return widest;
}

/** The widest gap among the possible successors outside a component. */
export function inheritedRobustGap(until: RobustUntil, component: u32, relative: bool): f64 {
  const model = until.model;
  let widest = 0.0;
  const end = u32At(until.start, component + 1);
  for (let i = u32At(until.start, component); i < end; ++i) {
    const s = u32At(until.order, i);
    const last = entriesEnd(model, s);
    for (let e = entriesStart(model, s); e < last; ++e) {
      const t = u32At(model.columns, e);
      if (possible(model, e) && u32At(until.componentOf, t) != component) {
        widest = max(widest, gap(until.bounds, t, relative));
      }
    }
  }
  return widest;
}

function gap(bounds: usize, s: u32, relative: bool): f64 {
  const lower = lowerAt(bounds, s);
  const width = upperAt(bounds, s) - lower;
  return relative && width > 0 ? width / lower : width;
}
