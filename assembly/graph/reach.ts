import { add, has, wordsOf } from "../bitSet";
import { setU32, u32At } from "../memory";
import { Chain } from "../sparse/csr";

/** Puts all states reachable from `seeds` into `result`. `frontier`: u32[states], scratch. */
export function reachableFrom(chain: Chain, seeds: usize, result: usize, frontier: usize): void {
  reachableThrough(chain, 0, seeds, result, frontier);
}

/**
 * Puts `seeds`, all of them in `through`, and the states reachable from them without leaving `through` into `result`; 0 stands
 * for the set of all states.
 */
export function reachableThrough(chain: Chain, through: usize, seeds: usize, result: usize, frontier: usize): void {
  search(chain.states, chain.rowStart, chain.rowEnd, chain.columns, through, seeds, result, frontier);
}

/** Puts `target`, and all states with a path to it whose states before it are in `remain`, into `result`. */
export function canReach(chain: Chain, remain: usize, target: usize, result: usize, frontier: usize): void {
  const start = chain.predecessorStart;
  search(chain.states, start, start + 4, chain.predecessors, remain, target, result, frontier);
}

/** The same along the edges lists[starts[s]] .. lists[ends[s] - 1] of each state s. */
function search(
  states: u32,
  starts: usize,
  ends: usize,
  lists: usize,
  through: usize,
  seeds: usize,
  result: usize,
  frontier: usize
): void {
  memory.copy(result, seeds, <usize>wordsOf(states) << 2);
  let size: u32 = 0;
  for (let s: u32 = 0; s < states; ++s) {
    if (has(seeds, s)) setU32(frontier, size++, s);
  }
  while (size > 0) {
    const s = u32At(frontier, --size);
    const end = u32At(ends, s);
    for (let e = u32At(starts, s); e < end; ++e) {
      const t = u32At(lists, e);
      if (has(result, t) || (through != 0 && !has(through, t))) continue;
      add(result, t);
      setU32(frontier, size++, t);
    }
  }
}
