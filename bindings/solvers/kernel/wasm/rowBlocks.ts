import type { Iteration } from '../engine.js';
import type { WasmEngine } from './engine.js';
import type { Pointer } from './exports.js';
import type { KernelMemory } from './memory.js';

/** Copying the rows takes as long as a few sweeps; below this many states the sweeps are too short for a gain. */
const LEAST_STATES = 64;

/** Other threads that can take over the iteration of large components. */
export interface Sharing {
  readonly leastStates: number;
  /** Iterates on the data in `block`, and leaves the bounds there when closed; undefined if its own memory is short. */
  open(memory: KernelMemory, block: Pointer, bytes: number, states: number): Iteration | undefined;
}

/**
 * Interval iteration on rows in blocks of one length; undefined if the component is small or memory is short. `before`: bounds
 * of all states for a warm start; other threads that share the work start anew.
 */
export function openRowBlocks(
  engine: WasmEngine,
  until: Pointer,
  component: number,
  states: number,
  before?: Pointer,
): Iteration | undefined {
  const { exports, memory, sharing } = engine;
  const shares = sharing !== undefined && states >= sharing.leastStates;
  if (states < LEAST_STATES && !shares) return undefined;
  const entries = exports.innerEntries(until, component);
  const bytes = exports.rowBlocksBytes(states, entries);
  const block = exports.allocate(bytes);
  if (block === 0) return undefined;
  const runs = exports.buildRowBlocks(block, until, component, states, entries);
  const shared = shares ? sharing.open(memory, block, bytes, states) : undefined;
  return {
    ...(before !== undefined &&
      !shared && {
        guess: {
          load: () => exports.loadBounds(runs, before),
          sweeps: (count) => exports.warmStartSweeps(runs, count),
          drop: () => exports.loadBounds(runs, exports.boundsOf(until)),
        },
      }),
    ...(shared?.leastSweeps === undefined ? {} : { leastSweeps: shared.leastSweeps }),
    sweeps: (from, count) => shared?.sweeps(from, count) ?? exports.rowBlocksSweeps(runs, from, count),
    gap: (relative) => shared?.gap(relative) ?? exports.rowBlocksGap(runs, relative),
    close() {
      shared?.close();
      exports.storeRowBlocks(runs, until);
      memory.release(block);
    },
  };
}
