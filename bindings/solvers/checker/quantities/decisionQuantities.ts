import {
  type BitSet,
  getKernel,
  type KernelMdp,
  type MdpRewards,
  type Solution,
  type SolveOptions,
} from '../../kernel/index.js';
import type { Mdp, Rewards } from '../../model/index.js';
import type { WindowedUntil } from '../pathEvent.js';
import { goOnFrom } from '../reached.js';
import { bestLongRun } from './longRun/longRun.js';
import { PathQuantifiers } from './pathQuantifiers.js';
import type { Directions, Quantities } from './quantities.js';
import { checkRewards, decisionRewards, stateRewards, widened } from './rewards.js';

/** Numbers of a Markov decision process, least or greatest over all schedulers. */
export class DecisionQuantities extends PathQuantifiers implements Quantities {
  readonly #model: Mdp;
  readonly #kernel: KernelMdp;

  constructor(model: Mdp) {
    super(model);
    this.#model = model;
    this.#kernel = getKernel().mdp(model);
  }

  until([direction]: Directions, remain: BitSet, target: BitSet, options: SolveOptions): Solution {
    return this.#kernel.until(direction, remain, target, options);
  }

  boundedUntil(
    directions: Directions,
    { remain, target, from, to }: WindowedUntil,
    options: SolveOptions,
  ): Solution {
    const [direction] = directions;
    if (to !== null) return this.#kernel.boundedUntil(direction, remain, target, to, { ...options, from });
    const open = () => this.until(directions, remain, target, options);
    if (from === 0) return open();
    const others = { lower: new Float64Array(this.states), upper: new Float64Array(this.states) };
    return goOnFrom(open, (bounds) =>
      this.#kernel.stepBack(direction, bounds, from, { ...options, active: remain, others }),
    );
  }

  next([direction]: Directions, target: BitSet): Solution {
    return this.#kernel.next(direction, target);
  }

  reachabilityReward(
    [direction]: Directions,
    structure: Rewards,
    target: BitSet,
    options: SolveOptions,
  ): Solution {
    return this.#earned(structure, (rewards) =>
      this.#kernel.reachabilityReward(direction, rewards, target, options),
    );
  }

  cumulativeReward(
    [direction]: Directions,
    structure: Rewards,
    steps: number,
    options: SolveOptions,
  ): Solution {
    return this.#earned(structure, (rewards) =>
      this.#kernel.cumulativeReward(direction, rewards, steps, options),
    );
  }

  totalReward([direction]: Directions, structure: Rewards, options: SolveOptions): Solution {
    return this.#earned(structure, (rewards) => this.#kernel.totalReward(direction, rewards, options));
  }

  instantaneousReward(
    [direction]: Directions,
    structure: Rewards,
    steps: number,
    options: SolveOptions,
  ): Solution {
    const states = stateRewards(structure, this.#model);
    return this.#kernel.instantaneousReward(direction, states, steps, options);
  }

  longRunReward([direction]: Directions, structure: Rewards, options: SolveOptions): Solution {
    return this.#earned(structure, (rewards) =>
      bestLongRun(this.#kernel, this.#model, direction, rewards, options),
    );
  }

  longRunProbability([direction]: Directions, target: BitSet, options: SolveOptions): Solution {
    const states = new Float64Array(this.states);
    for (const s of target) states[s] = 1;
    const { upper, ...solution } = bestLongRun(this.#kernel, this.#model, direction, { states }, options);
    return { ...solution, upper: upper.map((share) => Math.min(1, share)) };
  }

  prob0([direction]: Directions, remain: BitSet, target: BitSet): BitSet {
    return direction === 'min' ? this.#kernel.prob0E(remain, target) : this.#kernel.prob0A(remain, target);
  }

  prob1([direction]: Directions, remain: BitSet, target: BitSet): BitSet {
    return direction === 'min' ? this.#kernel.prob1A(remain, target) : this.#kernel.prob1E(remain, target);
  }

  free(): void {
    this.#kernel.free();
  }

  #earned(structure: Rewards, solve: (rewards: MdpRewards) => Solution): Solution {
    checkRewards(structure, this.#model);
    const { rewards, error } = decisionRewards(structure, this.#model);
    return widened(() => solve(rewards), error);
  }
}
