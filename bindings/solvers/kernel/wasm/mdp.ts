import { BitSet } from '../bitSet.js';
import type {
  Attraction,
  EngineMdp,
  OptimumPlan,
  OptimumProblem,
  OrderedComponents,
  StepInput,
  StepProblem,
} from '../engine.js';
import { Status } from '../status.js';
import type { Direction, EndComponents, MdpMatrix } from '../types/index.js';
import type { WasmEngine } from './engine.js';
import type { Pointer } from './exports.js';
import { LoadedModel } from './loadedModel.js';
import { WasmOptimum } from './optimum.js';
import { type Step, WasmSteps } from './steps.js';

/** Copies an MDP into memory and prepares it, or reports its fault. */
export function loadMdp(
  engine: WasmEngine,
  matrix: MdpMatrix,
): EngineMdp | { status: Status; state: number; row: number } {
  const { exports, memory } = engine;
  const states = matrix.rowGroupStart.length - 1;
  const rows = matrix.rowStart.length - 1;
  const transitions = matrix.columns.length;
  const purpose = `an MDP of ${states} states, ${rows} rows and ${transitions} transitions`;
  const block = memory.allocate(exports.mdpBytes(states, rows, transitions), purpose);
  const mdp = exports.layOutMdp(block, states, rows, transitions);
  memory.writeWords(exports.mdpGroupStartOf(mdp), matrix.rowGroupStart);
  memory.writeWords(exports.mdpRowStartOf(mdp), matrix.rowStart);
  memory.writeWords(exports.mdpColumnsOf(mdp), matrix.columns);
  memory.writeDoubles(exports.mdpValuesOf(mdp), matrix.values);
  const status = exports.checkMdp(mdp) as Status;
  if (status !== Status.Ok) {
    const [state, row] = [exports.mdpFaultyStateOf(mdp), exports.mdpFaultyRowOf(mdp)];
    memory.release(mdp);
    return { status, state, row };
  }
  exports.prepareMdp(mdp);
  return new WasmMdp(engine, mdp, states, rows, transitions);
}

class WasmMdp extends LoadedModel implements EngineMdp {
  readonly #rows: number;
  readonly #transitions: number;

  constructor(engine: WasmEngine, mdp: Pointer, states: number, rows: number, transitions: number) {
    super(engine, mdp, states);
    this.#rows = rows;
    this.#transitions = transitions;
  }

  reachableFrom(seeds: BitSet): BitSet {
    const { exports, memory } = this.engine;
    const graphBytes = exports.subgraphBytes(this.states, this.#transitions);
    return this.search(
      [seeds, BitSet.full(this.states), BitSet.full(this.#rows)],
      [this.setBytes, 4 * this.states, graphBytes],
      (from, everywhere, rows, result, frontier, block) => {
        const graph = exports.subgraph(this.model, everywhere, rows, block);
        exports.reachableFrom(graph, from, result, frontier);
        return memory.readSet(result, this.states);
      },
    );
  }

  attract(remain: BitSet, seeds: BitSet, rows: BitSet): Attraction {
    const { exports } = this.engine;
    const words = 4 * this.states;
    return this.search(
      [remain, seeds, rows],
      [this.setBytes, words, words],
      (through, from, allowed, result, choices, frontier) => {
        exports.attract(this.model, through, from, allowed, result, choices, frontier);
        return this.#readAttraction(result, choices);
      },
    );
  }

  attractAlways(remain: BitSet, target: BitSet): BitSet {
    const { exports, memory } = this.engine;
    const words = 4 * this.states;
    return this.search(
      [remain, target],
      [this.setBytes, words, this.#rowSetBytes(), words],
      (through, to, result, waiting, hit, frontier) => {
        exports.attractAlways(this.model, through, to, result, waiting, hit, frontier);
        return memory.readSet(result, this.states);
      },
    );
  }

  almostSure(remain: BitSet, target: BitSet, rows: BitSet): Attraction {
    const { exports } = this.engine;
    return this.search(
      [remain, target, rows],
      [this.setBytes, 4 * this.states, exports.almostSureScratchBytes(this.states, this.#rows)],
      (through, to, allowed, result, choices, scratch) => {
        exports.almostSure(this.model, through, to, allowed, result, choices, scratch);
        return this.#readAttraction(result, choices);
      },
    );
  }

  rowsInside(subset: BitSet): BitSet {
    const { exports, memory } = this.engine;
    return this.search([subset], [this.#rowSetBytes()], (set, result) => {
      exports.rowsInside(this.model, set, result);
      return memory.readSet(result, this.#rows);
    });
  }

  components(subset: BitSet, rows: BitSet): OrderedComponents {
    const { exports, memory } = this.engine;
    const states = this.states;
    const words = 4 * states;
    return this.search(
      [subset, rows],
      [
        words,
        words + 4,
        words,
        exports.componentsScratchBytes(states),
        exports.subgraphBytes(states, this.#transitions),
      ],
      (set, allowed, order, start, componentOf, scratch, block) => {
        const graph = exports.subgraph(this.model, set, allowed, block);
        const count = exports.components(graph, set, order, start, componentOf, scratch);
        const starts = memory.readWords(start, count + 1);
        return { order: memory.readWords(order, starts[count]), start: starts };
      },
    );
  }

  endComponents(subset: BitSet, rows: BitSet): EndComponents {
    const { exports, memory } = this.engine;
    const scratchBytes = exports.endComponentsScratchBytes(this.states, this.#rows, this.#transitions);
    return this.search(
      [subset, rows],
      [4 * this.states, this.#rowSetBytes(), scratchBytes],
      (set, allowed, componentOf, inside, scratch) => {
        const count = exports.endComponents(this.model, set, allowed, componentOf, inside, scratch);
        return {
          count,
          componentOf: memory.readWords(componentOf, this.states),
          rows: memory.readSet(inside, this.#rows),
        };
      },
    );
  }

  openOptimum(plan: OptimumPlan): OptimumProblem {
    return new WasmOptimum(this.engine, this.model, plan);
  }

  openSteps(input: StepInput, direction: Direction): StepProblem {
    const { exports } = this.engine;
    const take: Step = (...places) => exports.optimalStep(this.model, ...places, direction === 'max');
    return new WasmSteps(this.engine, input, take);
  }

  #rowSetBytes(): number {
    return 4 * ((this.#rows + 31) >>> 5);
  }

  #readAttraction(states: Pointer, choices: Pointer): Attraction {
    const { memory } = this.engine;
    return { states: memory.readSet(states, this.states), choices: memory.readWords(choices, this.states) };
  }
}
