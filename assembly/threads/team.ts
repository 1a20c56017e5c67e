import { RowBlocks } from "../solve/rowBlocks";
import { SHARED, Shared } from "./barrier";

/**
 * One member's part of a component: whole runs, and so a range of states. A member has bounds of all states, at the same
 * distances as in the block, but uses only its own and its halo: those that its rows name in other parts. It sweeps over its own in
 * place; the halo it copies from their owners between sweeps. So nobody ever reads what another may be writing.
 */
@unmanaged
export class Member {
  part: RowBlocks;
  /** u32[2 * haloCount]: where the bounds of a halo state are with their owner, and where here. */
  halo: usize;
  haloCount: u32;
  /** u8[states]: 1 where the member's rows name a state. */
  marks: usize;
  /** Whether the last sweep moved a bound; read by all between two barriers. */
  moved: u32;
  gap: f64;
}

/** Apart by more than a cache line, as each writes to its own. */
const MEMBER: usize = 256;
const PART: usize = 64;

/** Where blocks may begin. */
export function heapBase(): usize {
  return (SHARED + offsetof<Shared>() + 255) & ~255;
}

/** Bytes that a component of `states` states takes in all, whose runs take `block` bytes. */
export function teamBytes(threads: u32, block: f64, states: u32): f64 {
  return <f64>heapBase() + block + 256 + <f64>threads * (<f64>MEMBER + 25 * <f64>states + 256);
}

// @ts-ignore: decorator
@inline
export function memberAt(index: u32): Member {
  return changetype<Member>(changetype<Shared>(SHARED).members + <usize>index * MEMBER);
}

/**
 * Divides the runs in `block`, copied from address `from` of another memory, among the members, in parts of about the same
 * work; memory is as large as `teamBytes` says.
 */
export function layOutTeam(threads: u32, block: usize, bytes: usize, from: usize): void {
  const runs = changetype<RowBlocks>(block);
  const moved = block - from;
  runs.bounds += moved;
  runs.outside += moved;
  runs.values += moved;
  runs.runs += moved;
  runs.columns += moved;

  const shared = changetype<Shared>(SHARED);
  shared.threads = threads;
  shared.states = runs.states;
  shared.bounds = runs.bounds;
  shared.members = (block + bytes + 255) & ~255;
  let free = shared.members + <usize>threads * MEMBER;
  const work = <f64>runs.entries + 2 * <f64>runs.states;
  let run = runs.runs;
  const end = run + (<usize>runs.count << 4);
  let first: u32 = 0;
  let entries: u32 = 0;
  for (let index: u32 = 0; index < threads; ++index) {
    const member = memberAt(index);
    const part = changetype<RowBlocks>(changetype<usize>(member) + PART);
    member.part = part;
    member.haloCount = 0;
    member.moved = 0;
    member.gap = 0;
    part.first = first;
    part.runs = run;
    part.values = runs.values + (<usize>entries << 3);
    part.columns = runs.columns + (<usize>entries << 2);
    part.outside = runs.outside;
    part.bounds = free;
    free += <usize>runs.states << 4;
    member.halo = free;
    member.marks = free + (<usize>runs.states << 3);
    free = (member.marks + runs.states + 255) & ~255;
    const before = entries;
    const until = (work * <f64>(index + 1)) / <f64>threads;
    while (run < end && (index + 1 == threads || <f64>entries + 2 * <f64>first < until)) {
      const size = load<u32>(run, 4);
      first += size;
      entries += size * load<u32>(run);
      run += 16;
    }
    part.states = first - part.first;
    part.entries = entries - before;
    part.count = <u32>((run - part.runs) >> 4);
  }
}

export function memberBounds(index: u32): usize {
  const part = memberAt(index).part;
  return part.bounds + (<usize>part.first << 4);
}

export function memberFirst(index: u32): u32 {
  return memberAt(index).part.first;
}

export function memberStates(index: u32): u32 {
  return memberAt(index).part.states;
}

/** How far into a block of runs its bounds are. */
export function boundsOffset(block: usize): usize {
  return changetype<RowBlocks>(block).bounds - block;
}
