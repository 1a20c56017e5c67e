import { KernelError } from '../../../base/errors.js';
import { BitSet, type GeneratedModule, instantiateGenerated } from '../../kernel/index.js';
import { evaluateStates, type StateValues } from '../assemble.js';
import { explainFailure } from '../exploreByClosures.js';
import type { Control, Explored } from '../explored.js';
import { type Growing, growingF64, growingU32 } from '../growing.js';
import { initialStates } from '../initialStates.js';
import { isAllocationFailure, outOfMemory, type Reached, refuseBeyond, tooManyStates } from '../limits.js';
import { PackedStates, pack, unpack } from '../packedStates.js';
import type { System } from '../system.js';
import { type ExplorerModule, writeExplorer } from './explorerModule.js';
import { mathFunctions } from './expressions.js';
import { Cell, Outcome } from './layout.js';

/** The initial number of rows in the buffers. A state with more rows needs larger buffers and a restart. */
const ROWS = 1 << 13;
const LARGER = 16;
const MAX_ROWS = 1 << 25;

const FIRST_SLOTS = 1 << 12;
const MAX_BYTES = 2 ** 32;

/** The explored states and rows, and the values of each state. */
export interface Found {
  readonly explored: Explored;
  readonly values: StateValues;
}

/**
 * Explores with a module generated for the model, with states and rows bitwise equal to those of closures.
 *
 * @returns undefined if the runtime compiles no bytes, or the model needs a feature that only closures support
 */
