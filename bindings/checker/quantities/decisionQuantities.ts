import { NotSupportedError } from '../../errors.js';
import {
  type BitSet,
  getKernel,
  type KernelMdp,
  type Solution,
  type SolveOptions,
} from '../../kernel/index.js';
import type { Mdp, Rewards } from '../../model/index.js';
import type { Bounds } from '../backward.js';
import { type BackwardInput, stepBack } from './backwardSteps.js';
import { DecisionMeans } from './decisionMeans.js';
import { Graph } from './graph.js';
import type { Directions, Quantities } from './quantities.js';
import { checkRewards, decisionRewards, widened } from './rewards.js';

/** Numbers of a Markov decision process, least or greatest over all schedulers. */
export class DecisionQuantities implements Quantities {
  readonly states: number;
  private readonly model: Mdp;
  private readonly kernel: KernelMdp;
  private transitions: Graph | undefined;
  private rows: DecisionMeans | undefined;

  constructor(model: Mdp) {
    this.model = model;
    this.states = model.states;
    this.kernel = getKernel().mdp(model);
  }

  until([direction]: Directions, remain: BitSet, target: BitSet, options: SolveOptions): Solution {
    return this.kernel.until(direction, remain, target, options);
  }

  boundedUntil(
    directions: Directions,
    remain: BitSet,
    target: BitSet,
    from: number,
    to: number | null,
    options: SolveOptions,
  ): Solution {
    const [direction] = directions;
    const open =
      to === null
        ? this.until(directions, remain, target, options)
        : this.kernel.boundedUntil(direction, remain, target, to - from, options);
    if (from === 0) return open;
    const others = constant(this.states, 0);
    const shifted = this.stepBack(directions, { start: open, active: remain, others }, from, options);
    return { ...shifted, method: open.method, iterations: open.iterations + shifted.iterations };
  }

  next([direction]: Directions, target: BitSet): Solution {
    return this.kernel.next(direction, target);
  }

  reachabilityReward(
    [direction]: Directions,
    structure: Rewards,
    target: BitSet,
    options: SolveOptions,
  ): Solution {
    const { rewards, error } = this.rewards(structure);
    return widened(this.kernel.reachabilityReward(direction, rewards, target, options), error);
  }

  cumulativeReward(
    directions: Directions,
    structure: Rewards,
    steps: number,
    options: SolveOptions,
  ): Solution {
    const { rewards, error } = this.rewards(structure);
    const start = constant(this.states, 0);
    return widened(this.stepBack(directions, { start, rewards }, steps, options), error);
  }

  totalReward(): Solution {
    throw new NotSupportedError('not yet');
  }

  instantaneousReward(
    directions: Directions,
    structure: Rewards,
    steps: number,
    options: SolveOptions,
  ): Solution {
    checkRewards(structure, this.model);
    const values = structure.states ?? new Float64Array(this.states);
    return this.stepBack(directions, { start: { lower: values, upper: values } }, steps, options);
  }

  longRunReward(): Solution {
    throw noLongRun();
  }

  longRunProbability(): Solution {
    throw noLongRun();
  }

  prob0([direction]: Directions, remain: BitSet, target: BitSet): BitSet {
    return direction === 'min' ? this.kernel.prob0E(remain, target) : this.kernel.prob0A(remain, target);
  }

  prob1([direction]: Directions, remain: BitSet, target: BitSet): BitSet {
    return direction === 'min' ? this.kernel.prob1A(remain, target) : this.kernel.prob1E(remain, target);
  }

  existsNext(target: BitSet): BitSet {
    return this.graph.existsNext(target);
  }

  existsUntil(remain: BitSet, target: BitSet): BitSet {
    return this.kernel.prob0A(remain, target).complement();
  }

  existsGlobally(remain: BitSet): BitSet {
    return this.graph.existsGlobally(remain);
  }

  free(): void {
    this.kernel.free();
  }

  [Symbol.dispose](): void {
    this.free();
  }

  private get graph(): Graph {
    this.transitions ??= new Graph(this.model);
    return this.transitions;
  }

  private rewards(structure: Rewards): ReturnType<typeof decisionRewards> {
    checkRewards(structure, this.model);
    return decisionRewards(structure, this.model);
  }

  private stepBack(
    [direction]: Directions,
    input: BackwardInput,
    steps: number,
    options: SolveOptions,
  ): Solution {
    this.rows ??= new DecisionMeans(this.model);
    return stepBack(this.rows, direction, input, steps, options);
  }
}

function constant(states: number, value: number): Bounds {
  const values = new Float64Array(states).fill(value);
  return { lower: values, upper: values };
}

function noLongRun(): NotSupportedError {
  return new NotSupportedError(
    'what happens in the long run is computed for Markov chains only: an mdp has it for each of its schedulers',
  );
}
