import { add, has, wordsOf } from "../bitSet";
import { setU32, u32At } from "../memory";
import { Chain } from "../sparse/csr";

/** Puts all states reachable from `seeds` into `result`. `frontier`: u32[states], scratch. */
export function reachableFrom(chain: Chain, seeds: usize, result: usize, frontier: usize): void {
  let size = begin(chain, seeds, result, frontier);
  while (size > 0) {
    const s = u32At(frontier, --size);
    const end = u32At(chain.rowEnd, s);
    for (let e = u32At(chain.rowStart, s); e < end; ++e) {
      const t = u32At(chain.columns, e);
      if (has(result, t)) continue;
      add(result, t);
      setU32(frontier, size++, t);
    }
  }
}

/** Puts `seeds`, all of them in `through`, and the states reachable from them without leaving `through` into `result`. */
export function reachableThrough(chain: Chain, through: usize, seeds: usize, result: usize, frontier: usize): void {
  let size = begin(chain, seeds, result, frontier);
  while (size > 0) {
    const s = u32At(frontier, --size);
    const end = u32At(chain.rowEnd, s);
    for (let e = u32At(chain.rowStart, s); e < end; ++e) {
      const t = u32At(chain.columns, e);
      if (has(result, t) || !has(through, t)) continue;
      add(result, t);
      setU32(frontier, size++, t);
    }
  }
}

/** Puts `target`, and all states with a path to it whose states before it are in `remain`, into `result`. */
export function canReach(chain: Chain, remain: usize, target: usize, result: usize, frontier: usize): void {
  let size = begin(chain, target, result, frontier);
  while (size > 0) {
    const t = u32At(frontier, --size);
    const end = u32At(chain.predecessorStart, t + 1);
    for (let e = u32At(chain.predecessorStart, t); e < end; ++e) {
      const s = u32At(chain.predecessors, e);
      if (has(result, s) || !has(remain, s)) continue;
      add(result, s);
      setU32(frontier, size++, s);
    }
  }
}

/** Copies `seeds` to `result` and lists its members; returns how many there are. */
function begin(chain: Chain, seeds: usize, result: usize, frontier: usize): u32 {
  memory.copy(result, seeds, <usize>wordsOf(chain.states) << 2);
  let size: u32 = 0;
  for (let s: u32 = 0; s < chain.states; ++s) {
    if (has(seeds, s)) setU32(frontier, size++, s);
  }
  return size;
}
