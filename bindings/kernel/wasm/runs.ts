import type { Iteration } from '../engine.js';
import type { WasmEngine } from './engine.js';
import type { Pointer } from './exports.js';

/** Copying the rows takes as long as a few sweeps; below this many states they are over too soon for it to matter. */
const LEAST_STATES = 64;

/** Interval iteration on rows sorted into runs; undefined where the component is small or memory short. */
export function openRuns(
  engine: WasmEngine,
  until: Pointer,
  component: number,
  states: number,
): Iteration | undefined {
  const { exports, memory } = engine;
  if (states < LEAST_STATES) return undefined;
  const entries = exports.innerEntries(until, component);
  const block = exports.allocate(exports.runsBytes(states, entries));
  if (block === 0) return undefined;
  const runs = exports.buildRuns(block, until, component, states, entries);
  return {
    sweeps: (from, count) => exports.runsSweeps(runs, from, count),
    gap: (relative) => exports.runsGap(runs, relative),
    close() {
      exports.storeRuns(runs, until);
      memory.release(block);
    },
  };
}
