import { add, has, remove, wordsOf } from "../bitSet";
import {
  NONE,
  Region,
  canStay,
  partComponents,
  robustProb0,
  robustProb1,
  robustScratchBytes,
  staysIn,
} from "../graph/intervalGraph";
import { f64At, setF64, setU32, u32At } from "../memory";
import { Intervals, entriesEnd, entriesStart, possible } from "../sparse/intervals";
import { SMALLEST } from "../sparse/csr";
import { NOBODY, lowerByRow, mean, optimise, trialByRow, upperByRow } from "./intervalRow";
import { boundsGap } from "./optimise";
import { lowerAt, setBounds, setLower, setUpper, tighten, upperAt } from "./rounding";

/**
 * The best P(remain U target) of an interval model: bounds of every state, and the maybe states in components, successors
 * first. What keeps upper bounds from falling are sets of states that play can stay in for ever, where the equations say
 * x = x: they are lowered to their best exit, see `moveToExits`.
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

/** 2^1000: no bound on trial is larger, as states at Infinity would not be moved to. */
const LARGEST_TRIAL: f64 = reinterpret<f64>((1023 + 1000) << 52);

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
function mayTake(until: RobustUntil, row: u32): bool {
  return until.usable == 0 || has(until.usable, row);
}

/** Whether what is sought are rewards, and a row earns some. */
// @ts-ignore: decorator
@inline
function earns(until: RobustUntil, row: u32): bool {
  return until.gain != 0 && upperAt(until.gain, row) > 0;
}

/**
 * One sweep that puts what rows give, `more` added in each step, in the place of the upper bounds of a component, whatever they are;
 * returns whether none rose. Then they are upper bounds: U >= gain + more + P U for the choices that the minimising players make, so
 * that these reach the target almost surely, or `more` would add up beyond U; summed along a run U is at least what is earned.
 */
export function trialSweep(until: RobustUntil, component: u32, more: f64): bool {
  const model = until.model;
  const end = u32At(until.start, component + 1);
  let rose = false;
  for (let i = u32At(until.start, component); i < end; ++i) {
    const s = u32At(until.order, i);
    const groupEnd = u32At(model.groupStart, s + 1);
    let best = until.schedulerMax ? 0.0 : Infinity;
    for (let row = u32At(model.groupStart, s); row < groupEnd; ++row) {
      if (!mayTake(until, row)) continue;
      const value = trialByRow(model, until.bounds, row, s, until.natureMax, upperAt(until.gain, row) + more);
      best = until.schedulerMax ? max(best, value) : min(best, value);
    }
    if (!(best <= min(upperAt(until.bounds, s), LARGEST_TRIAL))) rose = true;
    setUpper(until.bounds, s, min(max(best, SMALLEST), LARGEST_TRIAL));
  }
  return !rose;
}

/** Multiplies the upper bounds of a component by a factor and adds something: 0 and Infinity forget them. */
export function scaleTrial(until: RobustUntil, component: u32, factor: f64, added: f64): void {
  const end = u32At(until.start, component + 1);
  for (let i = u32At(until.start, component); i < end; ++i) {
    const s = u32At(until.order, i);
    setUpper(until.bounds, s, factor == 0 ? added : factor * upperAt(until.bounds, s) + added);
  }
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
  if (moveToExits(until, component)) moved = true;
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
  const end = u32At(model.groupStart, s + 1);
  let lower = until.schedulerMax ? 0.0 : Infinity;
  let upper = lower;
  for (let row = u32At(model.groupStart, s); row < end; ++row) {
    if (!mayTake(until, row)) continue;
    const rowLower = lowerByRow(model, bounds, row, s, until.natureMax, until.gain);
    const rowUpper = upperByRow(model, bounds, row, s, until.natureMax, until.gain);
    lower = until.schedulerMax ? max(lower, rowLower) : min(lower, rowLower);
    upper = until.schedulerMax ? max(upper, rowUpper) : min(upper, rowUpper);
  }
  return tighten(bounds, s, lower, upper);
}

/** Whether the scheduler, or nature, would stay for ever: who maximises a probability, or minimises a reward. */
// @ts-ignore: decorator
@inline
function schedulerStays(until: RobustUntil): bool {
  return until.schedulerMax != (until.gain != 0);
}

