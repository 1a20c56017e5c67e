import { u32At } from "../memory";
import { rowBlocksGap, sweepBackward, sweepForward } from "../solve/rowBlocks";
import { barrier, Shared, SHARED } from "./barrier";
import { Member, memberAt } from "./team";

export const enum Command {
  Leave,
  Open,
  Sweep,
  Gap,
}

/** The first member's part in a command of its own: begins and ends with a barrier, as `serve` does for the others. */
function command(command: Command, from: u32, count: u32): void {
  const shared = changetype<Shared>(SHARED);
  shared.command = command;
  shared.from = from;
  shared.count = count;
  barrier(shared.threads);
  perform(0, shared.threads);
  barrier(shared.threads);
}

/** Prepares every member's part. */
export function openMembers(): void {
  command(Command.Open, 0, 0);
}

/** Up to `count` sweeps after `from` earlier ones; returns how many moved a bound, `count` if it may pay to go on. */
export function sweeps(from: u32, count: u32): u32 {
  command(Command.Sweep, from, count);
  return changetype<Shared>(SHARED).done;
}

/** The widest gap between the bounds of a state. */
export function widestGap(relative: bool): f64 {
  command(Command.Gap, 0, u32(relative));
  const threads = changetype<Shared>(SHARED).threads;
  let widest = 0.0;
  for (let index: u32 = 0; index < threads; ++index) widest = max(widest, memberAt(index).gap);
  return widest;
}

/** What all members but the first do during a solve: the leader's commands, until it leaves. */
export function serve(index: u32, threads: u32): void {
  while (true) {
    barrier(threads);
    if (changetype<Shared>(SHARED).command == Command.Leave) return;
    perform(index, threads);
    barrier(threads);
  }
}

/** Ends `serve` of all others. */
export function leave(threads: u32): void {
  changetype<Shared>(SHARED).command = Command.Leave;
  barrier(threads);
}

function perform(index: u32, threads: u32): void {
  const shared = changetype<Shared>(SHARED);
  const member = memberAt(index);
  if (shared.command == Command.Open) {
    open(index);
  } else if (shared.command == Command.Gap) {
    member.gap = rowBlocksGap(member.part, shared.count != 0);
  } else {
    const done = sweepAll(index, threads, shared.from, shared.count);
    if (index == 0) shared.done = done;
  }
}

/**
 * Sweeps over all parts at once: Gauss-Seidel within a part, Jacobi between parts. A row that reads older bounds of other
 * parts still reads bounds, so what it computes, rounded outward, are bounds. All members see the same flags between the
 * two barriers, so all stop after the same sweep; one that moved nothing anywhere has reached the floor of rounding.
 */
function sweepAll(index: u32, threads: u32, from: u32, count: u32): u32 {
  const member = memberAt(index);
  for (let done: u32 = 0; done < count; ++done) {
    member.moved = u32(((from + done) & 7) == 7 ? sweepBackward(member.part) : sweepForward(member.part));
    barrier(threads);
    let moved = false;
    for (let i: u32 = 0; i < threads; ++i) if (memberAt(i).moved) moved = true;
    exchange(member);
    barrier(threads);
    if (!moved) return done;
  }
  return count;
}

/** Copies the halo from its owners. Exported, as sweeps are, so that an engine without on-stack replacement enters it anew. */
export function exchange(member: Member): void {
  const end = member.halo + (<usize>member.haloCount << 3);
  for (let place = member.halo; place < end; place += 8) v128.store(load<u32>(place, 4), v128.load(load<u32>(place)));
}

/** Copies the bounds that a member needs, and lists its halo: states of other parts that its rows name, ascending. */
function open(index: u32): void {
  const shared = changetype<Shared>(SHARED);
  const member = memberAt(index);
  const part = member.part;
  const first = part.first;
  memory.copy(
    part.bounds + (<usize>first << 4),
    shared.bounds + (<usize>first << 4),
    <usize>part.states << 4
  );
  const marks = member.marks;
  memory.fill(marks, 0, shared.states);
  for (let e: u32 = 0; e < part.entries; ++e) store<u8>(marks + <usize>(u32At(part.columns, e) >> 4), 1);
  memory.fill(marks + first, 0, part.states);
  let count: u32 = 0;
  for (let owner: u32 = 0; owner < shared.threads; ++owner) {
    const other = memberAt(owner).part;
    for (let s = other.first; s < other.first + other.states; ++s) {
      if (load<u8>(marks + s) == 0) continue;
      const place = member.halo + (<usize>count << 3);
      ++count;
      const distance = <usize>s << 4;
      store<u32>(place, <u32>(other.bounds + distance));
      store<u32>(place, <u32>(part.bounds + distance), 4);
      v128.store(part.bounds + distance, v128.load(shared.bounds + distance));
    }
  }
  member.haloCount = count;
}
