import { InvalidArgumentError } from '../errors.js';
import { checkArrays } from './arrays.js';
import { BitSet } from './bitSet.js';
import { checkRewards, checkWeights, LARGEST_REWARD } from './chainRewards.js';
import type { Bounds, Engine, EngineChain, StepInput } from './engine.js';
import { reachabilityReward, totalReward } from './expectedReward.js';
import { checkLengths, invalidModel, SMALLEST_PROBABILITY } from './invalidModel.js';
import { checkSolveOptions } from './options.js';
import { checkSets } from './sets.js';
import { openSolver } from './solver.js';
import { longRunAverage, steadyState } from './stationary.js';
import { solveSteps } from './steps.js';
import type {
  ChainRewards,
  Components,
  Csr,
  KernelChain,
  KernelSolver,
  Solution,
  SolveOptions,
  StepOptions,
} from './types.js';
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

  openSolver(remain: BitSet, target: BitSet, options: SolveOptions = {}): KernelSolver {
    const chain = this.open({ remain, target });
    const checked = checkSolveOptions(options);
    this.solving++;
    try {
      return openSolver(chain, remain, target, checked);
    } finally {
      this.solving--;
    }
  }

  boundedUntil(
    remain: BitSet,
    target: BitSet,
    steps: number,
    options: StepOptions & { from?: number } = {},
  ): Solution {
    const chain = this.open({ remain, target });
    const { from = 0, ...stepOptions } = options;
    checkSteps('steps', steps);
    checkSteps('from', from);
    if (from > steps) throw new InvalidArgumentError(`the window from ${from} to ${steps} is empty`);
    if (from > 0 && options.everyStep) {
      throw new InvalidArgumentError(`values for every step are of windows that start at 0, not at ${from}`);
    }
    const active = chain.canReach(remain, target).difference(target);
    const open = this.solveSteps(
      chain,
      { active, start: indicator(target) },
      steps - from,
      'bounded-until',
      stepOptions,
    );
    if (from === 0) return open;
    const others = indicator(new BitSet(this.states));
    const shifted = this.solveSteps(
      chain,
      { active: remain, start: open, others },
      from,
      'bounded-until',
      stepOptions,
    );
    return { ...shifted, iterations: open.iterations + shifted.iterations };
  }

  boundedGlobally(remain: BitSet, steps: number, options: StepOptions = {}): Solution {
    const chain = this.open({ remain });
    checkSteps('steps', steps);
    const input = { active: remain, start: indicator(remain) };
    return this.solveSteps(chain, input, steps, 'bounded-globally', options);
  }

  next(target: BitSet): Solution {
    const chain = this.open({ target });
    return this.solveSteps(
      chain,
      { active: BitSet.full(this.states), start: indicator(target) },
      1,
      'next',
      {},
    );
  }

  stepBack(
    values: Bounds,
    steps: number,
    options: StepOptions & { active?: BitSet; others?: Bounds } = {},
  ): Solution {
    const { active = BitSet.full(this.states), others, ...stepOptions } = options;
    const chain = this.open({ active });
    checkSteps('steps', steps);
    const start = checkedBounds('values', values, this.states);
    const input = {
      ...{ active, start },
      ...(others === undefined ? {} : { others: checkedBounds('others', others, this.states) }),
    };
    return this.solveSteps(chain, input, steps, 'steps', stepOptions);
  }

  bottomComponents(): Components {
    return this.open({}).bottomComponents();
  }

  reachabilityReward(rewards: ChainRewards, target: BitSet, options: SolveOptions = {}): Solution {
    const chain = this.open({ target });
    checkRewards(rewards, this.states);
    return this.busy(() => reachabilityReward(chain, rewards, target, checkSolveOptions(options)));
  }

  totalReward(rewards: ChainRewards, options: SolveOptions & { within?: BitSet } = {}): Solution {
    const { within = BitSet.full(this.states), ...solveOptions } = options;
    const chain = this.open({ within });
    checkRewards(rewards, this.states);
    return this.busy(() => totalReward(chain, rewards, within, checkSolveOptions(solveOptions)));
  }

  cumulativeReward(rewards: ChainRewards, steps: number, options: StepOptions = {}): Solution {
    const chain = this.open({});
    checkSteps('steps', steps);
    checkRewards(rewards, this.states);
    const active = BitSet.full(this.states);
    const input = { active, start: indicator(new BitSet(this.states)), gain: chain.gains(rewards) };
    return this.solveSteps(chain, input, steps, 'cumulative', options);
  }

  instantaneousReward(states: Float64Array, steps: number, options: StepOptions = {}): Solution {
    const chain = this.open({});
    checkSteps('steps', steps);
    checkWeights('states', states, this.states);
    const input = { active: BitSet.full(this.states), start: { lower: states, upper: states } };
    return this.solveSteps(chain, input, steps, 'instantaneous', options);
  }

  longRunAverage(rewards: ChainRewards, options: SolveOptions = {}): Solution {
    const chain = this.open({});
    checkRewards(rewards, this.states);
    return this.busy(() => longRunAverage(chain, rewards, this.states, checkSolveOptions(options)));
  }

  steadyState(initial: Float64Array, options: SolveOptions = {}): Solution {
    const chain = this.open({});
    checkWeights('initial', initial, this.states);
    return this.busy(() => steadyState(chain, initial, checkSolveOptions(options)));
  }

  visitsFrom(initial: Float64Array, options: SolveOptions & { within?: BitSet } = {}): Solution {
    const { within = BitSet.full(this.states), ...solveOptions } = options;
    const chain = this.open({ within });
    checkWeights('initial', initial, this.states);
    return this.busy(() => visitsFrom(chain, initial, within, checkSolveOptions(solveOptions)));
  }

  visitsTo(weights: Float64Array, options: SolveOptions & { within?: BitSet } = {}): Solution {
    this.open({});
    checkWeights('weights', weights, this.states);
    return this.totalReward({ states: weights }, options);
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
    input: StepInput,
    steps: number,
    method: string,
    options: StepOptions,
  ): Solution {
    const problem = chain.openSteps(input);
    try {
      return this.busy(() => solveSteps(problem, steps, this.states, method, options));
    } finally {
      problem.close();
    }
  }

  /** Callbacks during `solve` cannot free this chain. */
  private busy<T>(solve: () => T): T {
    this.solving++;
    try {
      return solve();
    } finally {
      this.solving--;
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

/** 1 in a set and 0 elsewhere. */
function indicator(set: BitSet): Bounds {
  const values = Float64Array.from({ length: set.size }, (_, s) => (set.has(s) ? 1 : 0));
  return { lower: values, upper: values };
}

function checkSteps(name: string, steps: number): void {
  if (Number.isSafeInteger(steps) && steps >= 0) return;
  throw new InvalidArgumentError(`${name} is ${steps}: it is a whole number, at least 0`);
}

/** Refuses what are no bounds of values that can be computed with; tiny ones are widened until products cannot underflow. */
function checkedBounds(name: string, { lower, upper }: Bounds, states: number): Bounds {
  checkArrays({ [`${name}.lower`]: lower, [`${name}.upper`]: upper }, 'Float64Array');
  if (lower.length !== states || upper.length !== states) {
    throw new InvalidArgumentError(
      `${name} have ${lower.length} lower and ${upper.length} upper bounds: one each for each of the chain's ${states} states`,
    );
  }
  const wrong = lower.findIndex(
    (value, s) => !(0 <= value && value <= upper[s] && upper[s] <= LARGEST_REWARD),
  );
  if (wrong >= 0) {
    throw new InvalidArgumentError(
      `${name} of state ${wrong} lie between ${lower[wrong]} and ${upper[wrong]}: bounds ascend, from 0 on, up to 2^500`,
    );
  }
  return {
    lower: lower.map((value) => (value < SMALLEST_PROBABILITY ? 0 : value)),
    upper: upper.map((value) => (value > 0 ? Math.max(value, SMALLEST_PROBABILITY) : 0)),
  };
}
