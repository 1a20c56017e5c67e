import { add, has, remove } from "../bitSet";
import { beginSearch, endSearch, NONE, search } from "../graph/scc";
import { setU32, u32At } from "../memory";
import { lowerAt, setBounds, upperAt } from "../solve/rounding";
import { noteMoved, remember, tellPredecessors } from "./settle";
import { EMPTY, put, take } from "./pending";
import { firstPredecessor, isFixed, LAST, nextPredecessor, predecessorAt, Solver } from "./solver";

/**
 * Looks at the graph again where rows changed it. Only states upstream of such a row can become certain or uncertain, or change
 * their component. No other state leads to them, so their components come after all others; and as every upstream state may
 * go on and is not in the target, what a component's successors outside it are decides what its states are, successors first.
 * Then all components with changed rows are put on the list of those to be solved.
 */
export function reviseGraph(solver: Solver): void {
  for (let component = take(solver.pending); component != EMPTY; component = take(solver.pending)) {
    // Predecessors that are none any more still lead from any of its states to all others.
    if (!staysUncertain(solver, component)) {
      setU32(solver.upstreamList, solver.seedCount++, u32At(solver.until.order, u32At(solver.until.start, component)));
    }
  }
  if (solver.seedCount > 0) {
    findUpstream(solver);
    const first = solver.components;
    const end = findComponents(solver);
    let place = u32At(solver.until.start, first);
    for (let c = first; c < end; ++c) place = reviseComponent(solver, c, place);
    setU32(solver.until.start, solver.components, place);
    for (let i: u32 = 0; i < solver.upstreamCount; ++i) remove(solver.upstream, u32At(solver.upstreamList, i));
    for (let i: u32 = 0; i < solver.movedCount; ++i) tellPredecessors(solver, u32At(solver.movedList, i));
  }
  for (let i: u32 = 0; i < solver.changedCount; ++i) {
    const component = u32At(solver.until.componentOf, u32At(solver.changedList, i));
    if (component == NONE) continue;
    add(solver.dirty, component);
    put(solver.pending, component);
  }
}

/**
 * Whether a component that lost transitions is still one, and still has ways out both to states that may reach the target and to
 * such that may not. Then nothing that leads to it changes its kind, or its place in the order.
 */
function staysUncertain(solver: Solver, component: u32): bool {
  const until = solver.until;
  const chain = until.chain;
  const first = u32At(until.start, component);
  const last = u32At(until.start, component + 1);
  let reaches = false;
  let misses = false;
  for (let i = first; i < last; ++i) {
    const s = u32At(until.order, i);
    const end = u32At(chain.rowEnd, s);
    for (let e = u32At(chain.rowStart, s); e < end; ++e) {
      const t = u32At(chain.columns, e);
      if (u32At(until.componentOf, t) == component) continue;
      if (!has(until.zero, t)) reaches = true;
      if (!has(until.one, t)) misses = true;
    }
  }
  if (!reaches || !misses) return false;
  if (last - first == 1) return true;

  const end = u32At(until.start, solver.components);
  for (let i = first; i < last; ++i) {
    const s = u32At(until.order, i);
    add(solver.upstream, s);
    setU32(until.componentOf, s, NONE);
    setU32(until.scratch, s, 0);
  }
  beginSearch(end, last - first, solver.components);
  const root = u32At(until.order, first);
  search(chain, solver.upstream, root, until.order, until.start, until.componentOf, until.scratch);
  const found = endSearch(until.start);
  const whole = found == solver.components + 1 && u32At(until.start, found) == end + last - first;
  setU32(until.start, solver.components, end);
  for (let i = first; i < last; ++i) {
    const s = u32At(until.order, i);
    remove(solver.upstream, s);
    setU32(until.componentOf, s, component);
  }
  return whole;
}

/** Extends the seeds by all states with a path to them; a state whose value is fixed carries no change further. */
function findUpstream(solver: Solver): void {
  const list = solver.upstreamList;
  let count: u32 = 0;
  for (let i: u32 = 0; i < solver.seedCount; ++i) {
    const seed = u32At(list, i);
    if (has(solver.upstream, seed)) continue;
    add(solver.upstream, seed);
    setU32(list, count++, seed);
  }
  for (let i: u32 = 0; i < count; ++i) {
    const t = u32At(list, i);
    for (let at = firstPredecessor(solver, t); at != LAST; at = nextPredecessor(solver, t, at)) {
      const s = predecessorAt(solver, at);
      if (has(solver.upstream, s) || isFixed(solver.until, s)) continue;
      add(solver.upstream, s);
      setU32(list, count++, s);
    }
  }
  solver.upstreamCount = count;
}

function findComponents(solver: Solver): u32 {
  const until = solver.until;
  const count = solver.upstreamCount;
  for (let i: u32 = 0; i < count; ++i) {
    const s = u32At(solver.upstreamList, i);
    setU32(solver.former, s, u32At(until.componentOf, s));
    setU32(until.componentOf, s, NONE);
    setU32(until.scratch, s, 0);
  }
  beginSearch(u32At(until.start, solver.components), count, solver.components);
  for (let i: u32 = 0; i < count; ++i) {
    const root = u32At(solver.upstreamList, i);
    search(until.chain, solver.upstream, root, until.order, until.start, until.componentOf, until.scratch);
  }
  return endSearch(until.start);
}

/**
 * Decides what the states of component `c` are, and if they are uncertain, gives it the next number and the places from
 * `place` on, which are not behind its own. Returns the next place.
 */
function reviseComponent(solver: Solver, c: u32, place: u32): u32 {
  const until = solver.until;
  const chain = until.chain;
  const first = u32At(until.start, c);
  const last = u32At(until.start, c + 1);
  let never = true;
  let surely = true;
  let dirty = false;
  for (let i = first; i < last; ++i) {
    const s = u32At(until.order, i);
    const former = u32At(solver.former, s);
    if (former == NONE || has(solver.dirty, former)) dirty = true;
    const end = u32At(chain.rowEnd, s);
    for (let e = u32At(chain.rowStart, s); e < end; ++e) {
      const t = u32At(chain.columns, e);
      if (u32At(until.componentOf, t) == c) continue;
      if (!has(until.zero, t)) never = false;
      if (!has(until.one, t)) surely = false;
    }
  }

  const maybe = !never && !surely;
  const component = solver.components;
  if (maybe) setU32(until.start, solver.components++, place);
  for (let i = first; i < last; ++i) {
    const s = u32At(until.order, i);
    remove(until.zero, s);
    remove(until.one, s);
    remove(until.maybe, s);
    if (maybe) {
      add(until.maybe, s);
      setU32(until.order, place++, s);
      setU32(until.componentOf, s, component);
    } else {
      const value: f64 = never ? 0 : 1;
      add(never ? until.zero : until.one, s);
      setU32(until.componentOf, s, NONE);
      if (lowerAt(until.bounds, s) == value && upperAt(until.bounds, s) == value) continue;
      remember(solver, s);
      setBounds(until.bounds, s, value, value);
      noteMoved(solver, s);
    }
  }
  if (maybe && dirty) {
    add(solver.dirty, component);
    put(solver.pending, component);
  }
  return place;
}
