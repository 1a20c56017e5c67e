import { complement, wordsOf } from "../bitSet";
import { setU32, u32At } from "../memory";
import { Chain } from "../sparse/csr";
import { canReach } from "./reach";

/** States where P(remain U target) = 0: no path leads to `target`. */
export function prob0(chain: Chain, remain: usize, target: usize, result: usize, frontier: usize): void {
  canReach(chain, remain, target, result, frontier);
  complement(result, chain.states);
}

/**
 * States where P(remain U target) = 1, given those where it is 0 in `zero`: no path leads to one of those before `target`.
 * `through`: scratch, one set.
 */
export function prob1(
  chain: Chain,
  remain: usize,
  target: usize,
  zero: usize,
  result: usize,
  through: usize,
  frontier: usize
): void {
  const words = wordsOf(chain.states);
  for (let i: u32 = 0; i < words; ++i) setU32(through, i, u32At(remain, i) & ~u32At(target, i));
  canReach(chain, through, zero, result, frontier);
  complement(result, chain.states);
}
