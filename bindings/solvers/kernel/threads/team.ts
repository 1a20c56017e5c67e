import type { Iteration } from '../engine.js';
import type { Pointer } from '../wasm/exports.js';
import type { KernelMemory } from '../wasm/memory.js';
import type { Sharing } from '../wasm/rowBlocks.js';

/** The exports of assembly/threads/index.ts. */
export interface TeamExports extends WebAssembly.Exports {
  heapBase(): Pointer;
  teamBytes(threads: number, block: number, states: number): number;
  layOutTeam(threads: number, block: Pointer, bytes: number, from: Pointer): void;
  boundsOffset(block: Pointer): number;
  memberBounds(index: number): Pointer;
  memberFirst(index: number): number;
  memberStates(index: number): number;
  openMembers(): void;
  sweeps(from: number, count: number): number;
  widestGap(relative: boolean): number;
  serve(index: number, threads: number): void;
  leave(threads: number): void;
}

const PAGE = 65536;

/** One thread needs as long to set up an elimination of 100,000 states as all need for about a hundred sweeps. */
const LEAST_SWEEPS = 128;

/**
 * Memory for the largest component that a chain can have, 4 GiB at most. Untouched pages take no physical memory; growing the
 * memory later would have to interrupt waiting threads.
 */
export function teamMemory(threads: number, states: number, transitions: number): WebAssembly.Memory {
  const bytes = 14 * transitions + (40 + 26 * threads) * states + 1024 * threads + 16 * PAGE;
  const pages = Math.min(PAGE, Math.ceil(bytes / PAGE));
  return new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
}

/** The functions of foreguard.threads.wasm over a memory shared with other threads. */
export function instantiateTeam(module: WebAssembly.Module, memory: WebAssembly.Memory): TeamExports {
  const words = new Int32Array(memory.buffer);
  const env = {
    memory,
    wait: (address: Pointer, expected: number) => Atomics.wait(words, address >>> 2, expected),
    wake: (address: Pointer) => Atomics.notify(words, address >>> 2),
  };
  return new WebAssembly.Instance(module, { env }).exports as TeamExports;
}

/** The threads of one solve, seen from the first, which shares its large components with them one after another. */
export class Team implements Sharing {
  readonly leastStates: number;
  readonly #exports: TeamExports;
  readonly #memory: WebAssembly.Memory;
  readonly #threads: number;

  constructor(exports: TeamExports, memory: WebAssembly.Memory, threads: number, leastStates: number) {
    this.#exports = exports;
    this.#memory = memory;
    this.#threads = threads;
    this.leastStates = leastStates;
  }

  open(kernel: KernelMemory, block: Pointer, bytes: number, states: number): Iteration | undefined {
    const exports = this.#exports;
    const memory = this.#memory;
    const threads = this.#threads;
    if (exports.teamBytes(threads, bytes, states) > memory.buffer.byteLength) return undefined;
    const base = exports.heapBase() >>> 0;
    kernel.readBytes(block, new Uint8Array(memory.buffer, base, bytes));
    exports.layOutTeam(threads, base, bytes, block);
    exports.openMembers();
    const bounds = (block >>> 0) + exports.boundsOffset(base);
    return {
      leastSweeps: LEAST_SWEEPS,
      sweeps: (from, count) => exports.sweeps(from, count),
      gap: (relative) => exports.widestGap(relative),
      close() {
        for (let index = 0; index < threads; index++) {
          const place = exports.memberBounds(index) >>> 0;
          const values = new Float64Array(memory.buffer, place, 2 * exports.memberStates(index));
          kernel.writeDoubles(bounds + 16 * exports.memberFirst(index), values);
        }
      },
    };
  }
}
