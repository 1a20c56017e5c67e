import type { Bounds } from '../../../base/bounds.js';
import { BitSet } from '../bitSet.js';
import type {
  Engine,
  EngineChain,
  EngineIntervals,
  EngineMdp,
  ProductInput,
  ProductProblem,
  SolverProblem,
  StepInput,
  StepProblem,
  SystemInput,
  SystemProblem,
  UntilProblem,
} from '../engine.js';
import type { IntervalRows } from '../intervalRows.js';
import { Status } from '../status.js';
import type { ChainRewards, Components, Csr, MdpMatrix } from '../types/index.js';
import type { KernelExports, Pointer } from './exports.js';
import { gains } from './gains.js';
import { loadIntervals } from './intervals.js';
import { LoadedModel } from './loadedModel.js';
import { loadMdp } from './mdp.js';
import { KernelMemory } from './memory.js';
import { WasmProduct } from './product.js';
import type { Sharing } from './rowBlocks.js';
import { WasmSolver } from './solver.js';
import { WasmSteps } from './steps.js';
import { WasmSystem } from './system.js';
import { WasmUntil } from './until.js';

/** The kernel of assembly/, behind typed handles. */
export class WasmEngine implements Engine {
  readonly exports: KernelExports;
  readonly memory: KernelMemory;
  readonly sharing: Sharing | undefined;

  constructor(exports: KernelExports, sharing?: Sharing) {
    this.exports = exports;
    this.memory = new KernelMemory(exports);
    this.sharing = sharing;
  }

  load(matrix: Csr): EngineChain | { status: Status; state: number } {
    const loaded = this.#copyIn(matrix);
    return typeof loaded === 'number' ? this.#prepared(loaded, matrix.rowStart.length - 1) : loaded;
  }

  openProduct(input: ProductInput): ProductProblem | { status: Status; state: number } {
    const loaded = this.#copyIn(input.chain);
    if (typeof loaded !== 'number') return loaded;
    return new WasmProduct(this, input, loaded, (chain, states) => this.#prepared(chain, states));
  }

  /** Copies a chain into memory and checks it, without changing its rows. */
  #copyIn(matrix: Csr): Pointer | { status: Status; state: number } {
    const { exports, memory } = this;
    const states = matrix.rowStart.length - 1;
    const transitions = matrix.columns.length;
    const bytes = exports.chainBytes(states, transitions);
    const chain = exports.layOutChain(
      memory.allocate(bytes, `a chain of ${states} states and ${transitions} transitions`),
      states,
      transitions,
    );
    memory.writeWords(exports.rowStartOf(chain), matrix.rowStart);
    memory.writeWords(exports.columnsOf(chain), matrix.columns);
    memory.writeDoubles(exports.valuesOf(chain), matrix.values);
    const status = exports.checkChain(chain) as Status;
    if (status !== Status.Ok) {
      const state = exports.faultyStateOf(chain);
      memory.release(chain);
      return { status, state };
    }
    return chain;
  }

  #prepared(chain: Pointer, states: number): EngineChain {
    this.exports.prepareChain(chain);
    return new WasmChain(this, chain, states);
  }

  loadMdp(matrix: MdpMatrix): EngineMdp | { status: Status; state: number; row: number } {
    return loadMdp(this, matrix);
  }

  loadIntervals(rows: IntervalRows): EngineIntervals {
    return loadIntervals(this, rows);
  }

  memoryBytes(): number {
    return this.memory.bytes;
  }
}

class WasmChain extends LoadedModel implements EngineChain {
  reachableFrom(seeds: BitSet): BitSet {
    return this.#compute([seeds], 0, (seedsAt, result, frontier) =>
      this.engine.exports.reachableFrom(this.model, seedsAt, result, frontier),
    );
  }

  canReach(remain: BitSet, target: BitSet): BitSet {
    return this.#compute([remain, target], 0, (remainAt, targetAt, result, frontier) =>
      this.engine.exports.canReach(this.model, remainAt, targetAt, result, frontier),
    );
  }

  prob0(remain: BitSet, target: BitSet): BitSet {
    return this.#compute([remain, target], 0, (remainAt, targetAt, result, frontier) =>
      this.engine.exports.prob0(this.model, remainAt, targetAt, result, frontier),
    );
  }

  prob1(remain: BitSet, target: BitSet): BitSet {
    const { exports } = this.engine;
    return this.#compute([remain, target], 2, (remainAt, targetAt, zero, through, result, frontier) => {
      exports.prob0(this.model, remainAt, targetAt, zero, frontier);
      exports.prob1(this.model, remainAt, targetAt, zero, result, through, frontier);
    });
  }

  components(): Components {
    return this.#divide((count) => count);
  }

  bottomComponents(): Components {
    const { exports } = this.engine;
    return this.#divide((count, componentOf, scratch) =>
      exports.bottomComponents(this.model, count, componentOf, scratch),
    );
  }

  /** Finds all components, and lets `choose` number the wanted ones and return their number. */
  #divide(choose: (count: number, componentOf: Pointer, scratch: Pointer) => number): Components {
    const { exports, memory } = this.engine;
    const states = this.states;
    const all = BitSet.full(states);
    const wordBytes = 4 * all.words.length;
    const bytes = wordBytes + 12 * states + 4 + exports.componentsScratchBytes(states);
    const block = memory.allocate(bytes, `the components of ${states} states`);
    try {
      const order = block + wordBytes;
      const start = order + 4 * states;
      const componentOf = start + 4 * (states + 1);
      memory.writeWords(block, all.words);
      const scratch = componentOf + 4 * states;
      const found = exports.components(this.model, block, order, start, componentOf, scratch);
      const count = choose(found, componentOf, scratch);
      return { count, componentOf: memory.readWords(componentOf, states) };
    } finally {
      memory.release(block);
    }
  }

  openSolver(remain: BitSet, target: BitSet, solve: (problem: UntilProblem) => void): SolverProblem {
    const until = new WasmUntil(this.engine, this.model, remain, target);
    try {
      solve(until);
      const components = until.componentStart.length - 1;
      const openChain = (chain: Pointer, states: number) => new WasmChain(this.engine, chain, states);
      return new WasmSolver(this.engine, until.until, this.states, components, openChain);
    } finally {
      until.close();
    }
  }

  openUntil(remain: BitSet, target: BitSet): UntilProblem {
    return new WasmUntil(this.engine, this.model, remain, target);
  }

  openSteps(input: StepInput): StepProblem {
    const { exports } = this.engine;
    return new WasmSteps(this.engine, input, (...places) => exports.step(this.model, ...places));
  }

  reachableThrough(through: BitSet, seeds: BitSet): BitSet {
    return this.#compute([through, seeds], 0, (throughAt, seedsAt, result, frontier) =>
      this.engine.exports.reachableThrough(this.model, throughAt, seedsAt, result, frontier),
    );
  }

  gains(rewards: ChainRewards): Bounds {
    return gains(this.engine, this.model, this.states, rewards);
  }

  openSystem(input: SystemInput): SystemProblem {
    return new WasmSystem(this.engine, this.model, input);
  }

  /** Runs a graph search on `inputs`, `scratchSets` further sets, the set it returns, and a frontier, in this order. */
  #compute(inputs: BitSet[], scratchSets: number, search: (...places: Pointer[]) => void): BitSet {
    const found = inputs.length + scratchSets;
    const sizes = [...Array.from({ length: scratchSets + 1 }, () => this.setBytes), 4 * this.states];
    return this.search(inputs, sizes, (...places) => {
      search(...places);
      return this.engine.memory.readSet(places[found], this.states);
    });
  }
}
