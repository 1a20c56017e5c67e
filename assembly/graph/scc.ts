import { has } from "../bitSet";
import { setU32, u32At } from "../memory";
import { Chain } from "../sparse/csr";

/** `componentOf` a state outside the subset, or not yet assigned. */
export const NONE: u32 = 0xffffffff;

/** Bytes of scratch that `components` needs. */
export function componentsScratchBytes(states: u32): f64 {
  return 16 * <f64>states;
}

/** How far the search under way is: see `beginSearch`. */
let discovered: u32 = 0;
let finished: u32 = 0;
let count: u32 = 0;
let open: u32 = 0;

/**
 * Strongly connected components of the subgraph on `subset`, numbered successors first (Tarjan 1972, without recursion).
 * States of component c are order[start[c]] .. order[start[c + 1] - 1].
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
 * of `order`, which fills with finished components while the stack of open states grows downwards from the end of the room:
 * together they never exceed the number of states.
 */
export function beginSearch(from: u32, room: u32, first: u32): void {
  discovered = 0;
  finished = from;
  open = from + room;
  count = first;
}

/** Ends the list of components and returns the number that the next one would have. */
export function endSearch(start: usize): u32 {
  setU32(start, count, finished);
  return count;
}

/**
 * Finds all components that `root` leads to and that were not found yet. Of each state searched, the first array of `scratch`
 * is 0 and `componentOf` NONE when the search begins.
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
  const bytes = <usize>chain.states << 2;
  const index = scratch; // when a state was discovered, from 1; 0 before
  const low = scratch + bytes; // the earliest open state known to be reachable
  const cursor = low + bytes; // the next entry to follow
  const path = cursor + bytes; // from the root to the state being explored
  if (u32At(index, root) != 0) return;
  let depth: u32 = 0;
  let entered = root;
  while (true) {
    if (entered != NONE) {
      setU32(index, entered, ++discovered);
      setU32(low, entered, discovered);
      setU32(cursor, entered, u32At(chain.rowStart, entered));
      setU32(path, depth++, entered);
      setU32(order, --open, entered);
      entered = NONE;
    }
    const s = u32At(path, depth - 1);
    const e = u32At(cursor, s);
    if (e < u32At(chain.rowEnd, s)) {
      setU32(cursor, s, e + 1);
      const t = u32At(chain.columns, e);
      if (!has(subset, t)) continue;
      if (u32At(index, t) == 0) entered = t;
      else if (u32At(componentOf, t) == NONE) setU32(low, s, min(u32At(low, s), u32At(index, t)));
      continue;
    }
    if (u32At(low, s) == u32At(index, s)) {
      setU32(start, count, finished);
      let member: u32;
      do {
        member = u32At(order, open++);
        setU32(componentOf, member, count);
        setU32(order, finished++, member);
      } while (member != s);
      ++count;
    }
    if (--depth == 0) return;
    const parent = u32At(path, depth - 1);
    setU32(low, parent, min(u32At(low, parent), u32At(low, s)));
  }
}
