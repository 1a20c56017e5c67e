import type { Bounds } from '../../../base/bounds.js';
import type { BlockChoices, Engine, OptimumPlan, OptimumProblem } from '../engine.js';
import type { Csr } from '../types/index.js';
import type { WasmEngine } from './engine.js';
import type { Pointer } from './exports.js';

/** The quotient of an MDP in the kernel's memory, one block. */
export class WasmOptimum implements OptimumProblem {
  readonly #engine: WasmEngine;
  readonly #quotient: Pointer;
  readonly #blocks: number;

  constructor(engine: WasmEngine, mdp: Pointer, input: OptimumPlan) {
    const { exports, memory } = engine;
    const { direction, memberStart, members, rows, one, rewards, upper } = input;
    this.#engine = engine;
    this.#blocks = memberStart.length - 1;
    const size = [this.#blocks, members.length, rewards !== undefined] as const;
    const planBytes = exports.planBytes(mdp, ...size);
    const plan = exports.layOutPlan(memory.allocate(planBytes, `lumping ${one.size} states`), mdp, ...size);
    try {
      memory.writeWords(exports.planMemberStartOf(plan), memberStart);
      memory.writeWords(exports.planMembersOf(plan), members);
      memory.writeWords(exports.planRowsOf(plan), rows.words);
      memory.writeWords(exports.planOneOf(plan), one.words);
      if (rewards !== undefined) memory.writeBounds(exports.planRewardsOf(plan), rewards);
      const block = memory.allocate(exports.measureQuotient(plan), `solving ${this.#blocks} states`);
      this.#quotient = exports.buildQuotient(plan, direction === 'max', upper, block);
    } finally {
      memory.release(plan);
    }
  }

  sweeps(first: number, last: number, from: number, count: number): number {
    return this.#engine.exports.optimiseSweeps(this.#quotient, first, last, from, count);
  }

  guessUpper(first: number, last: number, factor: number): void {
    this.#engine.exports.guessUpper(this.#quotient, first, last, factor);
  }

  forgetUpper(first: number, last: number): void {
    this.#engine.exports.forgetUpper(this.#quotient, first, last);
  }

  verifySweep(first: number, last: number): boolean {
    return this.#engine.exports.verifySweep(this.#quotient, first, last) !== 0;
  }

  takeOver(first: number, last: number, values: Float64Array, side: 'lower' | 'upper'): boolean {
    const { exports, memory } = this.#engine;
    const block = memory.allocate(8 * values.length, `bounds of ${values.length} states`);
    try {
      memory.writeDoubles(block, values);
      return exports.adoptBounds(this.#quotient, first, last, block, side === 'upper') !== 0;
    } finally {
      memory.release(block);
    }
  }

  choices(first: number, last: number): BlockChoices {
    const { exports, memory } = this.#engine;
    const quotient = this.#quotient;
    const groups = memory.readWords(exports.quotientGroupStartOf(quotient) + 4 * first, last - first + 1);
    const [from, to] = [groups[0], groups[last - first]];
    const starts = memory.readWords(exports.quotientRowStartOf(quotient) + 4 * from, to - from + 1);
    const [entry, entries] = [starts[0], starts[to - from] - starts[0]];
    const gains = memory.allocate(24 * (to - from), `the choices of ${last - first} states`);
    const sums = gains + 16 * (to - from);
    exports.outerGains(quotient, first, last, gains, sums);
    const gain = memory.readBounds(gains, to - from);
    const leaving = memory.readDoubles(sums, to - from);
    memory.release(gains);
    return {
      groupStart: groups.map((choice) => choice - from),
      rowStart: starts.map((e) => e - entry),
      columns: memory.readWords(exports.quotientColumnsOf(quotient) + 4 * entry, entries),
      values: memory.readDoubles(exports.quotientValuesOf(quotient) + 8 * entry, entries),
      exit: memory.readDoubles(exports.quotientExitOf(quotient) + 8 * from, to - from),
      leaving,
      terms: memory.readWords(exports.quotientTermsOf(quotient) + 4 * from, to - from),
      gain,
    };
  }

  load(matrix: Csr): ReturnType<Engine['load']> {
    return this.#engine.load(matrix);
  }

  take(first: number, policy: Uint32Array, bounds: Bounds): void {
    const { exports, memory } = this.#engine;
    const quotient = this.#quotient;
    const [firstChoice] = memory.readWords(exports.quotientGroupStartOf(quotient) + 4 * first, 1);
    memory.writeWords(
      exports.quotientChosenOf(quotient) + 4 * first,
      policy.map((choice) => firstChoice + choice),
    );
    memory.writeBounds(exports.quotientBoundsOf(quotient) + 16 * first, bounds);
  }

  valueSweep(first: number, last: number, relative: boolean): number {
    return this.#engine.exports.optimiseValues(this.#quotient, first, last, relative);
  }

  gap(first: number, last: number, offset: number, slope: number): number {
    return this.#engine.exports.optimumGap(this.#quotient, first, last, offset, slope);
  }

  inheritedGap(first: number, last: number, offset: number, slope: number): number {
    return this.#engine.exports.inheritedOptimumGap(this.#quotient, first, last, offset, slope);
  }

  chosenRows(): Uint32Array {
    const { exports, memory } = this.#engine;
    const rows = memory.allocate(4 * this.#blocks, `the choices of ${this.#blocks} states`);
    try {
      exports.chosenRows(this.#quotient, rows);
      return memory.readWords(rows, this.#blocks);
    } finally {
      memory.release(rows);
    }
  }

  bounds(first = 0, last = this.#blocks): Bounds {
    const { exports, memory } = this.#engine;
    return memory.readBounds(exports.quotientBoundsOf(this.#quotient) + 16 * first, last - first);
  }

  close(): void {
    this.#engine.memory.release(this.#quotient);
  }
}
