import type { Bounds } from '../../../base/bounds.js';
import type { BitSet } from '../bitSet.js';
import type { Elimination, EngineChain, Iteration, SolverProblem, UntilProblem } from '../engine.js';
import type { AddedStates, Csr, RowUpdate } from '../types/index.js';
import { WasmElimination } from './elimination.js';
import type { WasmEngine } from './engine.js';
import type { Pointer } from './exports.js';
import { openRowBlocks } from './rowBlocks.js';

/** A solver of assembly/incremental, one block that is exchanged for a larger one when it is full. */
export class WasmSolver implements SolverProblem {
  states: number;
  readonly #engine: WasmEngine;
  readonly #openChain: (chain: Pointer, states: number) => EngineChain;
  #solver: Pointer;

  /** Takes over a solved problem with `components` components. `openChain` makes an owner of a chain in the kernel's memory. */
  constructor(
    engine: WasmEngine,
    until: Pointer,
    states: number,
    components: number,
    openChain: (chain: Pointer, states: number) => EngineChain,
  ) {
    this.#engine = engine;
    this.states = states;
    this.#openChain = openChain;
    this.#solver = this.#adopt(until, components, 0, 0);
  }

  lower(state: number): number {
    return this.#bound(2 * state);
  }

  upper(state: number): number {
    return this.#bound(2 * state + 1);
  }

