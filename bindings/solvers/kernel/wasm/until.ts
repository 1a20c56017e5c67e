import type { Bounds } from '../../../base/bounds.js';
import type { BitSet } from '../bitSet.js';
import type { Elimination, Iteration, UntilProblem } from '../engine.js';
import { WasmElimination } from './elimination.js';
import type { WasmEngine } from './engine.js';
import type { Pointer } from './exports.js';
import { openRowBlocks } from './rowBlocks.js';

/** An until problem in the kernel's memory, one block. */
export class WasmUntil implements UntilProblem {
  readonly componentStart: Uint32Array;
  readonly #engine: WasmEngine;
  readonly until: Pointer;
  readonly #states: number;

  constructor(engine: WasmEngine, chain: Pointer, remain: BitSet, target: BitSet) {
    const { exports, memory } = engine;
    const bytes = exports.untilBytes(remain.size);
    this.#engine = engine;
    this.#states = remain.size;
    this.until = exports.layOutUntil(memory.allocate(bytes, `solving ${remain.size} states`), chain);
    memory.writeWords(exports.remainOf(this.until), remain.words);
    memory.writeWords(exports.targetOf(this.until), target.words);
    const components = exports.classify(this.until);
    this.componentStart = memory.readWords(exports.componentStartOf(this.until), components + 1);
  }

  solveSmall(first: number, last: number): number {
    return this.#engine.exports.solveSmall(this.until, first, last);
  }

  intervalSweeps(component: number, from: number, count: number): number {
    return this.#engine.exports.intervalSweeps(this.until, component, from, count);
  }

  openIteration(component: number): Iteration | undefined {
    return openRowBlocks(this.#engine, this.until, component, this.#sizeOf(component));
  }

  valueSweep(component: number, relative: boolean): number {
    return this.#engine.exports.valueSweep(this.until, component, relative);
  }

  openElimination(component: number): Elimination {
    return new WasmElimination(this.#engine, this.until, component, this.#sizeOf(component));
  }

  widestGap(first: number, last: number, relative: boolean): number {
    return this.#engine.exports.widestGap(this.until, first, last, relative);
  }

  inheritedGap(component: number, relative: boolean): number {
    return this.#engine.exports.inheritedGap(this.until, component, relative);
  }

  bounds(): Bounds {
    return this.#engine.memory.readBounds(this.#engine.exports.boundsOf(this.until), this.#states);
  }

  close(): void {
    this.#engine.memory.release(this.until);
  }

  #sizeOf(component: number): number {
    return this.componentStart[component + 1] - this.componentStart[component];
  }
}