export function exploreByWasm(system: System, control: Control): Found | undefined {
  for (let rows = ROWS; rows <= MAX_ROWS; rows *= LARGER) {
    const module = writeIfPossible(system, rows);
    const explorer = module && WasmExplorer.open(system, control, module);
    if (explorer === undefined) return undefined;
    const found = explorer.run();
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Also returns undefined if expressions are nested too deeply for the stack, e.g. sums of tens of thousands of terms. */
function writeIfPossible(system: System, rows: number): ExplorerModule | undefined {
  try {
    return writeExplorer(system, rows);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

class WasmExplorer {
  #cells: Int32Array;
  readonly #find: (...words: number[]) => number;
  #capacity = 0;
  #slotCount = 0;
  #statesAt = 0;
  readonly #rowGroupStart = growingU32();
  readonly #rowStart = growingU32();
  readonly #rowAction = growingU32();
  readonly #columns = growingU32();
  readonly #values = growingF64();
  readonly #rowRewards: readonly (Growing<Float64Array> | null)[];
  readonly #deadlocks: number[] = [];
  readonly #currentValues: Float64Array;
  readonly #initial: number[] = [];

  /** Returns undefined if the runtime refuses the module. */
  static open(system: System, control: Control, module: ExplorerModule): WasmExplorer | undefined {
    let explorer: WasmExplorer | undefined;
    const instance = instantiateGenerated(module.bytes, {
      ...mathFunctions,
      probability: (number) => module.probabilities[number].value((explorer as WasmExplorer).current()),
    });
    if (instance === undefined) return undefined;
    explorer = new WasmExplorer(system, control, module, instance);
    return explorer;
  }
  readonly #system: System;
  readonly #control: Control;
  readonly #module: ExplorerModule;
  readonly #instance: GeneratedModule;

  private constructor(system: System, control: Control, module: ExplorerModule, instance: GeneratedModule) {
    this.#system = system;
    this.#control = control;
    this.#module = module;
    this.#instance = instance;
    this.#cells = new Int32Array(instance.buffer, 0, Cell.Count);
    this.#find = instance.functions.find;
    this.#currentValues = new Float64Array(system.variables.length);
    this.#rowRewards = module.buffers.rewards.map((structure) => structure && growingF64());
    for (const { at, entries } of module.tables) {
      new Float64Array(instance.buffer, at, entries).fill(Number.NaN);
    }
    this.#resize(FIRST_SLOTS);
  }

  /** Explores everything; undefined if some state does not fit into the buffers. */
  run(): Found | undefined {
    try {
      const first = new Uint32Array(this.#system.words);
      for (const values of initialStates(this.#system)) {
        pack(values, this.#system.variables, first);
        this.#initial.push(this.#insert(first));
      }
      return this.#explore() ? this.#finish() : undefined;
    } catch (error) {
      if (isAllocationFailure(error)) throw outOfMemory(this.#control.limits, this.#reached(), error);
      throw error;
    }
  }

  /** The model's states and rows, and the values of each state. */
  #finish(): Found {
    const system = this.#system;
    const size = this.#cells[Cell.Size];
    this.#rowGroupStart.push(this.#rowStart.length);
    this.#rowStart.push(this.#columns.length);
    const packed = new Uint32Array(this.#instance.buffer, this.#statesAt, size * system.words).slice();
    const explored: Explored = {
      states: new PackedStates(system.variables, system.words, packed),
      rowGroupStart: this.#rowGroupStart.finish(),
      rowStart: this.#rowStart.finish(),
      rowAction: this.#rowAction.finish(),
      columns: this.#columns.finish(),
      lower: this.#values.finish(),
      rowRewards: this.#rowRewards.map((rows) => rows?.finish() ?? null),
      initial: this.#initial.sort((a, b) => a - b),
      deadlocks: this.#deadlocks,
      stopped: this.#cells[Cell.Stopped],
    };
    // If a label or reward has no value, closures report which, and in which state.
    return { explored, values: this.#stateValues(size) ?? evaluateStates(system, explored) };
  }

  #explore(): boolean {
    this.#control.checkpoint(this.#reached());
    for (;;) {
      switch (this.#step()) {
        case Outcome.Done:
          this.#empty();
          this.#control.checkpoint(this.#reached());
          return true;
        case Outcome.StatesFull:
          this.#grow();
          break;
        case Outcome.BuffersFull:
          if (this.#cells[Cell.Groups] === 0) return false;
          this.#empty();
          this.#control.checkpoint(this.#reached());
          this.#refuseMemory(0);
          break;
        default:
          this.#explain();
      }
    }
  }

  #step(): Outcome {
    try {
      return this.#instance.functions.explore();
    } catch (error) {
      // Closures throw the errors of imports too, but may find another fault first.
      this.#explain();
      throw error;
    }
  }

  /** Lets closures report the fault of the state being explored. */
  #explain(): never {
    explainFailure(this.#system, this.current(), this.#control);
    throw new KernelError(
      `${this.#system.model.name}: generated code refuses state ${this.#cells[Cell.Explored]}, closures do not; build it with backend "closures"`,
    );
  }

  /** The values of the variables in the state being explored. */
  current(): Float64Array {
    const { variables, words } = this.#system;
    const state = new Uint32Array(
      this.#instance.buffer,
      this.#statesAt + this.#cells[Cell.Explored] * words * 4,
      words,
    );
    unpack(state, 0, variables, this.#currentValues);
    return this.#currentValues;
  }

  #insert(state: Uint32Array): number {
    for (;;) {
      const number = this.#find(...state);
      if (number >= 0) return number;
      this.#grow();
    }
  }

  #grow(): void {
    if (this.#cells[Cell.Size] >= this.#control.limits.maxStates) {
      throw tooManyStates(this.#control.limits, this.#reached());
    }
    this.#resize(this.#slotCount * 2);
  }

  /** Makes room for half as many states as there are slots. */
  #resize(slotCount: number): void {
    const instance = this.#instance;
    const module = this.#module;
    const system = this.#system;
    const stateBytes = system.words * 4;
    const statesAt = module.slots + slotCount * 4;
    const capacity = slotCount / 2;
    const end = statesAt + capacity * stateBytes;
    // Growing detaches the views of the memory.
    const used = this.#slotCount === 0 ? 0 : this.#cells[Cell.Size] * stateBytes;
    if (this.#slotCount > 0) this.#refuseMemory(end - (this.#statesAt + this.#capacity * stateBytes));
    if (end > MAX_BYTES || !instance.grow(end)) throw outOfMemory(this.#control.limits, this.#reached());
    const bytes = new Uint8Array(instance.buffer);
    bytes.copyWithin(statesAt, this.#statesAt, this.#statesAt + used);
    bytes.fill(0, module.slots, statesAt);
    this.#slotCount = slotCount;
    this.#statesAt = statesAt;
    this.#capacity = capacity;
    this.#cells = new Int32Array(instance.buffer, 0, Cell.Count);
    this.#cells[Cell.SlotMask] = slotCount * 4 - 4;
    this.#cells[Cell.StatesBase] = statesAt - stateBytes;
    this.#cells[Cell.Limit] = Math.min(capacity, this.#control.limits.maxStates);
    instance.functions.rehash();
  }

  /** Empties the buffers. */
  #empty(): void {
    const cells = this.#cells;
    const instance = this.#instance;
    const { buffers } = this.#module;
    const groups = cells[Cell.Groups];
    const rows = cells[Cell.Rows];
    const transitions = cells[Cell.Transitions];
    const integers = (at: number, length: number): Uint32Array =>
      new Uint32Array(instance.buffer, at, length);
    const isChain = this.#system.model.type === 'dtmc';
    if (!isChain) {
      this.#rowGroupStart.append(integers(buffers.rowGroupStart, groups));
      this.#rowAction.append(integers(buffers.rowAction, rows));
    }
    this.#rowStart.append(integers(buffers.rowStart, rows));
    this.#columns.append(integers(buffers.columns, transitions));
    this.#values.append(new Float64Array(instance.buffer, buffers.values, transitions));
    buffers.rewards.forEach((structure, r) => {
      if (structure) this.#rowRewards[r]?.append(new Float64Array(instance.buffer, structure.rows, rows));
    });
    for (const state of integers(buffers.deadlocks, cells[Cell.Deadlocks])) this.#deadlocks.push(state);
    cells[Cell.Groups] = 0;
    cells[Cell.Rows] = 0;
    cells[Cell.Transitions] = 0;
    cells[Cell.Deadlocks] = 0;
    cells[Cell.RowsBefore] = this.#rowStart.length;
    cells[Cell.TransitionsBefore] = this.#columns.length;
  }

  /** Labels and rewards of all states, through the buffer of values; undefined if one has no value. */
  #stateValues(states: number): StateValues | undefined {
    const system = this.#system;
    const instance = this.#instance;
    let outcome = Outcome.Done;
    const { values: at, transitionCapacity: capacity } = this.#module.buffers;
    const labels = system.labels.map((_, l) => {
      const members = new BitSet(states);
      const bits = new Uint32Array(instance.buffer, at, capacity);
      for (let from = 0; from < states; from += capacity * 32) {
        const to = Math.min(states, from + capacity * 32);
        bits.fill(0);
        outcome ||= instance.functions[`label${l}`](from, to);
        members.words.set(bits.subarray(0, Math.ceil((to - from) / 32)), from / 32);
      }
      return members;
    });
    const rewards = system.rewards.map(({ states: items }, r) => {
      const earned = new Float64Array(states);
      const buffer = new Float64Array(instance.buffer, at, capacity);
      for (let from = 0; items.length > 0 && from < states; from += capacity) {
        const to = Math.min(states, from + capacity);
        outcome ||= instance.functions[`reward${r}`](from, to);
        earned.set(buffer.subarray(0, to - from), from);
      }
      return earned;
    });
    return outcome === Outcome.Done ? { labels, rewards } : undefined;
  }

  /** Refuses `further` bytes if they exceed the limit. */
  #refuseMemory(further: number): void {
    const reached = this.#reached();
    refuseBeyond(this.#control.limits, { ...reached, bytes: reached.bytes + further });
  }

  #reached(): Reached {
    const grown = [this.#rowGroupStart, this.#rowStart, this.#rowAction, this.#columns, this.#values];
    const states = this.#cells[Cell.Size];
    return {
      states,
      explored: this.#cells[Cell.Explored],
      transitions: this.#columns.length + this.#cells[Cell.Transitions],
      bytes: [...grown, ...this.#rowRewards].reduce(
        (sum, array) => sum + (array?.bytes ?? 0),
        this.#statesAt + this.#capacity * this.#system.words * 4,
      ),
    };
  }
}
