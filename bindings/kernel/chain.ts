import { InvalidArgumentError } from '../errors.js';
import {
  boundedUntil,
  checkSteps,
  cumulativeReward,
  indicator,
  instantaneousReward,
  next,
  stepBack,
  type TakeSteps,
} from './backward.js';
import { BitSet } from './bitSet.js';
import { checkRewards, checkWeights } from './chainRewards.js';
import type { Bounds, Engine, EngineChain } from './engine.js';
import { reachabilityReward, totalReward } from './expectedReward.js';
import { checkLengths, invalidModel } from './invalidModel.js';
import { checkSolveOptions } from './options.js';
import { checkSets } from './sets.js';
import { openSolver } from './solver.js';
import { longRunAverage, steadyState } from './stationary.js';
import { solveSteps } from './steps.js';
import type {
  BackOptions,
  ChainRewards,
  Components,
  Csr,
  KernelChain,
  KernelSolver,
  Solution,
  SolveOptions,
  StepOptions,
  WindowOptions,
} from './types/index.js';
import { solveUntil } from './until.js';
import { visitsFrom } from './visits.js';

/** Frees chains that their owner forgot. A net only: it may run late or never. */
const forgotten = new FinalizationRegistry((chain: EngineChain) => chain.free());

/** Loads and checks a chain; the handle owns what the engine holds of it. */
export function openChain(engine: Engine, matrix: Csr): KernelChain {
  checkLengths(matrix);
  const loaded = engine.load(matrix);
  if ('status' in loaded) throw invalidModel(matrix, loaded.status, loaded.state);
  return new ChainHandle(loaded, matrix.rowStart.length - 1, matrix.columns.length);
}

/** A handle of a chain that an engine built itself. */
export function ownChain(chain: EngineChain, states: number, transitions: number): KernelChain {
  return new ChainHandle(chain, states, transitions);
}

/** Checks arguments and ownership on behalf of every engine. */
class ChainHandle implements KernelChain {
  readonly states: number;
  readonly transitions: number;
  #chain: EngineChain | undefined;
  /** Solves under way: their callbacks run while the engine works on the chain. */
  #solving = 0;

  constructor(chain: EngineChain, states: number, transitions: number) {
    this.#chain = chain;
    this.states = states;
    this.transitions = transitions;
    forgotten.register(this, chain, this);
  }

  reachableFrom(seeds: BitSet): BitSet {
    return this.#open({ seeds }).reachableFrom(seeds);
  }

  canReach(remain: BitSet, target: BitSet): BitSet {
    return this.#open({ remain, target }).canReach(remain, target);
  }

  prob0(remain: BitSet, target: BitSet): BitSet {
    return this.#open({ remain, target }).prob0(remain, target);
  }

  prob1(remain: BitSet, target: BitSet): BitSet {
    return this.#open({ remain, target }).prob1(remain, target);
  }

  components(): Components {
    return this.#open({}).components();
  }

  until(remain: BitSet, target: BitSet, options: SolveOptions = {}): Solution {
    const chain = this.#open({ remain, target });
    const checked = checkSolveOptions(options);
    const problem = chain.openUntil(remain, target);
    this.#solving++;
    try {
      return solveUntil(problem, checked);
    } finally {
      this.#solving--;
      problem.close();
    }
  }

  openSolver(remain: BitSet, target: BitSet, options: SolveOptions = {}): KernelSolver {
    const chain = this.#open({ remain, target });
    const checked = checkSolveOptions(options);
    this.#solving++;
    try {
      return openSolver(chain, remain, target, checked);
    } finally {
      this.#solving--;
    }
  }

