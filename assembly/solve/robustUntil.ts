import { add, has, remove, wordsOf } from "../bitSet";
import { Region, partComponents, robustProb0, robustProb1, robustScratchBytes, staysIn } from "../graph/intervalGraph";
import { setU32, u32At } from "../memory";
import { Intervals, entriesEnd, entriesStart, possible } from "../sparse/intervals";
import { boundsGap } from "./optimise";
import { setBounds, upperAt } from "./rounding";

/**
 * The best P(remain U target) of an interval model: bounds of every state, and the maybe states in components, successors
 * first. What keeps upper bounds from falling are sets of states that play can stay in for ever, where the equations say
 * x = x: they are lowered to their best exit, see robustExits.ts.
 *
 * Or, where `gain` is given, the best expected reward before `target` is reached. Then all is the other way round: staying for
 * ever is what the minimising players would like where nothing is gained, and lower bounds are raised to exits.
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
  /** f64[2 * rows]: bounds of what each row earns, times what it sums to; 0 for probabilities. */
  gain: usize;
  /** The rows that stay where the reward is finite; 0 for probabilities. */
  usable: usize;
}

const STRUCT: usize = (offsetof<RobustUntil>() + 7) & ~7;

function scratchBytes(states: u32): f64 {
  const bytes = max(20 * <f64>states, robustScratchBytes(states));
  return Math.ceil(bytes / 8) * 8;
}

export function robustUntilBytes(model: Intervals, rewarded: bool): f64 {
  const sets = 4 * <f64>wordsOf(model.states) + <f64>wordsOf(model.entries) + <f64>wordsOf(model.rows);
  const rewards = rewarded ? 16 * <f64>model.rows + 4 * <f64>wordsOf(model.rows) : 0;
  return (
    <f64>STRUCT +
    <f64>offsetof<Region>() +
    16 +
    48 * <f64>model.states +
    8 +
    4 * sets +
    scratchBytes(model.states) +
    rewards
  );
}

/** Lays out a problem in a block of `robustUntilBytes` bytes. The caller then fills `remain`, `target` and `gain`. */
export function layOutRobustUntil(
  block: usize,
  model: Intervals,
  schedulerMax: bool,
  natureMax: bool,
  rewarded: bool
): RobustUntil {
  const until = changetype<RobustUntil>(block);
  const states = <usize>model.states;
  const set = <usize>wordsOf(model.states) << 2;
  until.model = model;
  until.schedulerMax = schedulerMax;
  until.natureMax = natureMax;
  until.bounds = block + STRUCT;
  until.gain = rewarded ? until.bounds + (states << 4) : 0;
  until.exits = until.bounds + (states << 4) + (rewarded ? <usize>model.rows << 4 : 0);
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
  until.usable = rewarded ? until.playedRows + (<usize>wordsOf(model.rows) << 2) : 0;
  return until;
}

/** Where set or array number `i` of a problem lies: remain, target, bounds, starts of components, gains. */
export function robustArray(until: RobustUntil, i: u32): usize {
  if (i == 0) return until.remain;
  if (i == 1) return until.target;
  if (i == 2) return until.bounds;
  if (i == 3) return until.start;
  return until.gain;
}

/** Decides what the graph decides, sets all bounds, and returns the number of components of maybe states. */
export function classifyRobust(until: RobustUntil): u32 {
  const model = until.model;
  const states = model.states;
  const rewarded = until.gain != 0;
  if (rewarded) decideRewards(until);
  else {
    robustProb0(model, until.remain, until.target, until.schedulerMax, until.natureMax, until.zero, until.scratch);
    robustProb1(model, until.remain, until.target, until.schedulerMax, until.natureMax, 0, until.one, until.scratch);
  }
  const decided = rewarded ? Infinity : 1;
  const list = until.choice;
  let count: u32 = 0;
  memory.fill(until.part, 0xff, <usize>states << 2);
  memory.fill(until.componentOf, 0xff, <usize>states << 2);
  for (let s: u32 = 0; s < states; ++s) {
    if (has(until.zero, s)) setBounds(until.bounds, s, 0, 0);
    else if (has(until.one, s) != rewarded) setBounds(until.bounds, s, decided, decided);
    else {
      setBounds(until.bounds, s, 0, decided);
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
 * Who minimises a reward maximises the probability to reach the target, for otherwise it is infinite. `one` becomes the states where
 * that is 1, which `usable` rows stay in; `zero` those where it is by rows that earn nothing.
 */
function decideRewards(until: RobustUntil): void {
  const model = until.model;
  const schedulerMax = !until.schedulerMax;
  const natureMax = !until.natureMax;
  robustProb1(model, until.remain, until.target, schedulerMax, natureMax, 0, until.one, until.scratch);
  for (let row: u32 = 0; row < model.rows; ++row) {
    if (staysIn(model, row, until.one, natureMax, regionOf(until))) add(until.usable, row);
    else remove(until.usable, row);
    if (upperAt(until.gain, row) == 0) add(until.playedRows, row);
    else remove(until.playedRows, row);
  }
  robustProb1(model, until.remain, until.target, schedulerMax, natureMax, until.playedRows, until.zero, until.scratch);
}

/** A region of bits, not of parts. */
function regionOf(until: RobustUntil): Region {
  const region = changetype<Region>(until.region);
  region.part = 0;
  return region;
}

// @ts-ignore: decorator
@inline
export function mayTake(until: RobustUntil, row: u32): bool {
  return until.usable == 0 || has(until.usable, row);
}

/** Whether what is sought are rewards, and a row earns some. */
// @ts-ignore: decorator
@inline
export function earns(until: RobustUntil, row: u32): bool {
  return until.gain != 0 && upperAt(until.gain, row) > 0;
}

/**
 * The widest gap between the bounds of the states of components `first` to `last` (excluded), divided by `offset` + `slope` times the
 * lower one.
 */
export function widestRobustGap(until: RobustUntil, first: u32, last: u32, offset: f64, slope: f64): f64 {
  let widest = 0.0;
  const end = u32At(until.start, last);
  for (let i = u32At(until.start, first); i < end; ++i) {
    widest = max(widest, boundsGap(until.bounds, u32At(until.order, i), offset, slope));
  }
  return widest;
}

/** The widest gap among the possible successors outside a component. */
export function inheritedRobustGap(until: RobustUntil, component: u32, offset: f64, slope: f64): f64 {
  const model = until.model;
  let widest = 0.0;
  const end = u32At(until.start, component + 1);
  for (let i = u32At(until.start, component); i < end; ++i) {
    const s = u32At(until.order, i);
    const last = entriesEnd(model, s);
    for (let e = entriesStart(model, s); e < last; ++e) {
      const t = u32At(model.columns, e);
      if (possible(model, e) && u32At(until.componentOf, t) != component) {
        widest = max(widest, boundsGap(until.bounds, t, offset, slope));
      }
    }
  }
  return widest;
}
