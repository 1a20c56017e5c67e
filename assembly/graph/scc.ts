import { has } from "../bitSet";
import { setU32, u32At } from "../memory";
import { Chain } from "../sparse/csr";

/** `componentOf` a state outside the subset, or not yet assigned. */
export const NONE: u32 = 0xffffffff;

/** Above all times of discovery: that of states whose component is known. */
const CLOSED: u32 = 0xffffffff;

/** Bytes of a step of the path. */
const STEP: usize = 12;

/** Bytes of scratch that `components` needs. */
export function componentsScratchBytes(states: u32): f64 {
  return 16 * <f64>states;
}

/** How far the search under way is: see `beginSearch`. */
let discovered: u32 = 0;
let finished: u32 = 0;
let count: u32 = 0;
let open: u32 = 0;
let bottom: u32 = 0;

/**
 * Strongly connected components of the subgraph on `subset`, numbered successors first (Tarjan 1972, without recursion, as Pearce
 * 2016, doi:10.1016/j.ipl.2015.08.010, saves memory). States of component c are order[start[c]] .. order[start[c + 1] - 1], in the
 * order in which the search left them: only an edge back to a state on the path leads to one that comes later.
 *
 * `order`: u32[states]; `start`: u32[states + 1]; `componentOf`: u32[states]. Returns the number of components.
 */
export function components(
  chain: Chain,
  subset: usize,
  order: usize,
  start: usize,
  componentOf: usize,
  scratch: usize
): u32 {
  const states = chain.states;
  memory.fill(scratch, 0, <usize>states << 2);
  memory.fill(componentOf, 0xff, <usize>states << 2);
  beginSearch(0, states, 0);
  for (let root: u32 = 0; root < states; ++root) {
    if (has(subset, root)) search(chain, subset, root, order, start, componentOf, scratch);
  }
  return endSearch(start);
}

/**
 * Begins a search among at most `room` states. Components are numbered from `first`, and their states listed from place `from`
 * of `order`, which fills with finished components while the stack of states that were left, but whose component is still open,
 * grows downwards from the end of the room: together they never exceed the number of states.
 */
export function beginSearch(from: u32, room: u32, first: u32): void {
  discovered = 0;
  finished = from;
  bottom = from + room;
  open = bottom;
  count = first;
}

/** Ends the list of components and returns the number that the next one would have. */
export function endSearch(start: usize): u32 {
  setU32(start, count, finished);
  return count;
}

/**
 * Finds all components that `root` leads to and that were not found yet. Of each state searched, the first array of `scratch`
 * is 0 when the search begins; `componentOf` of those found is set.
 */
export function search(
  chain: Chain,
  subset: usize,
  root: u32,
  order: usize,
  start: usize,
  componentOf: usize,
  scratch: usize
): void {
  const low = scratch; // the earliest open state known to be reachable, in order of discovery from 1; 0 before, CLOSED at last
  let step = scratch + (<usize>chain.states << 2); // the path: state, next entry to follow, and when the state was discovered
  if (u32At(low, root) != 0) return;
  const base = step;
  step = enter(chain, low, step, root);
  while (step > base) {
    const s = load<u32>(step - STEP);
    const rowEnd = u32At(chain.rowEnd, s);
    let lowest = u32At(low, s);
    let entered = NONE;
    let e = load<u32>(step - STEP, 4);
    while (e < rowEnd && entered == NONE) {
      const t = u32At(chain.columns, e++);
      if (!has(subset, t)) continue;
      const reached = u32At(low, t);
      if (reached == 0) entered = t;
      else lowest = min(lowest, reached);
    }
    setU32(low, s, lowest);
    if (entered != NONE) {
      store<u32>(step - STEP, e, 4);
      step = enter(chain, low, step, entered);
      continue;
    }
    step -= STEP;
    if (lowest == load<u32>(step, 8)) close(s, low, order, start, componentOf);
    else setU32(order, --open, s);
    if (step > base) {
      const parent = load<u32>(step - STEP);
      setU32(low, parent, min(u32At(low, parent), u32At(low, s)));
    }
  }
}

// @ts-ignore: decorator
@inline
function enter(chain: Chain, low: usize, step: usize, s: u32): usize {
  setU32(low, s, ++discovered);
  store<u32>(step, s);
  store<u32>(step, u32At(chain.rowStart, s), 4);
  store<u32>(step, discovered, 8);
  return step + STEP;
}

/** Closes the component of `s`: with it, all that were left since it was discovered and are still open. */
function close(s: u32, low: usize, order: usize, start: usize, componentOf: usize): void {
  const first = finished;
  const since = u32At(low, s);
  setU32(start, count, first);
  while (open < bottom && u32At(low, u32At(order, open)) >= since) setU32(order, finished++, u32At(order, open++));
  reverse(order, first, finished);
  setU32(order, finished++, s);
  for (let i = first; i < finished; ++i) {
    const member = u32At(order, i);
    setU32(low, member, CLOSED);
    setU32(componentOf, member, count);
  }
  ++count;
}

/** The stack has those left last on top. */
function reverse(order: usize, first: u32, end: u32): void {
  for (let i = first, j = end; i + 1 < j; ++i) {
    const state = u32At(order, i);
    setU32(order, i, u32At(order, --j));
    setU32(order, j, state);
  }
}
