import type { Bounds } from '../../base/bounds.js';
import * as backward from './backward.js';
import { checkSteps, indicator, type TakeSteps } from './backward.js';
import { BitSet } from './bitSet.js';
import { checkRewards, checkWeights } from './chainRewards.js';
import type { Engine, EngineChain } from './engine.js';
import { reachabilityReward, totalReward } from './expectedReward.js';
import { Handle } from './handle.js';
import { checkLengths, invalidModel } from './invalidModel.js';
import { checkSolveOptions } from './options.js';
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

/** Loads and checks a chain; the handle owns the engine's copy. */
export function openChain(engine: Engine, matrix: Csr): KernelChain {
  checkLengths(matrix);
  const loaded = engine.load(matrix);
  if ('status' in loaded) throw invalidModel(matrix, loaded.status, loaded.state);
  return new ChainHandle(loaded, matrix.rowStart.length - 1, matrix.columns.length);
}

/** Makes a handle for a chain that an engine built itself. */
export function ownChain(chain: EngineChain, states: number, transitions: number): KernelChain {
  return new ChainHandle(chain, states, transitions);
}

/** Checks arguments and ownership for every engine. */
class ChainHandle extends Handle<EngineChain> implements KernelChain {
  readonly states: number;
  readonly transitions: number;

  constructor(chain: EngineChain, states: number, transitions: number) {
    super('chain', chain);
    this.states = states;
    this.transitions = transitions;
  }

  reachableFrom(seeds: BitSet): BitSet {
    return this.held({ seeds }).reachableFrom(seeds);
  }

  canReach(remain: BitSet, target: BitSet): BitSet {
    return this.held({ remain, target }).canReach(remain, target);
  }

  prob0(remain: BitSet, target: BitSet): BitSet {
    return this.held({ remain, target }).prob0(remain, target);
  }

  prob1(remain: BitSet, target: BitSet): BitSet {
    return this.held({ remain, target }).prob1(remain, target);
  }

  components(): Components {
    return this.held().components();
  }

  until(remain: BitSet, target: BitSet, options: SolveOptions = {}): Solution {
    const chain = this.held({ remain, target });
    const checked = checkSolveOptions(options);
    const problem = chain.openUntil(remain, target);
    try {
      return this.working(() => solveUntil(problem, checked));
    } finally {
      problem.close();
    }
  }

  openSolver(remain: BitSet, target: BitSet, options: SolveOptions = {}): KernelSolver {
    const chain = this.held({ remain, target });
    const checked = checkSolveOptions(options);
    return this.working(() => openSolver(chain, remain, target, checked));
  }

  boundedUntil(remain: BitSet, target: BitSet, steps: number, options: WindowOptions = {}): Solution {
    const chain = this.held({ remain, target });
    const reaching = () => chain.canReach(remain, target);
    return backward.boundedUntil(this.#stepsOf(chain), { remain, target, reaching }, steps, options);
  }

  boundedGlobally(remain: BitSet, steps: number, options: StepOptions = {}): Solution {
    const chain = this.held({ remain });
    checkSteps('steps', steps);
    const input = { active: remain, start: indicator(remain) };
    return this.#stepsOf(chain)(input, steps, 'bounded-globally', options);
  }

  next(target: BitSet): Solution {
    return backward.next(this.#stepsOf(this.held({ target })), target);
  }

  stepBack(values: Bounds, steps: number, options: BackOptions = {}): Solution {
    const { active = BitSet.full(this.states) } = options;
    return backward.stepBack(this.#stepsOf(this.held({ active })), this.states, values, steps, options);
  }

  bottomComponents(): Components {
    return this.held().bottomComponents();
  }

  reachabilityReward(rewards: ChainRewards, target: BitSet, options: SolveOptions = {}): Solution {
    const chain = this.held({ target });
    checkRewards(rewards, this.states);
    return this.working(() => reachabilityReward(chain, rewards, target, checkSolveOptions(options)));
  }

  totalReward(rewards: ChainRewards, options: SolveOptions & { within?: BitSet } = {}): Solution {
    const { within = BitSet.full(this.states), ...solveOptions } = options;
    const chain = this.held({ within });
    checkRewards(rewards, this.states);
    return this.working(() => totalReward(chain, rewards, within, checkSolveOptions(solveOptions)));
  }

  cumulativeReward(rewards: ChainRewards, steps: number, options: StepOptions = {}): Solution {
    const chain = this.held();
    checkRewards(rewards, this.states);
    return backward.cumulativeReward(this.#stepsOf(chain), this.states, chain.gains(rewards), steps, options);
  }

  instantaneousReward(states: Float64Array, steps: number, options: StepOptions = {}): Solution {
    return backward.instantaneousReward(this.#stepsOf(this.held()), this.states, states, steps, options);
  }

  longRunAverage(rewards: ChainRewards, options: SolveOptions = {}): Solution {
    const chain = this.held();
    checkRewards(rewards, this.states);
    return this.working(() => longRunAverage(chain, rewards, this.states, checkSolveOptions(options)));
  }

  steadyState(initial: Float64Array, options: SolveOptions = {}): Solution {
    const chain = this.held();
    checkWeights('initial', initial, this.states);
    return this.working(() => steadyState(chain, initial, checkSolveOptions(options)));
  }

  visitsFrom(initial: Float64Array, options: SolveOptions & { within?: BitSet } = {}): Solution {
    const { within = BitSet.full(this.states), ...solveOptions } = options;
    const chain = this.held({ within });
    checkWeights('initial', initial, this.states);
    return this.working(() => visitsFrom(chain, initial, within, checkSolveOptions(solveOptions)));
  }

  visitsTo(weights: Float64Array, options: SolveOptions & { within?: BitSet } = {}): Solution {
    this.held();
    checkWeights('weights', weights, this.states);
    return this.totalReward({ states: weights }, options);
  }

  #stepsOf(chain: EngineChain): TakeSteps {
    return (input, steps, method, options) =>
      this.working(() => solveSteps(chain.openSteps(input), steps, this.states, method, options));
  }
}
