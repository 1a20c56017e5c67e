import type { Bounds } from '../../../base/bounds.js';
import { BitSet } from '../bitSet.js';
import type { EngineIntervals, Players, RobustProblem, StepInput, StepProblem } from '../engine.js';
import type { IntervalRows } from '../intervalRows.js';
import type { WasmEngine } from './engine.js';
import type { KernelExports, Pointer } from './exports.js';
import { LoadedModel } from './loadedModel.js';
import { type Step, WasmSteps } from './steps.js';

/** Arrays of a model in the numbering of `intervalArray`. */
const WORDS = ['rowGroupStart', 'rowStart', 'columns'] as const;
const DOUBLES = ['lower', 'upper', 'centre', 'radius', 'excess'] as const;

/** Sets and arrays of a problem in the numbering of `robustArray`. */
const PROBLEM = { remain: 0, target: 1, bounds: 2, componentStart: 3, gain: 4 } as const;

export function loadIntervals(engine: WasmEngine, rows: IntervalRows): EngineIntervals {
  const { exports, memory } = engine;
  const { states, rowStart } = rows;
  const entries = rows.columns.length;
  let longest = 0;
  for (let row = 0; row < rows.rows; row++) longest = Math.max(longest, rowStart[row + 1] - rowStart[row]);
  const bytes = exports.intervalsBytes(states, rows.rows, entries, longest);
  const purpose = `an interval model of ${states} states, ${rows.rows} rows and ${entries} transitions`;
  const block = memory.allocate(bytes, purpose);
  const model = exports.layOutIntervals(block, states, rows.rows, entries, longest);
  for (const [i, name] of WORDS.entries()) memory.writeWords(exports.intervalArray(model, i), rows[name]);
  for (const [i, name] of DOUBLES.entries()) {
    memory.writeDoubles(exports.intervalArray(model, WORDS.length + i), rows[name]);
  }
  exports.prepareIntervals(model);
  return new WasmIntervals(engine, model, states, entries);
}

class WasmIntervals extends LoadedModel implements EngineIntervals {
  readonly #entries: number;

  constructor(engine: WasmEngine, model: Pointer, states: number, entries: number) {
    super(engine, model, states);
    this.#entries = entries;
  }

  prob0(remain: BitSet, target: BitSet, players: Players): BitSet {
    const { schedulerMax, natureMax } = players;
    return this.#decide(remain, target, (from, to, result, scratch) =>
      this.engine.exports.robustProb0(this.model, from, to, schedulerMax, natureMax, result, scratch),
    );
  }

  prob1(remain: BitSet, target: BitSet, players: Players): BitSet {
    const { schedulerMax, natureMax } = players;
    return this.#decide(remain, target, (from, to, result, scratch) =>
      this.engine.exports.robustProb1(this.model, from, to, schedulerMax, natureMax, 0, result, scratch),
    );
  }

  openUntil(remain: BitSet, target: BitSet, players: Players): RobustProblem {
    return new WasmRobustUntil(this.engine, this.model, remain, target, players);
  }

  openReward(gain: Bounds, target: BitSet, players: Players): RobustProblem {
    return new WasmRobustUntil(this.engine, this.model, BitSet.full(this.states), target, players, gain);
  }

  openSteps(input: StepInput, { schedulerMax, natureMax }: Players): StepProblem {
    const { exports } = this.engine;
    const take: Step = (...places) => exports.robustStep(this.model, ...places, schedulerMax, natureMax);
    return new WasmSteps(this.engine, input, take);
  }

  distributions(values: Float64Array, maximise: boolean): Float64Array {
    const { exports, memory } = this.engine;
    const states = this.states;
    const entries = this.#entries;
    const block = memory.allocate(16 * states + 8 * entries, `the distributions of ${entries} transitions`);
    try {
      const pairs = new Float64Array(2 * states);
      for (const [s, value] of values.entries()) pairs[2 * s] = value;
      memory.writeDoubles(block, pairs);
      exports.rowDistributions(this.model, block, maximise, block + 16 * states);
      return memory.readDoubles(block + 16 * states, entries);
    } finally {
      memory.release(block);
    }
  }

  #decide(
    remain: BitSet,
    target: BitSet,
    run: (remain: Pointer, target: Pointer, result: Pointer, scratch: Pointer) => void,
  ): BitSet {
    const { exports, memory } = this.engine;
    const sizes = [this.setBytes, exports.robustScratchBytes(this.states)];
    return this.search([remain, target], sizes, (from, to, result, scratch) => {
      run(from, to, result, scratch);
      return memory.readSet(result, this.states);
    });
  }
}

/** A robust until problem in the kernel's memory, one block. */
class WasmRobustUntil implements RobustProblem {
  readonly componentStart: Uint32Array;
  readonly #engine: WasmEngine;
  readonly #exports: KernelExports;
  readonly #until: Pointer;
  readonly #states: number;

  constructor(
    engine: WasmEngine,
    model: Pointer,
    remain: BitSet,
    target: BitSet,
    { schedulerMax, natureMax }: Players,
    gain?: Bounds,
  ) {
    const { exports, memory } = engine;
    const rewarded = gain !== undefined;
    const block = memory.allocate(exports.robustUntilBytes(model, rewarded), `solving ${remain.size} states`);
    this.#engine = engine;
    this.#exports = exports;
    this.#states = remain.size;
    this.#until = exports.layOutRobustUntil(block, model, schedulerMax, natureMax, rewarded);
    memory.writeWords(exports.robustArray(this.#until, PROBLEM.remain), remain.words);
    memory.writeWords(exports.robustArray(this.#until, PROBLEM.target), target.words);
    if (rewarded) memory.writeBounds(exports.robustArray(this.#until, PROBLEM.gain), gain);
    const components = exports.classifyRobust(this.#until);
    const starts = exports.robustArray(this.#until, PROBLEM.componentStart);
    this.componentStart = memory.readWords(starts, components + 1);
  }

  sweeps(component: number, from: number, count: number): number {
    return this.#exports.robustSweeps(this.#until, component, from, count);
  }

  findEndComponents(component: number): void {
    this.#exports.findEndComponents(this.#until, component);
  }

  trialSweep(component: number, more: number): boolean {
    return this.#exports.trialSweep(this.#until, component, more) !== 0;
  }

  scaleTrial(component: number, factor: number, added: number): void {
    this.#exports.scaleTrial(this.#until, component, factor, added);
  }

  widestGap(first: number, last: number, offset: number, slope: number): number {
    return this.#exports.widestRobustGap(this.#until, first, last, offset, slope);
  }

  inheritedGap(component: number, offset: number, slope: number): number {
    return this.#exports.inheritedRobustGap(this.#until, component, offset, slope);
  }

  bounds(): Bounds {
    return this.#engine.memory.readBounds(
      this.#exports.robustArray(this.#until, PROBLEM.bounds),
      this.#states,
    );
  }

  close(): void {
    this.#engine.memory.release(this.#until);
  }
}
