import { add, has, remove } from "../bitSet";
import { NONE } from "../graph/scc";
import { setU32, u32At } from "../memory";
import { UNIT_ROUNDOFF, lowerAt, setBounds, upperAt } from "../solve/rounding";
import { gap, solveSmall } from "../solve/topological";
import { SMALLEST } from "../sparse/csr";
import { EMPTY, put, take } from "./pending";
import { firstPredecessor, LAST, nextPredecessor, predecessorAt, Solver } from "./solver";

/** What `nextComponent` returns when it has worked enough for one call. */
export const PAUSE: u32 = EMPTY - 1;

/**
 * Bounds l of a component always satisfy l <= f(outside), where f maps values of the successors outside the component to those
 * of its states by the rows as they are, and `outside` are the successors' own lower bounds; likewise upper ones. So
 * bounds are lower bounds of the true values whenever the successors' are; and as what leaves the component leaves it
 * somewhere, f(outside - d) = f(outside) - d: where rows did not change, bounds shifted by the most that a successor's moved
 * outwards are bounds again, without any solving. They are taken if they are narrow enough, and else are where solving starts.
 */

/**
 * Goes through the components to look at, successors first, for about `work` steps: shifts or solves those of at most `small`
 * states, and returns the first that the caller has to solve and then `settle`; EMPTY if there is none, PAUSE if there may be.
 * Bounds no wider than `tolerance` are narrow enough to be kept.
 */
export function nextComponent(solver: Solver, small: u32, tolerance: f64, relative: bool, work: u32): u32 {
  const until = solver.until;
  for (let done: u32 = 0; done < work; ) {
    const component = take(solver.pending);
    if (component == EMPTY) return EMPTY;
    const size = u32At(until.start, component + 1) - u32At(until.start, component);
    done += size * min(size, small);
    if (prepare(solver, component, size, small, tolerance, relative)) continue;
    solver.solvedStates += size;
    solver.solvedComponents += 1;
    if (size > small || solveSmall(until, component, component + 1) == component) return component;
    settle(solver, component, tolerance, relative);
  }
  return PAUSE;
}

/** Whether a component needs no solving; if it does, its bounds are made ones to start from. */
function prepare(solver: Solver, component: u32, size: u32, small: u32, tolerance: f64, relative: bool): bool {
  const until = solver.until;
  const first = u32At(until.start, component);
  const last = first + size;
  if (has(solver.dirty, component)) {
    remove(solver.dirty, component);
    for (let i = first; i < last; ++i) reset(solver, u32At(until.order, i));
    return false;
  }

  const chain = until.chain;
  let any = false;
  let down = 0.0;
  let up = 0.0;
  let widest = 0.0;
  for (let i = first; i < last; ++i) {
    const s = u32At(until.order, i);
    widest = max(widest, gap(until.bounds, s, relative));
    const end = u32At(chain.rowEnd, s);
    for (let e = u32At(chain.rowStart, s); e < end; ++e) {
      const t = u32At(chain.columns, e);
      if (!has(solver.moved, t) || u32At(until.componentOf, t) == component) continue;
      any = true;
      down = max(down, lowerAt(solver.before, t) - lowerAt(until.bounds, t));
      up = max(up, upperAt(until.bounds, t) - upperAt(solver.before, t));
    }
    // Too far to be shifted; and what is eliminated needs no bounds to start from.
    if (size <= small && !relative && down + up > tolerance) {
      for (let j = first; j < last; ++j) reset(solver, u32At(until.order, j));
      return false;
    }
  }
  if (!any || (down == 0 && up == 0 && widest <= tolerance)) return true;

  // A single state is solved as fast as it is shifted, and more narrowly.
  if (size == 1) {
    reset(solver, u32At(until.order, first));
    return false;
  }
  widest = 0;
  for (let i = first; i < last; ++i) {
    const s = u32At(until.order, i);
    remember(solver, s);
    shift(until.bounds, s, down, up);
    widest = max(widest, gap(until.bounds, s, relative));
  }
  if (!(widest <= tolerance)) return false;
  for (let i = first; i < last; ++i) noteMoved(solver, u32At(until.order, i));
  for (let i = first; i < last; ++i) tellPredecessors(solver, u32At(until.order, i));
  return true;
}

