import { NotSupportedError } from '../../../base/errors.js';
import { BitSet, type Solution, type SolveOptions } from '../../kernel/index.js';
import type { Dtmc, Rewards } from '../../model/index.js';
import { supportBackward } from '../backward.js';
import { type ClosedChain, closeChain } from '../closedChain.js';
import type { WindowedUntil } from '../pathEvent.js';
import { hull, withBounds } from '../reached.js';
import { solveEvent } from '../solveEvent.js';
import type { Graph } from './graph.js';
import { PathQuantifiers } from './pathQuantifiers.js';
import type { Directions, Quantities } from './quantities.js';
import { chainRewards, checkRewards, stateRewards, widened } from './rewards.js';

/**
 * Numbers of a Markov chain. States without data count with the widest interval wherever their row matters: [0, 1] for
 * probabilities; for rewards, every possible future reward, which for sums is [0, infinity].
 */
export class ChainQuantities extends PathQuantifiers implements Quantities {
  readonly #model: Dtmc;
  readonly #chain: ClosedChain;

  constructor(model: Dtmc) {
    super(model);
    this.#model = model;
    this.#chain = closeChain(model);
  }

  until(_: Directions, remain: BitSet, target: BitSet, options: SolveOptions): Solution {
    return solveEvent(this.#chain, { remain, target, from: 0, to: null, negated: false }, options);
  }

  boundedUntil(_: Directions, event: WindowedUntil, options: SolveOptions): Solution {
    return solveEvent(this.#chain, { ...event, negated: false }, options);
  }

  next(_: Directions, target: BitSet): Solution {
    const remain = BitSet.full(this.states);
    return solveEvent(this.#chain, { remain, target, from: 1, to: 1, negated: false });
  }

  reachabilityReward(_: Directions, structure: Rewards, target: BitSet, options: SolveOptions): Solution {
    const { withoutData, kernel } = this.#chain;
    const { rewards, error } = this.#rewards(structure);
    const least = () => kernel.reachabilityReward(rewards, target.union(withoutData), options);
    const open = kernel.canReach(target.complement(), withoutData.difference(target));
    return unbounded(() => widened(least, error), open);
  }

  cumulativeReward(_: Directions, structure: Rewards, steps: number, options: SolveOptions): Solution {
    const { withoutData, rows, kernel } = this.#chain;
    const { rewards, error } = this.#rewards(structure);
    const least = () => widened(() => kernel.cumulativeReward(rewards, steps, options), error);
    if (steps === 0) return least();
    return unbounded(least, supportBackward(rows, withoutData.complement(), withoutData, steps - 1));
  }

  totalReward(_: Directions, structure: Rewards, options: SolveOptions): Solution {
    const { withoutData, kernel } = this.#chain;
    const { rewards, error } = this.#rewards(structure);
    const within = withoutData.complement();
    const least = () => kernel.totalReward(rewards, { ...options, within });
    return unbounded(() => widened(least, error), kernel.canReach(within, withoutData));
  }

  instantaneousReward(_: Directions, structure: Rewards, steps: number, options: SolveOptions): Solution {
    const states = stateRewards(structure, this.#model);
    const { withoutData, kernel } = this.#chain;
    if (withoutData.count() === 0) return kernel.instantaneousReward(states, steps, options);
    // Wherever such a state leads, its instantaneous reward is one of the rewards.
    const others = {
      lower: new Float64Array(this.states).fill(states.reduce((least, reward) => Math.min(least, reward))),
      upper: new Float64Array(this.states).fill(largest(states)),
    };
    const start = { lower: states, upper: states };
    const active = withoutData.complement();
    const solution = kernel.stepBack(start, steps, { ...options, active, ...(steps > 0 && { others }) });
    return { ...solution, method: 'instantaneous' };
  }

  longRunReward(_: Directions, structure: Rewards, options: SolveOptions): Solution {
    const { withoutData, kernel } = this.#chain;
    const { rewards, error } = this.#rewards(structure);
    const least = () => widened(() => kernel.longRunAverage(rewards, options), error);
    if (withoutData.count() === 0) return least();
    const { states, choices, branches } = structure;
    const most = (largest(states) + largest(choices) + largest(branches)) * (1 + 2 * Number.EPSILON);
    const raised = (rewards.states ?? new Float64Array(this.states)).slice();
    for (const s of withoutData) raised[s] = most;
    const greatest = () => kernel.longRunAverage({ ...rewards, states: raised }, options);
    return hull(least, () => widened(greatest, error));
  }

  longRunProbability(directions: Directions, target: BitSet, options: SolveOptions): Solution {
    const states = new Float64Array(this.states);
    for (const s of target) states[s] = 1;
    const solution = this.longRunReward(directions, { name: '', states }, options);
    for (let s = 0; s < this.states; s++) solution.upper[s] = Math.min(1, solution.upper[s]);
    return solution;
  }

  /** States without data may lead anywhere: if a path may meet one, nothing is certain. */
  prob0(_: Directions, remain: BitSet, target: BitSet): BitSet {
    const { withoutData, kernel } = this.#chain;
    return kernel.prob0(remain, target.union(withoutData.intersection(remain)));
  }

  prob1(_: Directions, remain: BitSet, target: BitSet): BitSet {
    return this.#chain.kernel.prob1(remain, target);
  }

  free(): void {
    this.#chain[Symbol.dispose]();
  }

  protected override get graph(): Graph {
    const missing = this.#chain.withoutData.count();
    if (missing === 0) return super.graph;
    throw new NotSupportedError(
      `${missing} states have no data, so which transitions they have is not known: ask for probabilities instead of A and E`,
    );
  }

  /** Rewards of the closed chain: a state without data earns nothing more while it stays. */
  #rewards(structure: Rewards): ReturnType<typeof chainRewards> {
    checkRewards(structure, this.#model);
    const { rewards, error } = chainRewards(structure, this.#model);
    if (rewards.states === undefined || this.#chain.withoutData.count() === 0) return { rewards, error };
    const states = rewards.states.slice();
    for (const s of this.#chain.withoutData) states[s] = 0;
    return { rewards: { ...rewards, states }, error };
  }
}

/** The result of `solve` with infinite upper bounds in `open`. */
function unbounded(solve: () => Solution, open: BitSet): Solution {
  if (open.count() === 0) return solve();
  const { accuracy, ...solution } = withBounds(
    ({ lower, upper }) => ({
      lower,
      upper: upper.map((value, s) => (open.has(s) ? Number.POSITIVE_INFINITY : value)),
    }),
    solve,
  );
  return { ...solution, accuracy: accuracy === 'exact' ? 'bounded' : accuracy };
}

function largest(values: Float64Array | undefined): number {
  let most = 0;
  if (values !== undefined) for (let i = 0; i < values.length; i++) most = Math.max(most, values[i]);
  return most;
}
