import type { BitSet } from '../bitSet.js';
import type { Bounds, StepProblem } from '../engine.js';
import type { WasmEngine } from './engine.js';
import type { Pointer } from './exports.js';

/** Two vectors of bounds in the kernel's memory, taking turns, and the set of states that move. */
export class WasmSteps implements StepProblem {
  private readonly engine: WasmEngine;
  private readonly chain: Pointer;
  private readonly states: number;
  private readonly active: Pointer;
  private current: Pointer;
  private following: Pointer;

  constructor(engine: WasmEngine, chain: Pointer, active: BitSet, target: BitSet) {
    const { memory } = engine;
    const states = target.size;
    const block = memory.allocate(32 * states + 4 * active.words.length, `stepping ${states} states`);
    this.engine = engine;
    this.chain = chain;
    this.states = states;
    this.current = block;
    this.following = block + 16 * states;
    this.active = block + 32 * states;
    const start = new Float64Array(2 * states);
    for (const s of target) start.fill(1, 2 * s, 2 * s + 2);
    memory.writeDoubles(this.current, start);
    memory.writeDoubles(this.following, start);
    memory.writeWords(this.active, active.words);
  }

  step(): boolean {
    const { current, following } = this;
    const moved = this.engine.exports.step(this.chain, this.active, current, following) !== 0;
    this.current = following;
    this.following = current;
    return moved;
  }

  bounds(): Bounds {
    return this.engine.memory.readBounds(this.current, this.states);
  }

  close(): void {
    // The block begins where the first of the two vectors does; compared as addresses, not as signed numbers.
    this.engine.memory.release(this.current >>> 0 < this.following >>> 0 ? this.current : this.following);
  }
}
