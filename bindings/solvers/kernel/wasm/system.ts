import type { Bounds } from '../../../base/bounds.js';
import type { BitSet } from '../bitSet.js';
import type { Elimination, SystemInput, SystemProblem } from '../engine.js';
import { Status } from '../status.js';
import { FASTER, WasmElimination } from './elimination.js';
import type { WasmEngine } from './engine.js';
import type { Pointer } from './exports.js';

/** The most states of a transposed system that are eliminated, on a dense matrix: 32 MB, and about a second. */
const DENSE_STATES = 2000;

/** A system of equations in the kernel's memory, one block. */
export class WasmSystem implements SystemProblem {
  readonly componentStart: Uint32Array;
  readonly #engine: WasmEngine;
  readonly #system: Pointer;
  readonly #states: number;
  readonly #transposed: boolean;

  constructor(engine: WasmEngine, chain: Pointer, { unknown, start, gain, transposed }: SystemInput) {
    const { exports, memory } = engine;
    const bytes = exports.systemBytes(chain, transposed);
    const block = memory.allocate(bytes, `solving for ${unknown.size} states`);
    this.#engine = engine;
    this.#states = unknown.size;
    this.#transposed = transposed;
    this.#system = exports.layOutSystem(block, chain, transposed);
    const nothing = gain ?? { lower: new Float64Array(unknown.size), upper: new Float64Array(unknown.size) };
    memory.writeWords(exports.unknownOf(this.#system), unknown.words);
    memory.writeBounds(exports.boundsOf(this.#system), start);
    memory.writeBounds(exports.gainOf(this.#system), nothing);
    const components = exports.divideSystem(this.#system);
    this.componentStart = memory.readWords(exports.componentStartOf(this.#system), components + 1);
  }

  solveSmall(first: number, last: number): number {
    return this.#engine.exports.solveSmallSystem(this.#system, first, last);
  }

  intervalSweeps(component: number, from: number, count: number): number {
    return this.#engine.exports.systemSweeps(this.#system, component, from, count);
  }

  valueSweep(component: number, relative: boolean): number {
    return this.#engine.exports.systemValueSweep(this.#system, component, relative);
  }

  openElimination(component: number): Elimination {
    const { exports, memory } = this.#engine;
    const system = this.#system;
    const n = this.componentStart[component + 1] - this.componentStart[component];
    if (!this.#transposed) return new WasmElimination(this.#engine, system, component, n, true);
    if (n > DENSE_STATES) return { advance: () => ({ status: Status.Full, work: 0 }), close() {} };
    const matrix = memory.allocate(exports.eliminationBytes(n), `eliminating a component of ${n} states`);
    exports.setUpSystem(system, component, matrix);
    let from = n;
    return {
      advance(work) {
        const count = Math.min(from, Math.ceil((FASTER * work) / from ** 2));
        const done = Math.ceil((count * from ** 2) / FASTER);
        let status = exports.eliminate(matrix, n, from, count) as Status;
        from -= count;
        if (status === Status.Ok && from > 0) status = Status.Unfinished;
        if (status === Status.Ok) status = exports.substituteSystem(system, component, matrix) as Status;
        return { status, work: done };
      },
      close: () => memory.release(matrix),
    };
  }

  widestGap(first: number, last: number, relative: boolean): number {
    return this.#engine.exports.widestGap(this.#system, first, last, relative);
  }

  inheritedGap(component: number, relative: boolean): number {
    return this.#engine.exports.inheritedGap(this.#system, component, relative);
  }

  arrivals(set: BitSet): Bounds {
    const { exports, memory } = this.#engine;
    const block = memory.allocate(
      16 * this.#states + 4 * set.words.length,
      `arrivals in ${this.#states} states`,
    );
    try {
      const words = block + 16 * this.#states;
      memory.writeWords(words, set.words);
      exports.arrivals(this.#system, words, block);
      return memory.readBounds(block, this.#states);
    } finally {
      memory.release(block);
    }
  }

  bounds(): Bounds {
    return this.#engine.memory.readBounds(this.#engine.exports.boundsOf(this.#system), this.#states);
  }

  close(): void {
    this.#engine.memory.release(this.#system);
  }
}
