import { add, has, remove } from "../bitSet";
import { NONE, Region, canStay, partComponents } from "../graph/intervalGraph";
import { f64At, setF64, setU32, u32At } from "../memory";
import { possible } from "../sparse/intervals";
import { NOBODY, lowerByRow, mean, optimise, upperByRow } from "./intervalRow";
import { RobustUntil, earns, mayTake } from "./robustUntil";
import { lowerAt, setLower, upperAt } from "./rounding";

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
export function moveToExits(until: RobustUntil, component: u32): bool {
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
