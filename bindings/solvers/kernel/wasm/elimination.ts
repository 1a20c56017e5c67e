import type { Elimination } from '../engine.js';
import { Status } from '../status.js';
import type { WasmEngine } from './engine.js';
import type { Pointer } from './exports.js';

/** The most remaining states that are moved to a dense matrix: 32 MB, and about a second. */
const DENSE_STATES = 2000;

/** The most entries that an elimination may create per entry of the component, and the number that it may always create. */
const FILL = 24;
const LEAST_ROOM = 1 << 20;

/** The approximate number of dense products that take as long as one on sparse rows. */
export const FASTER = 16;

/** Elimination of one component: first on sparse rows, then on a dense matrix for the remaining states, if any. */
export class WasmElimination implements Elimination {
  readonly #engine: WasmEngine;
  readonly #until: Pointer;
  readonly #component: number;
  readonly #states: number;
  readonly #earning: boolean;
  readonly #mostRoom: number;
  #room: number;
  #sparse: Pointer;
  #matrix: Pointer = 0;
  /** States in the matrix, and states not censored yet. */
  #rest = 0;
  #from = 0;

  /** @param earning whether `until` is a system of equations, whose states have gains of their own. */
  constructor(engine: WasmEngine, until: Pointer, component: number, states: number, earning = false) {
    this.#engine = engine;
    this.#until = until;
    this.#component = component;
    this.#states = states;
    this.#earning = earning;
    const entries = engine.exports.innerEntries(until, component);
    this.#mostRoom = Math.max(FILL * entries, LEAST_ROOM);
    this.#room = 2 * entries + 4 * states + 64;
    this.#sparse = this.#open(this.#room);
    engine.exports.setUpSparse(until, component, this.#sparse);
    if (earning) engine.exports.addGains(until, component, this.#sparse);
  }

  advance(work: number): { status: Status; work: number } {
    return this.#matrix === 0 ? this.#advanceSparse(work) : this.#advanceMatrix(work);
  }

  close(): void {
    const { memory } = this.#engine;
    if (this.#matrix !== 0) memory.release(this.#matrix);
    memory.release(this.#sparse);
  }

  #advanceSparse(work: number): { status: Status; work: number } {
    const { exports, memory } = this.#engine;
    const before = exports.sparseWork(this.#sparse);
    let status = exports.eliminateSparse(this.#sparse, work) as Status;
    const done = exports.sparseWork(this.#sparse) - before;
    if (status === Status.Full && this.#grow()) status = Status.Unfinished;
    if (status === Status.Ok) {
      this.#rest = exports.sparseRemaining(this.#sparse);
      if (this.#rest === 0) return { status: this.#substitute(), work: done };
      if (this.#rest > DENSE_STATES) return { status: Status.Full, work: done };
      this.#from = this.#rest;
      this.#matrix = memory.allocate(
        exports.eliminationBytes(this.#rest),
        `eliminating the last ${this.#rest} states of a component of ${this.#states}`,
      );
      exports.setUpRest(this.#sparse, this.#matrix);
      status = Status.Unfinished;
    }
    return { status, work: done };
  }

  #advanceMatrix(work: number): { status: Status; work: number } {
    const { exports } = this.#engine;
    const productsOfOne = this.#from ** 2 / FASTER;
    const count = Math.min(this.#from, Math.ceil(work / productsOfOne));
    const done = count * productsOfOne;
    let status = exports.eliminate(this.#matrix, this.#rest, this.#from, count) as Status;
    this.#from -= count;
    if (status === Status.Ok) {
      if (this.#from > 0) return { status: Status.Unfinished, work: done };
      status = exports.substituteMatrix(this.#matrix, this.#rest) as Status;
      exports.takeRest(this.#sparse, this.#matrix);
      if (status === Status.Ok) status = this.#substitute();
    }
    return { status, work: done };
  }

  #substitute(): Status {
    const { exports } = this.#engine;
    const substitute = this.#earning ? exports.substituteSparseSystem : exports.substituteSparse;
    return substitute(this.#until, this.#component, this.#sparse) as Status;
  }

  /** Moves to arenas with room for twice the entries in use; false if that exceeds the limit of an elimination. */
  #grow(): boolean {
    const { exports, memory } = this.#engine;
    const room = 2 * Math.max(exports.sparseEntries(this.#sparse), this.#room / 2);
    if (room > this.#mostRoom) return false;
    const larger = this.#open(room);
    exports.moveSparse(this.#sparse, larger);
    memory.release(this.#sparse);
    this.#sparse = larger;
    this.#room = room;
    return true;
  }

  #open(room: number): Pointer {
    const { exports, memory } = this.#engine;
    const block = memory.allocate(
      exports.sparseBytes(this.#states, room, room),
      `eliminating a component of ${this.#states} states`,
    );
    return exports.layOutSparse(block, this.#states, room, room);
  }
}