  bounds(): Bounds {
    const { exports, memory } = this.#engine;
    return memory.readBounds(exports.boundsOf(exports.untilOf(this.#solver)), this.states);
  }

  replaceRows(update: RowUpdate): void {
    const { exports, memory } = this.#engine;
    const { rows } = update;
    this.#stage(update, rows.length, 0, (place, rowStart, columns, values) => {
      memory.writeWords(place, rows);
      exports.beginUpdate(this.#solver);
      exports.replaceRows(this.#solver, rows.length, place, rowStart, columns, values);
    });
  }

  addStates(added: AddedStates): void {
    const { exports, memory } = this.#engine;
    const { remain, target } = added;
    const words = remain.words.length;
    this.#stage(added, 2 * words, remain.size, (place, rowStart, columns, values) => {
      memory.writeWords(place, remain.words);
      memory.writeWords(place + 4 * words, target.words);
      exports.beginUpdate(this.#solver);
      exports.addStates(this.#solver, remain.size, place, place + 4 * words, rowStart, columns, values);
      this.states += remain.size;
    });
  }

  nextComponent(small: number, tolerance: number, relative: boolean, work: number): number {
    return this.#engine.exports.nextComponent(this.#solver, small, tolerance, relative, work) >>> 0;
  }

  component(component: number): UntilProblem {
    const { exports } = this.#engine;
    const size = exports.componentSize(this.#solver, component);
    const before = exports.boundsBefore(this.#solver);
    return new WasmComponent(this.#engine, exports.untilOf(this.#solver), before, component, size);
  }

  settle(component: number, tolerance: number, relative: boolean): void {
    this.#engine.exports.settle(this.#solver, component, tolerance, relative);
  }

  solvedStates(): number {
    return this.#engine.exports.solvedStatesOf(this.#solver);
  }

  finish(relative: boolean): { gap: number; states: number; components: number } {
    const { exports } = this.#engine;
    return {
      gap: exports.finishUpdate(this.#solver, relative),
      states: this.solvedStates(),
      components: exports.solvedComponentsOf(this.#solver),
    };
  }

  restart(): { chain: EngineChain; remain: BitSet; target: BitSet } {
    const { exports, memory } = this.#engine;
    const { states } = this;
    const until = exports.untilOf(this.#solver);
    const from = exports.chainOf(this.#solver);
    const transitions = exports.entriesOf(from);
    const bytes = exports.chainBytes(states, transitions);
    const block = memory.allocate(bytes, `solving a chain of ${states} states anew`);
    const chain = exports.layOutChain(block, states, transitions);
    exports.copyRows(chain, from);
    return {
      chain: this.#openChain(chain, states),
      remain: memory.readSet(exports.remainOf(until), states),
      target: memory.readSet(exports.targetOf(until), states),
    };
  }

  close(): void {
    this.#engine.memory.release(this.#solver);
  }

  #bound(i: number): number {
    const { exports, memory } = this.#engine;
    return memory.readDoubles(exports.boundsOf(exports.untilOf(this.#solver)) + 8 * i, 1)[0];
  }

  /**
   * Copies rows into memory after `words` words that `change` fills, makes room for them and for `states` new states, and
   * applies them. All memory is allocated before anything changes.
   */
  #stage(
    { rowStart, columns, values }: Csr,
    words: number,
    states: number,
    change: (place: Pointer, rowStart: Pointer, columns: Pointer, values: Pointer) => void,
  ): void {
    const { exports, memory } = this.#engine;
    const entries = columns.length;
    const block = memory.allocate(
      12 * entries + 4 * (rowStart.length + words),
      `an update with ${entries} transitions`,
    );
    try {
      const columnsAt = block + 8 * entries;
      const rowStartAt = columnsAt + 4 * entries;
      if (!exports.hasRoom(this.#solver, states, entries)) this.#grow(states, entries);
      memory.writeDoubles(block, values);
      memory.writeWords(columnsAt, columns);
      memory.writeWords(rowStartAt, rowStart);
      change(rowStartAt + 4 * rowStart.length, rowStartAt, columnsAt, block);
      exports.reviseGraph(this.#solver);
    } finally {
      memory.release(block);
    }
  }

  /** Moves to a larger block, without unused data. */
  #grow(states: number, entries: number): void {
    const { exports, memory } = this.#engine;
    const components = exports.componentsOf(this.#solver);
    const larger = this.#adopt(exports.untilOf(this.#solver), components, states, entries);
    memory.release(this.#solver);
    this.#solver = larger;
  }

  #adopt(until: Pointer, components: number, states: number, entries: number): Pointer {
    const { exports, memory } = this.#engine;
    const used = exports.entriesOf(exports.chainOfUntil(until));
    const stateRoom = this.states + states + (states > 0 ? this.states >>> 2 : 0);
    const entryRoom = used + entries + (used >>> 2) + 64;
    const linkRoom = entries + (used >>> 2) + 64;
    // Rarely full: only after as many states have been found again as there are states.
    const placeRoom = 3 * stateRoom + 1;
    const bytes = exports.solverBytes(stateRoom, entryRoom, linkRoom, placeRoom);
    const block = memory.allocate(bytes, `a solver of ${this.states + states} states`);
    const solver = exports.layOutSolver(block, stateRoom, entryRoom, linkRoom, placeRoom);
    exports.adopt(solver, until, components);
    return solver;
  }
}

/** One component of a solver. */
class WasmComponent implements UntilProblem {
  readonly componentStart: Uint32Array;
  readonly #engine: WasmEngine;
  readonly #until: Pointer;
  readonly #before: Pointer;
  readonly #number: number;

  constructor(engine: WasmEngine, until: Pointer, before: Pointer, number: number, size: number) {
    this.#engine = engine;
    this.#until = until;
    this.#before = before;
    this.#number = number;
    this.componentStart = Uint32Array.of(0, size);
  }

  solveSmall(first: number, last: number): number {
    return (
      this.#engine.exports.solveSmall(this.#until, this.#number + first, this.#number + last) - this.#number
    );
  }

  intervalSweeps(_: number, from: number, count: number): number {
    return this.#engine.exports.intervalSweeps(this.#until, this.#number, from, count);
  }

  openIteration(): Iteration | undefined {
    return openRowBlocks(this.#engine, this.#until, this.#number, this.componentStart[1], this.#before);
  }

  valueSweep(_: number, relative: boolean): number {
    return this.#engine.exports.valueSweep(this.#until, this.#number, relative);
  }

  openElimination(): Elimination {
    return new WasmElimination(this.#engine, this.#until, this.#number, this.componentStart[1]);
  }

  widestGap(first: number, last: number, relative: boolean): number {
    return this.#engine.exports.widestGap(this.#until, this.#number + first, this.#number + last, relative);
  }

  inheritedGap(_: number, relative: boolean): number {
    return this.#engine.exports.inheritedGap(this.#until, this.#number, relative);
  }

  bounds(): Bounds {
    throw new Error('the bounds of a component are those of its solver');
  }

  close(): void {}
}
