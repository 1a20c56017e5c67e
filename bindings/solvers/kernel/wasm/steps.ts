import type { Bounds } from '../../../base/bounds.js';
import type { StepInput, StepProblem } from '../engine.js';
import { largestValue } from '../steps.js';
import type { WasmEngine } from './engine.js';
import type { Pointer } from './exports.js';

/** One step of one kind of model, from one vector of bounds to another; returns whether any bound moved. */
export type Step = (active: Pointer, gain: Pointer, largest: number, from: Pointer, to: Pointer) => number;

/** Two vectors of bounds in the kernel's memory, taking turns, with the gains and the set of states that move. */
export class WasmSteps implements StepProblem {
  readonly #engine: WasmEngine;
  readonly #take: Step;
  readonly #states: number;
  readonly #block: Pointer;
  readonly #active: Pointer;
  readonly #gain: Pointer;
  readonly #largest: number;
  #current: Pointer;
  #following: Pointer;
  /** The values of the states that do not move, still to be written to the vector that holds `start`. */
  #others: Bounds | undefined;

  constructor(engine: WasmEngine, input: StepInput, take: Step) {
    const { memory } = engine;
    const { active, start, others, gain } = input;
    const states = active.size;
    const gains = gain === undefined ? 0 : gain.lower.length;
    const vectors = 16 * (2 * states + gains);
    this.#engine = engine;
    this.#take = take;
    this.#states = states;
    this.#block = memory.allocate(vectors + 4 * active.words.length, `stepping ${states} states`);
    this.#current = this.#block;
    this.#following = this.#block + 16 * states;
    this.#gain = gain === undefined ? 0 : this.#block + 32 * states;
    this.#active = this.#block + vectors;
    this.#largest = largestValue(input);
    this.#others = others;
    memory.writeBounds(this.#current, start);
    memory.writeBounds(this.#following, others ?? start);
    if (gain !== undefined) memory.writeBounds(this.#gain, gain);
    memory.writeWords(this.#active, active.words);
  }

  step(): boolean {
    const { memory } = this.#engine;
    const current = this.#current;
    const following = this.#following;
    const moved = this.#take(this.#active, this.#gain, this.#largest, current, following) !== 0;
    this.#current = following;
    this.#following = current;
    if (this.#others === undefined) return moved;
    memory.writeBounds(current, this.#others);
    this.#others = undefined;
    return true;
  }

  bounds(): Bounds {
    return this.#engine.memory.readBounds(this.#current, this.#states);
  }

  close(): void {
    this.#engine.memory.release(this.#block);
  }
}