  boundedUntil(remain: BitSet, target: BitSet, steps: number, options: WindowOptions = {}): Solution {
    const chain = this.#open({ remain, target });
    const reaching = () => chain.canReach(remain, target);
    return boundedUntil(this.#stepsOf(chain), { remain, target, reaching }, steps, options);
  }

  boundedGlobally(remain: BitSet, steps: number, options: StepOptions = {}): Solution {
    const chain = this.#open({ remain });
    checkSteps('steps', steps);
    const input = { active: remain, start: indicator(remain) };
    return this.#stepsOf(chain)(input, steps, 'bounded-globally', options);
  }

  next(target: BitSet): Solution {
    return next(this.#stepsOf(this.#open({ target })), target);
  }

  stepBack(values: Bounds, steps: number, options: BackOptions = {}): Solution {
    const { active = BitSet.full(this.states) } = options;
    return stepBack(this.#stepsOf(this.#open({ active })), this.states, values, steps, options);
  }

  bottomComponents(): Components {
    return this.#open({}).bottomComponents();
  }

  reachabilityReward(rewards: ChainRewards, target: BitSet, options: SolveOptions = {}): Solution {
    const chain = this.#open({ target });
    checkRewards(rewards, this.states);
    return this.#busy(() => reachabilityReward(chain, rewards, target, checkSolveOptions(options)));
  }

  totalReward(rewards: ChainRewards, options: SolveOptions & { within?: BitSet } = {}): Solution {
    const { within = BitSet.full(this.states), ...solveOptions } = options;
    const chain = this.#open({ within });
    checkRewards(rewards, this.states);
    return this.#busy(() => totalReward(chain, rewards, within, checkSolveOptions(solveOptions)));
  }

  cumulativeReward(rewards: ChainRewards, steps: number, options: StepOptions = {}): Solution {
    const chain = this.#open({});
    checkRewards(rewards, this.states);
    return cumulativeReward(this.#stepsOf(chain), this.states, chain.gains(rewards), steps, options);
  }

  instantaneousReward(states: Float64Array, steps: number, options: StepOptions = {}): Solution {
    return instantaneousReward(this.#stepsOf(this.#open({})), this.states, states, steps, options);
  }

  longRunAverage(rewards: ChainRewards, options: SolveOptions = {}): Solution {
    const chain = this.#open({});
    checkRewards(rewards, this.states);
    return this.#busy(() => longRunAverage(chain, rewards, this.states, checkSolveOptions(options)));
  }

  steadyState(initial: Float64Array, options: SolveOptions = {}): Solution {
    const chain = this.#open({});
    checkWeights('initial', initial, this.states);
    return this.#busy(() => steadyState(chain, initial, checkSolveOptions(options)));
  }

  visitsFrom(initial: Float64Array, options: SolveOptions & { within?: BitSet } = {}): Solution {
    const { within = BitSet.full(this.states), ...solveOptions } = options;
    const chain = this.#open({ within });
    checkWeights('initial', initial, this.states);
    return this.#busy(() => visitsFrom(chain, initial, within, checkSolveOptions(solveOptions)));
  }

  visitsTo(weights: Float64Array, options: SolveOptions & { within?: BitSet } = {}): Solution {
    this.#open({});
    checkWeights('weights', weights, this.states);
    return this.totalReward({ states: weights }, options);
  }

  free(): void {
    const chain = this.#open({});
    if (this.#solving > 0) throw new InvalidArgumentError('this chain is being solved: free it after that');
    this.#chain = undefined;
    forgotten.unregister(this);
    chain.free();
  }

  [Symbol.dispose](): void {
    this.free();
  }

  #stepsOf(chain: EngineChain): TakeSteps {
    return (input, steps, method, options) =>
      this.#busy(() => solveSteps(chain.openSteps(input), steps, this.states, method, options));
  }

  /** Callbacks during `solve` cannot free this chain. */
  #busy<T>(solve: () => T): T {
    this.#solving++;
    try {
      return solve();
    } finally {
      this.#solving--;
    }
  }

  /** The engine's chain, if this handle still owns it and all sets are over its states. */
  #open(sets: Readonly<Record<string, BitSet>>): EngineChain {
    if (this.#chain === undefined) {
      throw new InvalidArgumentError('this chain was freed already: free it once, after its last use');
    }
    checkSets(sets, this.states, 'the chain');
    return this.#chain;
  }
}
