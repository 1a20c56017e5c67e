import { NotSupportedError } from '../../../base/errors.js';
import {
  type BitSet,
  type Direction,
  getKernel,
  type IntervalMdpMatrix,
  type KernelIntervalMdp,
  type MdpRewards,
  type Players,
  type Solution,
  type SolveOptions,
} from '../../kernel/index.js';
import type { IntervalDtmc, IntervalMdp, Rewards } from '../../model/index.js';
import type { WindowedUntil } from '../pathEvent.js';
import { goOnFrom } from '../reached.js';
import { alwaysWithin } from './alwaysWithin.js';
import { DecisionQuantities } from './decisionQuantities.js';
import { PathQuantifiers } from './pathQuantifiers.js';
import type { Directions, Quantities } from './quantities.js';
import { checkRewards, stateRewards } from './rewards.js';

/** Numbers of an interval model; an interval chain is a decision process with one choice per state. */
export class IntervalQuantities extends PathQuantifiers implements Quantities {
  readonly #matrix: IntervalMdpMatrix;
  readonly #kernel: KernelIntervalMdp;

  constructor(model: IntervalDtmc | IntervalMdp) {
    const matrix =
      model.type === 'imdp' ? model : { ...model, rowGroupStart: model.rowStart.map((_, row) => row) };
    super(matrix);
    this.#matrix = matrix;
    this.#kernel = getKernel().intervalMdp(this.#matrix);
  }

  until(directions: Directions, remain: BitSet, target: BitSet, options: SolveOptions): Solution {
    return this.#kernel.until(remain, target, players(directions), options);
  }

  boundedUntil(
    directions: Directions,
    { remain, target, from, to }: WindowedUntil,
    options: SolveOptions,
  ): Solution {
    const goal = players(directions);
    if (to !== null) return this.#kernel.boundedUntil(remain, target, to, goal, { ...options, from });
    const open = () => this.#kernel.until(remain, target, goal, options);
    if (from === 0) return open();
    const others = { lower: new Float64Array(this.states), upper: new Float64Array(this.states) };
    return goOnFrom(open, (bounds) =>
      this.#kernel.stepBack(bounds, from, goal, { ...options, active: remain, others }),
    );
  }

  next(directions: Directions, target: BitSet): Solution {
    return this.#kernel.next(target, players(directions));
  }

  reachabilityReward(
    directions: Directions,
    structure: Rewards,
    target: BitSet,
    options: SolveOptions,
  ): Solution {
    return this.#kernel.reachabilityReward(this.#rewards(structure), target, players(directions), options);
  }

  cumulativeReward(
    directions: Directions,
    structure: Rewards,
    steps: number,
    options: SolveOptions,
  ): Solution {
    return this.#kernel.cumulativeReward(this.#rewards(structure), steps, players(directions), options);
  }

  /**
   * Rewards until nothing more is earned. If all lower bounds are positive, nature cannot change where a path can stay without
   * earning, and only a maximising scheduler may want to leave.
   */
  totalReward(directions: Directions, structure: Rewards, options: SolveOptions): Solution {
    const { states, rows } = this.#rewards(structure);
    const instead = 'ask for rewards until a target is reached (F)';
    if (this.#matrix.lower.includes(0)) {
      throw new NotSupportedError(
        `rewards for ever (C without a bound) need positive lower bounds in interval models, or nature decides where one can stay: ${instead}`,
      );
    }
    const goal = players(directions);
    if (goal.scheduler === 'max' && this.#matrix.rowGroupStart.length < this.#matrix.rowStart.length) {
      throw new NotSupportedError(
        `rewards for ever (C without a bound) that a scheduler maximises are not supported for interval models: ${instead}`,
      );
    }
    const end = alwaysWithin(this.#matrix, (row, s) => (states?.[s] ?? 0) === 0 && (rows?.[row] ?? 0) === 0);
    return this.#kernel.reachabilityReward(this.#rewards(structure), end, goal, options);
  }

  instantaneousReward(
    directions: Directions,
    structure: Rewards,
    steps: number,
    options: SolveOptions,
  ): Solution {
    const states = stateRewards(structure, this.#matrix);
    return this.#kernel.instantaneousReward(states, steps, players(directions), options);
  }

  longRunReward(directions: Directions, structure: Rewards, options: SolveOptions): Solution {
    using fixed = this.#withoutNature();
    return fixed.longRunReward(directions, structure, options);
  }

  longRunProbability(directions: Directions, target: BitSet, options: SolveOptions): Solution {
    using fixed = this.#withoutNature();
    return fixed.longRunProbability(directions, target, options);
  }

  prob0(directions: Directions, remain: BitSet, target: BitSet): BitSet {
    return this.#kernel.prob0(remain, target, players(directions));
  }

  prob1(directions: Directions, remain: BitSet, target: BitSet): BitSet {
    return this.#kernel.prob1(remain, target, players(directions));
  }

  free(): void {
    this.#kernel.free();
  }

  /** The decision process that results if all intervals are single numbers. */
  #withoutNature(): Quantities {
    const { rowGroupStart, rowStart, columns, lower, upper } = this.#matrix;
    if (lower.some((low, e) => low !== upper[e])) throw noLongRun();
    const { states } = this;
    const common = { states, initial: [], labels: new Map(), rowGroupStart, rowStart, columns };
    return new DecisionQuantities({ type: 'mdp', ...common, values: lower });
  }

  #rewards(structure: Rewards): MdpRewards {
    checkRewards(structure, this.#matrix);
    const { name, states, choices, branches } = structure;
    if (branches !== undefined) {
      throw new NotSupportedError(
        `reward structure "${name}" has rewards of transitions, which are not supported in interval models: give them to states or choices`,
      );
    }
    return { ...(states && { states }), ...(choices && { rows: choices }) };
  }
}

/** The scheduler of an interval chain has no choices: its direction means nothing. */
function players(directions: Directions): Players {
  return { scheduler: directions[0] as Direction, nature: directions[directions.length - 1] as Direction };
}

function noLongRun(): NotSupportedError {
  return new NotSupportedError(
    'what happens in the long run of an interval model is computed only where each interval is a single number: elsewhere nature may choose other probabilities at every step; fix them, or ask for rewards of so many steps (C<=k)',
  );
}
