import type { Bounds, StepInput, StepProblem } from '../engine.js';
import { largestValue } from '../steps.js';
import type { WasmEngine } from './engine.js';
import type { Pointer } from './exports.js';

/** Two vectors of bounds in the kernel's memory, taking turns, what is gained, and the set of states that move. */
export class WasmSteps implements StepProblem {
  private readonly engine: WasmEngine;
  private readonly chain: Pointer;
  private readonly states: number;
  private readonly block: Pointer;
  private readonly active: Pointer;
  private readonly gain: Pointer;
  private readonly largest: number;
  private current: Pointer;
  private following: Pointer;
  /** What the vector that holds `start` has yet to take for the states that do not move. */
  private others: Bounds | undefined;

  constructor(engine: WasmEngine, chain: Pointer, input: StepInput) {
    const { memory } = engine;
    const { active, start, others, gain } = input;
    const states = active.size;
    const vectors = gain === undefined ? 2 : 3;
    this.engine = engine;
    this.chain = chain;
    this.states = states;
    this.block = memory.allocate(
      16 * vectors * states + 4 * active.words.length,
      `stepping ${states} states`,
    );
    this.current = this.block;
    this.following = this.block + 16 * states;
    this.gain = gain === undefined ? 0 : this.block + 32 * states;
    this.active = this.block + 16 * vectors * states;
    this.largest = largestValue(input);
    this.others = others;
    memory.writeBounds(this.current, start);
    memory.writeBounds(this.following, others ?? start);
    if (gain !== undefined) memory.writeBounds(this.gain, gain);
    memory.writeWords(this.active, active.words);
  }

  step(): boolean {
    const { exports, memory } = this.engine;
    const { current, following } = this;
    const moved = exports.step(this.chain, this.active, this.gain, this.largest, current, following) !== 0;
    this.current = following;
    this.following = current;
    if (this.others === undefined) return moved;
    memory.writeBounds(current, this.others);
    this.others = undefined;
    return true;
  }

  bounds(): Bounds {
    return this.engine.memory.readBounds(this.current, this.states);
  }

  close(): void {
    this.engine.memory.release(this.block);
  }
}
