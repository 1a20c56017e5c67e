/** What all members share. The first, who leads, writes it between two barriers; its address is fixed, its content 0 at first. */
@unmanaged
export class Shared {
  /** How many have come to the barrier, and how often all had. */
  arrived: u32;
  generation: u32;
  command: u32;
  /** What the command is about: sweeps `from` to `from + count`, or whether gaps are relative. */
  from: u32;
  count: u32;
  /** How many of the last sweeps moved a bound. */
  done: u32;
  threads: u32;
  states: u32;
  /** Bounds as they were copied in. */
  bounds: usize;
  members: usize;
}

export const SHARED: usize = (__heap_base + 255) & ~255;

/**
 * Waiting and waking go through JavaScript. With memory.atomic.wait32 in the barrier itself, as Node 20's baseline compiler
 * (not the optimising one) compiles it, all members end up waiting for each other after some rounds.
 */
// @ts-ignore: decorator
@external("env", "wait")
declare function wait(address: usize, expected: u32): void;

// @ts-ignore: decorator
@external("env", "wake")
declare function wake(address: usize): void;

/** Looks at the barrier this often before sleeping: a few microseconds, much less than waking up takes. */
const SPINS: u32 = 4096;

/** Waits until all of `threads` members are here; what each wrote before is then seen by all. */
export function barrier(threads: u32): void {
  const arrived = SHARED + offsetof<Shared>("arrived");
  const generation = SHARED + offsetof<Shared>("generation");
  const mine = atomic.load<u32>(generation);
  if (atomic.add<u32>(arrived, 1) == threads - 1) {
    atomic.store<u32>(arrived, 0);
    atomic.add<u32>(generation, 1);
    wake(generation);
    return;
  }
  for (let spins: u32 = 0; spins < SPINS; ++spins) if (atomic.load<u32>(generation) != mine) return;
  while (atomic.load<u32>(generation) == mine) wait(generation, mine);
}