/**
 * Rounded outward: the difference that was taken, enlarging it, and subtracting it are off by 2^-53 each, relatively; with u =
 * 2^-53, (1 + u)^2 (1 - 2u) < 1 and (1 - u)^2 (1 + 4u) > 1.
 */
function shift(bounds: usize, s: u32, down: f64, up: f64): void {
  let lower = lowerAt(bounds, s);
  let upper = upperAt(bounds, s);
  if (down > 0) {
    lower = (lower - down * (1 + 4 * UNIT_ROUNDOFF)) * (1 - 2 * UNIT_ROUNDOFF);
    if (lower < SMALLEST) lower = 0;
  }
  if (up > 0) upper = min(1, (upper + up * (1 + 4 * UNIT_ROUNDOFF)) * (1 + 4 * UNIT_ROUNDOFF));
  setBounds(bounds, s, lower, upper);
}

/**
 * Compares the bounds of a component that was solved with those it had: old ones that contain the new ones and are narrow
 * enough stay, and nothing moves; else whoever may be concerned is put on the list.
 */
export function settle(solver: Solver, component: u32, tolerance: f64, relative: bool): void {
  const until = solver.until;
  const last = u32At(until.start, component + 1);
  for (let i = u32At(until.start, component); i < last; ++i) {
    const s = u32At(until.order, i);
    const lower = lowerAt(solver.before, s);
    const upper = upperAt(solver.before, s);
    const newLower = lowerAt(until.bounds, s);
    const newUpper = upperAt(until.bounds, s);
    if (lower == newLower && upper == newUpper) continue;
    if (lower <= newLower && newUpper <= upper && gap(solver.before, s, relative) <= tolerance) {
      setBounds(until.bounds, s, lower, upper);
    } else {
      noteMoved(solver, s);
    }
  }
  for (let i = u32At(until.start, component); i < last; ++i) {
    const s = u32At(until.order, i);
    if (has(solver.moved, s)) tellPredecessors(solver, s);
  }
}

/** Ends an update: returns the widest gap among the bounds that moved. */
export function finishUpdate(solver: Solver, relative: bool): f64 {
  let widest = 0.0;
  for (let i: u32 = 0; i < solver.movedCount; ++i) {
    const s = u32At(solver.movedList, i);
    widest = max(widest, gap(solver.until.bounds, s, relative));
  }
  return widest;
}

/** Begins an update, also after one that was given up. */
export function beginUpdate(solver: Solver): void {
  for (let i: u32 = 0; i < solver.movedCount; ++i) remove(solver.moved, u32At(solver.movedList, i));
  while (take(solver.pending) != EMPTY);
  solver.movedCount = 0;
  solver.changedCount = 0;
  solver.seedCount = 0;
  solver.upstreamCount = 0;
  solver.solvedStates = 0;
  solver.solvedComponents = 0;
}

function reset(solver: Solver, s: u32): void {
  remember(solver, s);
  setBounds(solver.until.bounds, s, 0, 1);
}

export function remember(solver: Solver, s: u32): void {
  const bounds = solver.until.bounds;
  setBounds(solver.before, s, lowerAt(bounds, s), upperAt(bounds, s));
}

export function noteMoved(solver: Solver, s: u32): void {
  add(solver.moved, s);
  setU32(solver.movedList, solver.movedCount++, s);
}

/**
 * Puts the components that lead to a state on the list. Those numbered lower lead to it no more, and may have been dealt
 * with already.
 */
export function tellPredecessors(solver: Solver, t: u32): void {
  const until = solver.until;
  const component = u32At(until.componentOf, t);
  for (let at = firstPredecessor(solver, t); at != LAST; at = nextPredecessor(solver, t, at)) {
    const s = predecessorAt(solver, at);
    if (!has(until.maybe, s)) continue;
    const other = u32At(until.componentOf, s);
    if (component == NONE || other > component) put(solver.pending, other);
  }
}
