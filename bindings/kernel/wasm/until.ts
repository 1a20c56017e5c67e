import type { BitSet } from '../bitSet.js';
import type { Bounds, Elimination, UntilProblem } from '../engine.js';
import type { Status } from '../status.js';
import type { WasmEngine } from './engine.js';
import type { Pointer } from './exports.js';

/** An until problem in the kernel's memory, one block. */
export class WasmUntil implements UntilProblem {
  readonly componentStart: Uint32Array;
  private readonly engine: WasmEngine;
  private readonly until: Pointer;
  private readonly states: number;

  constructor(engine: WasmEngine, chain: Pointer, remain: BitSet, target: BitSet) {
    const { exports, memory } = engine;
    const bytes = exports.untilBytes(remain.size);
    this.engine = engine;
    this.states = remain.size;
    this.until = exports.layOutUntil(memory.allocate(bytes, `solving ${remain.size} states`), chain);
    memory.writeWords(exports.remainOf(this.until), remain.words);
    memory.writeWords(exports.targetOf(this.until), target.words);
    const components = exports.classify(this.until);
    this.componentStart = memory.readWords(exports.componentStartOf(this.until), components + 1);
  }

  solveSingletons(first: number, last: number): void {
    this.engine.exports.solveSingletons(this.until, first, last);
  }

  intervalSweeps(component: number, from: number, count: number): number {
    return this.engine.exports.intervalSweeps(this.until, component, from, count);
  }

  valueSweep(component: number, relative: boolean): number {
    return this.engine.exports.valueSweep(this.until, component, relative);
  }

  openElimination(component: number): Elimination {
    const { exports, memory } = this.engine;
    const { until } = this;
    const n = this.componentStart[component + 1] - this.componentStart[component];
    const matrix = memory.allocate(exports.eliminationBytes(n), `eliminating a component of ${n} states`);
    exports.setUpElimination(until, component, matrix);
    return {
      eliminate: (from, count) => exports.eliminate(matrix, n, from, count) as Status,
      substitute: () => exports.substitute(until, component, matrix) as Status,
      close: () => memory.release(matrix),
    };
  }

  widestGap(first: number, last: number, relative: boolean): number {
    return this.engine.exports.widestGap(this.until, first, last, relative);
  }

  inheritedGap(component: number, relative: boolean): number {
    return this.engine.exports.inheritedGap(this.until, component, relative);
  }

  bounds(): Bounds {
    return this.engine.memory.readBounds(this.engine.exports.boundsOf(this.until), this.states);
  }

  close(): void {
    this.engine.memory.release(this.until);
  }
}
