import { InvalidArgumentError } from '../errors.js';
import { BitSet } from './bitSet.js';
import type { Engine, EngineChain } from './engine.js';
import { checkLengths, invalidModel } from './invalidModel.js';
import { checkSolveOptions } from './options.js';
import { checkSets } from './sets.js';
import { solveSteps } from './steps.js';
import type { Components, Csr, KernelChain, Solution, SolveOptions } from './types.js';
import { solveUntil } from './until.js';

/** Frees chains that their owner forgot. A net only: it may run late or never. */
const forgotten = new FinalizationRegistry((chain: EngineChain) => chain.free());

/** Loads and checks a chain; the handle owns what the engine holds of it. */
export function openChain(engine: Engine, matrix: Csr): KernelChain {
  checkLengths(matrix);
  const loaded = engine.load(matrix);
  if ('status' in loaded) throw invalidModel(matrix, loaded.status, loaded.state);
  return new ChainHandle(loaded, matrix.rowStart.length - 1, matrix.columns.length);
}

/** Checks arguments and ownership on behalf of every engine. */
class ChainHandle implements KernelChain {
  readonly states: number;
  readonly transitions: number;
  private chain: EngineChain | undefined;
  /** Solves under way: their callbacks run while the engine works on the chain. */
  private solving = 0;

  constructor(chain: EngineChain, states: number, transitions: number) {
    this.chain = chain;
    this.states = states;
    this.transitions = transitions;
    forgotten.register(this, chain, this);
  }

  reachableFrom(seeds: BitSet): BitSet {
    return this.open({ seeds }).reachableFrom(seeds);
  }

  canReach(remain: BitSet, target: BitSet): BitSet {
    return this.open({ remain, target }).canReach(remain, target);
  }

  prob0(remain: BitSet, target: BitSet): BitSet {
    return this.open({ remain, target }).prob0(remain, target);
  }

  prob1(remain: BitSet, target: BitSet): BitSet {
    return this.open({ remain, target }).prob1(remain, target);
  }

  components(): Components {
    return this.open({}).components();
  }

  until(remain: BitSet, target: BitSet, options: SolveOptions = {}): Solution {
    const chain = this.open({ remain, target });
    const checked = checkSolveOptions(options);
    const problem = chain.openUntil(remain, target);
    this.solving++;
    try {
      return solveUntil(problem, checked);
    } finally {
      this.solving--;
      problem.close();
    }
  }

  boundedUntil(
    remain: BitSet,
    target: BitSet,
    steps: number,
    options: Pick<SolveOptions, 'onProgress' | 'signal'> = {},
  ): Solution {
    const chain = this.open({ remain, target });
    if (!Number.isSafeInteger(steps) || steps < 0) {
      throw new InvalidArgumentError(`steps is ${steps}: it is a whole number, at least 0`);
    }
    const active = chain.canReach(remain, target).difference(target);
    return this.solveSteps(chain, active, target, steps, 'bounded-until', options);
  }

  next(target: BitSet): Solution {
    const chain = this.open({ target });
    return this.solveSteps(chain, BitSet.full(this.states), target, 1, 'next', {});
  }

  free(): void {
    const chain = this.open({});
    if (this.solving > 0) throw new InvalidArgumentError('this chain is being solved: free it after that');
    this.chain = undefined;
    forgotten.unregister(this);
    chain.free();
  }

  [Symbol.dispose](): void {
    this.free();
  }

  private solveSteps(
    chain: EngineChain,
    active: BitSet,
    target: BitSet,
    steps: number,
    method: string,
    options: Pick<SolveOptions, 'onProgress' | 'signal'>,
  ): Solution {
    const problem = chain.openSteps(active, target);
    this.solving++;
    try {
      return solveSteps(problem, steps, this.states, method, options);
    } finally {
      this.solving--;
      problem.close();
    }
  }

  /** The engine's chain, if this handle still owns it and all sets are over its states. */
  private open(sets: Readonly<Record<string, BitSet>>): EngineChain {
    if (this.chain === undefined) {
      throw new InvalidArgumentError('this chain was freed already: free it once, after its last use');
    }
    checkSets(sets, this.states, 'the chain');
    return this.chain;
  }
}
