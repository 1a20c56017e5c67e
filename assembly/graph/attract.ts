import { add, has, wordsOf } from "../bitSet";
import { setU32, u32At } from "../memory";
import { Mdp } from "../sparse/mdp";

/**
 * Puts `seeds`, and all states of `remain` from which some choices among `rows` may lead there through `remain`, into
 * `result`. For each of these but the seeds, choices[s] becomes a row with a successor that was in `result` before s:
 * whoever always takes these rows comes closer with positive probability at every step. `frontier`: u32[states], scratch.
 */
export function attract(
  mdp: Mdp,
  remain: usize,
  seeds: usize,
  rows: usize,
  result: usize,
  choices: usize,
  frontier: usize
): void {
  let size = enlist(mdp, seeds, result, frontier);
  while (size > 0) {
    const t = u32At(frontier, --size);
    const end = u32At(mdp.predecessorStart, t + 1);
    for (let e = u32At(mdp.predecessorStart, t); e < end; ++e) {
      const row = u32At(mdp.predecessors, e);
      const s = u32At(mdp.stateOf, row);
      if (has(result, s) || !has(remain, s) || !has(rows, row)) continue;
      add(result, s);
      setU32(choices, s, row);
      setU32(frontier, size++, s);
    }
  }
}

/**
 * Puts `target`, and all states of `remain` from which every choice leads there with positive probability, into `result`.
 * `waiting`: u32[states], `hit`: one bit a row, `frontier`: u32[states]; scratch.
 */
export function attractAlways(
  mdp: Mdp,
  remain: usize,
  target: usize,
  result: usize,
  waiting: usize,
  hit: usize,
  frontier: usize
): void {
  let size = enlist(mdp, target, result, frontier);
  memory.fill(hit, 0, <usize>wordsOf(mdp.rows) << 2);
  for (let s: u32 = 0; s < mdp.states; ++s) {
    setU32(waiting, s, u32At(mdp.groupStart, s + 1) - u32At(mdp.groupStart, s));
  }
  while (size > 0) {
    const t = u32At(frontier, --size);
    const end = u32At(mdp.predecessorStart, t + 1);
    for (let e = u32At(mdp.predecessorStart, t); e < end; ++e) {
      const row = u32At(mdp.predecessors, e);
      if (has(hit, row)) continue;
      add(hit, row);
      const s = u32At(mdp.stateOf, row);
      const left = u32At(waiting, s) - 1;
      setU32(waiting, s, left);
      if (left > 0 || has(result, s) || !has(remain, s)) continue;
      add(result, s);
      setU32(frontier, size++, s);
    }
  }
}

/** Copies `seeds` to `result` and lists its members; returns how many there are. */
function enlist(mdp: Mdp, seeds: usize, result: usize, frontier: usize): u32 {
  memory.copy(result, seeds, <usize>wordsOf(mdp.states) << 2);
  let size: u32 = 0;
  for (let s: u32 = 0; s < mdp.states; ++s) {
    if (has(seeds, s)) setU32(frontier, size++, s);
  }
  return size;
}
