import { setU32, u32At } from "../memory";

/**
 * A set of numbers below `room` from which the smallest is taken. Words of 64 bits in levels: bit i of a level says whether
 * word i of the level below has a bit, and the highest level is a single word; so no time depends on `room` noticeably.
 */
@unmanaged
export class Pending {
  levels: u32;
  /** Addresses of the levels, the lowest first. */
  at: usize;
}

const LEVELS: u32 = 6;
const STRUCT: usize = (offsetof<Pending>() + 7) & ~7;

/** What `take` returns of an empty set. */
export const EMPTY: u32 = 0xffffffff;

export function pendingBytes(room: u32): f64 {
  let bytes = <f64>STRUCT + 4 * <f64>LEVELS;
  let words = room;
  do {
    words = wordsOf(words);
    bytes += 8 * <f64>words;
  } while (words > 1);
  return bytes;
}

/** An empty set in a block of `pendingBytes` bytes. */
export function layOutPending(block: usize, room: u32): Pending {
  memory.fill(block, 0, <usize>pendingBytes(room));
  const pending = changetype<Pending>(block);
  pending.at = block + STRUCT;
  let level = pending.at + (<usize>LEVELS << 2);
  let words = room;
  do {
    words = wordsOf(words);
    setU32(pending.at, pending.levels++, <u32>level);
    level += <usize>words << 3;
  } while (words > 1);
  return pending;
}

export function put(pending: Pending, i: u32): void {
  for (let level: u32 = 0; level < pending.levels; ++level) {
    const word = wordAt(pending, level, i);
    const before = load<u64>(word);
    store<u64>(word, before | (<u64>1 << (i & 63)));
    if (before != 0) return;
    i >>>= 6;
  }
}

/** Removes and returns the smallest number, or returns EMPTY. */
export function take(pending: Pending): u32 {
  let i: u32 = 0;
  for (let level = pending.levels; level-- > 0; ) {
    const bits = load<u64>(wordAt(pending, level, i << 6));
    if (bits == 0) return EMPTY;
    i = (i << 6) | <u32>ctz(bits);
  }
  for (let level: u32 = 0, j = i; level < pending.levels; ++level, j >>>= 6) {
    const word = wordAt(pending, level, j);
    const left = load<u64>(word) & ~(<u64>1 << (j & 63));
    store<u64>(word, left);
    if (left != 0) break;
  }
  return i;
}

function wordsOf(bits: u32): u32 {
  return max((bits + 63) >>> 6, 1);
}

/** Where bit `i` of a level is. */
// @ts-ignore: decorator
@inline
function wordAt(pending: Pending, level: u32, i: u32): usize {
  return <usize>u32At(pending.at, level) + (<usize>(i >>> 6) << 3);
}
