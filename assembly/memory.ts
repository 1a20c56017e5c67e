/**
 * One heap for everything the bindings reserve: blocks aligned to 16 bytes, free ones in a list ordered by address, taken
 * first fit and merged when released. A chain or a solve is a single block, so the list stays short. Nothing else in the
 * kernel allocates.
 */

/** In front of every block: its payload's size and, while it is free, the address of the next free block. */
@unmanaged
class Block {
  bytes: u32;
  next: usize;
}

const HEADER: usize = 16;
const PAGE: u64 = 65536;
/** Where the last block may end: at 4 GiB itself `top` would be 0, where memory is in use. */
const LAST: u64 = 0xfffffff0;

/** First free block by address, 0 if none. */
let firstFree: usize = 0;
/** Where untouched memory begins. */
let top: usize = (__heap_base + 15) & ~15;

/** Reserves `bytes` bytes with unspecified content. Returns their address, or 0 if memory cannot grow that far. */
export function allocate(bytes: f64): usize {
  if (!(bytes >= 0 && bytes < 4294900000)) return 0;
  const size = <u32>((<u64>bytes + 15) & ~15);

  let previous: usize = 0;
  for (let free = firstFree; free != 0; free = changetype<Block>(free).next) {
    const block = changetype<Block>(free);
    if (block.bytes >= size) {
      let next = block.next;
      if (block.bytes - size > <u32>HEADER) {
        next = free + HEADER + size;
        changetype<Block>(next).bytes = block.bytes - size - <u32>HEADER;
        changetype<Block>(next).next = block.next;
        block.bytes = size;
      }
      link(previous, next);
      return free + HEADER;
    }
    previous = free;
  }

  const end = <u64>top + HEADER + size;
  if (end > LAST) return 0;
  const held = <u64>memory.size() * PAGE;
  if (end > held && memory.grow(<i32>((end - held + PAGE - 1) / PAGE)) < 0) return 0;
  const block = top;
  changetype<Block>(block).bytes = size;
  top = <usize>end;
  return block + HEADER;
}

/** Gives back what `allocate` returned. */
export function release(payload: usize): void {
  const block = payload - HEADER;
  let previous: usize = 0;
  let next = firstFree;
  while (next != 0 && next < block) {
    previous = next;
    next = changetype<Block>(next).next;
  }
  link(previous, block);
  changetype<Block>(block).next = next;
  if (next != 0 && endOf(block) == next) absorb(block, next);
  if (previous != 0 && endOf(previous) == block) absorb(previous, block);
}

function endOf(block: usize): usize {
  return block + HEADER + changetype<Block>(block).bytes;
}

function link(previous: usize, block: usize): void {
  if (previous == 0) firstFree = block;
  else changetype<Block>(previous).next = block;
}

function absorb(block: usize, next: usize): void {
  changetype<Block>(block).bytes += changetype<Block>(next).bytes + <u32>HEADER;
  changetype<Block>(block).next = changetype<Block>(next).next;
}

// @ts-ignore: decorator
@inline
export function u32At(array: usize, i: u32): u32 {
  return load<u32>(array + (<usize>i << 2));
}

// @ts-ignore: decorator
@inline
export function setU32(array: usize, i: u32, value: u32): void {
  store<u32>(array + (<usize>i << 2), value);
}

// @ts-ignore: decorator
@inline
export function f64At(array: usize, i: u32): f64 {
  return load<f64>(array + (<usize>i << 3));
}

// @ts-ignore: decorator
@inline
export function setF64(array: usize, i: u32, value: f64): void {
  store<f64>(array + (<usize>i << 3), value);
}
