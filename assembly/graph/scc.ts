import { has } from "../bitSet";
import { setU32, u32At } from "../memory";
import { Chain } from "../sparse/csr";

/** `componentOf` a state outside the subset, or not yet assigned. */
export const NONE: u32 = 0xffffffff;

/** Bytes of scratch that `components` needs. */
export function componentsScratchBytes(states: u32): f64 {
  return 16 * <f64>states;
}

/**
 * Strongly connected components of the subgraph on `subset`, numbered successors first (Tarjan 1972, without recursion).
 * States of component c are order[start[c]] .. order[start[c + 1] - 1].
 *
 * `order` (u32[states]) fills with finished components from the front while the stack of open states grows from its back:
 * together they never exceed the number of states.
 *
 * `start`: u32[states + 1]; `componentOf`: u32[states]. Returns the number of components.
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
  const bytes = <usize>states << 2;
  const index = scratch; // when a state was discovered, from 1; 0 before
  const low = scratch + bytes; // the earliest open state known to be reachable
  const cursor = low + bytes; // the next entry to follow
  const path = cursor + bytes; // from the root to the state being explored
  memory.fill(index, 0, bytes);
  memory.fill(componentOf, 0xff, bytes);

  let discovered: u32 = 0;
  let finished: u32 = 0;
  let count: u32 = 0;
  let open = states;
  for (let root: u32 = 0; root < states; ++root) {
    if (!has(subset, root) || u32At(index, root) != 0) continue;
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
      if (e < u32At(chain.rowStart, s + 1)) {
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
      if (--depth == 0) break;
      const parent = u32At(path, depth - 1);
      setU32(low, parent, min(u32At(low, parent), u32At(low, s)));
    }
  }
  setU32(start, count, finished);
  return count;
}