// @ts-ignore: decorator
@inline
function natureStays(until: RobustUntil): bool {
  return until.natureMax != (until.gain != 0);
}

/**
 * Maximal end components for the players that would stay, within a component, with the choices of the others fixed to what is
 * best for them at the bounds that converge, the lower ones of a probability, the upper ones of a reward: so in the end the
 * choices are optimal.
 */
export function findEndComponents(until: RobustUntil, component: u32): void {
  if (!schedulerStays(until) && !natureStays(until)) return;
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
  const rewarded = until.gain != 0;
  const values = until.bounds + (rewarded ? 8 : 0);
  if (!schedulerStays(until)) {
    let best = rewarded ? -1 : f64.MAX_VALUE;
    for (let row = first; row < end; ++row) {
      optimise(model, row, values, until.natureMax, NOBODY, 0);
      const leads = mean(model, row, values, NOBODY, rewarded ? upperAt(until.gain, row) : 0);
      const value = leads ? (rewarded ? model.meanUpper : model.meanLower) : 0;
      if (rewarded ? value > best : value < best) {
        best = value;
        setU32(until.choice, s, row);
      }
    }
  }
  for (let row = first; row < end; ++row) {
    const plays =
      (schedulerStays(until) || row == u32At(until.choice, s)) && mayTake(until, row) && !earns(until, row);
    if (plays) add(until.playedRows, row);
    else remove(until.playedRows, row);
    if (plays && !natureStays(until)) optimise(model, row, values, until.natureMax, NOBODY, 0);
    const start = u32At(model.rowStart, row);
    const rowEnd = u32At(model.rowStart, row + 1);
    for (let e = start; e < rowEnd; ++e) {
      const taken = natureStays(until) ? possible(model, e) : f64At(model.mass, e - start) > 0;
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
  if (natureStays(until)) return canStayInPart(until, row, part);
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
 *
 * Rewards: the lower bounds rise to the least that the minimising players pay by leaving, or by a row that earns, because to stay
 * for ever costs them infinitely much.
 */
function moveToExits(until: RobustUntil, component: u32): bool {
  const model = until.model;
  const rewarded = until.gain != 0;
  const side = until.bounds + (rewarded ? 0 : 8);
  const first = u32At(until.start, component);
  const last = u32At(until.start, component + 1);
  let any = false;
  for (let i = first; i < last; ++i) {
    const part = u32At(until.part, u32At(until.order, i));
    if (part == NONE) continue;
    setF64(until.exits, part, rewarded ? Infinity : 0);
    any = true;
  }
  if (!any) return false;
  for (let i = first; i < last; ++i) {
    const s = u32At(until.order, i);
    const part = u32At(until.part, s);
    if (part == NONE) continue;
    let best = f64At(until.exits, part);
    const from = schedulerStays(until) ? u32At(model.groupStart, s) : u32At(until.choice, s);
    const to = schedulerStays(until) ? u32At(model.groupStart, s + 1) : from + 1;
    for (let row = from; row < to; ++row) {
      if (!mayTake(until, row)) continue;
      if (earns(until, row) || !canStayInPart(until, row, part)) {
        const value = rewarded
          ? lowerByRow(model, until.bounds, row, s, until.natureMax, until.gain)
          : upperByRow(model, until.bounds, row, s, until.natureMax, 0);
        best = rewarded ? min(best, value) : max(best, value);
      } else if (natureStays(until)) {
        const end = u32At(model.rowStart, row + 1);
        for (let e = u32At(model.rowStart, row); e < end; ++e) {
          const t = u32At(model.columns, e);
          if (!possible(model, e) || u32At(until.part, t) == part) continue;
          best = rewarded ? min(best, lowerAt(side, t)) : max(best, lowerAt(side, t));
        }
      }
    }
    setF64(until.exits, part, best);
  }
  let moved = false;
  for (let i = first; i < last; ++i) {
    const s = u32At(until.order, i);
    const part = u32At(until.part, s);
    if (part == NONE) continue;
    const exit = f64At(until.exits, part);
    const known = lowerAt(side, s);
    if (rewarded ? !(exit > known && exit < Infinity) : !(exit < known)) continue;
    setLower(side, s, exit);
    moved = true;
  }
  return moved;
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
