import { has } from "../bitSet";
import { Mdp } from "../sparse/mdp";
import { attract } from "./attract";
import { layOutSubMdp, subMdpBytes, closeUnderRemoval, takeState } from "./subMdp";

/** Bytes of scratch that `almostSure` needs. */
export function almostSureScratchBytes(states: u32, rows: u32): f64 {
  return subMdpBytes(states, rows) + 8 + 4 * <f64>states;
}

/**
 * Puts the states from which some choices among `rows` lead through `remain` to `target` with probability 1 into `result`
 * (de Alfaro 1997), and the row to take there into `choices`.
 *
 * Outside the states from which choices may lead to the target at all, everything is lost; so is a row that may lead there,
 * and a state without rows. What is left is looked at again until nothing is lost any more.
 */
export function almostSure(
  mdp: Mdp,
  remain: usize,
  target: usize,
  rows: usize,
  result: usize,
  choices: usize,
  scratch: usize
): void {
  const frontier = scratch;
  const block = (frontier + (<usize>mdp.states << 2) + 7) & ~7;
  attract(mdp, remain, target, rows, result, choices, frontier);
  const left = layOutSubMdp(block, mdp, result, rows, target);
  while (true) {
    attract(mdp, remain, target, left.rows, result, choices, frontier);
    let lost = false;
    for (let s: u32 = 0; s < mdp.states; ++s) {
      if (!has(left.states, s) || has(result, s)) continue;
      takeState(left, s);
      lost = true;
    }
    if (!lost) return;
    closeUnderRemoval(left);
  }
}
