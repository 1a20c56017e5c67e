import { u32At, setU32 } from "./memory";

/** Sets of states: bit `s & 31` of word `s >>> 5`; bits past the last state are 0. */

// @ts-ignore: decorator
@inline
export function wordsOf(states: u32): u32 {
  return (states + 31) >>> 5;
}

// @ts-ignore: decorator
@inline
export function has(set: usize, s: u32): bool {
  return ((u32At(set, s >>> 5) >>> (s & 31)) & 1) != 0;
}

// @ts-ignore: decorator
@inline
export function add(set: usize, s: u32): void {
  setU32(set, s >>> 5, u32At(set, s >>> 5) | (1 << (s & 31)));
}

// @ts-ignore: decorator
@inline
export function remove(set: usize, s: u32): void {
  setU32(set, s >>> 5, u32At(set, s >>> 5) & ~(1 << (s & 31)));
}

/** Replaces `set` by all other states. */
export function complement(set: usize, states: u32): void {
  const words = wordsOf(states);
  for (let i: u32 = 0; i < words; ++i) setU32(set, i, ~u32At(set, i));
  if (states & 31) setU32(set, words - 1, u32At(set, words - 1) & ((1 << (states & 31)) - 1));
}
