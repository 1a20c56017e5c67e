import type { Bounds } from '../../base/bounds.js';
import { InvalidArgumentError } from '../../base/errors.js';
import { checkArrays } from './arrays.js';
import type { TakeSteps } from './backward.js';
import * as backward from './backward.js';
import { BitSet } from './bitSet.js';
import type { Engine, EngineIntervals, Players as EnginePlayers } from './engine.js';
import { Handle } from './handle.js';
import { type IntervalRows, prepareIntervals } from './intervalRows.js';
import { checkSolveOptions } from './options.js';
import { solveRobust } from './robustUntil.js';
import { checkRowRewards, rowRewards } from './rowRewards.js';
import { solveSteps } from './steps.js';
import type {
  BackOptions,
  Direction,
  IntervalCsr,
  IntervalMdpMatrix,
  KernelIntervalChain,
  KernelIntervalMdp,
  KernelIntervalModel,
  MdpRewards,
  Players,
  RobustOptions,
  Solution,
  StepOptions,
  WindowOptions,
} from './types/index.js';

export function openIntervalChain(engine: Engine, matrix: IntervalCsr): KernelIntervalChain {
  // A chain's scheduler has no choices: its direction means nothing.
  return open(engine, matrix, undefined, (nature: Direction) => ({ scheduler: nature, nature }));
}

export function openIntervalMdp(engine: Engine, matrix: IntervalMdpMatrix): KernelIntervalMdp {
  return open(engine, matrix, matrix.rowGroupStart, (players: Players) => players);
}

function open<Goal>(
  engine: Engine,
  matrix: IntervalCsr,
  groups: Uint32Array | undefined,
  playersOf: (goal: Goal) => Players,
): KernelIntervalModel<Goal> {
  const rows = prepareIntervals(matrix, groups);
  return new IntervalHandle(engine.loadIntervals(rows), rows, playersOf);
}

/** Checks arguments and ownership for every engine. */
class IntervalHandle<Goal> extends Handle<EngineIntervals> implements KernelIntervalModel<Goal> {
  readonly states: number;
  readonly rows: number;
  readonly transitions: number;
  readonly #rowGroupStart: Uint32Array;
  readonly #sums: Float64Array;
  readonly #playersOf: (goal: Goal) => Players;

  constructor(
    model: EngineIntervals,
    { states, rows, columns, rowGroupStart, sums }: IntervalRows,
    playersOf: (goal: Goal) => Players,
  ) {
    super('model', model);
    this.states = states;
    this.rows = rows;
    this.transitions = columns.length;
    this.#rowGroupStart = rowGroupStart;
    this.#sums = sums;
    this.#playersOf = playersOf;
  }

  prob0(remain: BitSet, target: BitSet, goal: Goal): BitSet {
    return this.held({ remain, target }).prob0(remain, target, this.#players(goal));
  }

  prob1(remain: BitSet, target: BitSet, goal: Goal): BitSet {
    return this.held({ remain, target }).prob1(remain, target, this.#players(goal));
  }

  until(remain: BitSet, target: BitSet, goal: Goal, options: RobustOptions = {}): Solution {
    const model = this.held({ remain, target });
    const players = this.#players(goal);
    const checked = checkSolveOptions({ maxIterations: 1_000_000, ...options });
    const problem = model.openUntil(remain, target, players);
    try {
      return this.working(() => solveRobust(problem, checked));
    } finally {
      problem.close();
    }
  }

  boundedUntil(
    remain: BitSet,
    target: BitSet,
    steps: number,
    goal: Goal,
    options: WindowOptions = {},
  ): Solution {
    const model = this.held({ remain, target });
    const reaching = () => model.prob0(remain, target, this.#players(goal)).complement();
    return backward.boundedUntil(this.#stepsOf(model, goal), { remain, target, reaching }, steps, options);
  }

  next(target: BitSet, goal: Goal): Solution {
    return backward.next(this.#stepsOf(this.held({ target }), goal), target);
  }

  stepBack(values: Bounds, steps: number, goal: Goal, options: BackOptions = {}): Solution {
    const { active = BitSet.full(this.states) } = options;
    return backward.stepBack(this.#stepsOf(this.held({ active }), goal), this.states, values, steps, options);
  }

  cumulativeReward(rewards: MdpRewards, steps: number, goal: Goal, options: StepOptions = {}): Solution {
    const take = this.#stepsOf(this.held(), goal);
    return backward.cumulativeReward(take, this.states, this.#gains(rewards), steps, options);
  }

  instantaneousReward(states: Float64Array, steps: number, goal: Goal, options: StepOptions = {}): Solution {
    return backward.instantaneousReward(
      this.#stepsOf(this.held(), goal),
      this.states,
      states,
      steps,
      options,
    );
  }

  reachabilityReward(rewards: MdpRewards, target: BitSet, goal: Goal, options: RobustOptions = {}): Solution {
    const model = this.held({ target });
    const players = this.#players(goal);
    const checked = checkSolveOptions({ maxIterations: 1_000_000, ...options });
    const gain = this.#gains(rewards);
    const most = gain.upper.reduce((largest, value) => Math.max(largest, value), 0);
    const problem = model.openReward(gain, target, players);
    try {
      return this.working(() => solveRobust(problem, checked, most));
    } finally {
      problem.close();
    }
  }

  rowDistributions(values: Float64Array, direction: Direction): Float64Array {
    const model = this.held();
    checkArrays({ values }, 'Float64Array');
    if (values.length !== this.states) {
      throw new InvalidArgumentError(
        `values has ${values.length} entries, but the model has ${this.states} states`,
      );
    }
    const wrong = values.findIndex((value) => !(value >= 0 && value <= 1));
    if (wrong >= 0) {
      throw new InvalidArgumentError(
        `the value of state ${wrong} is ${values[wrong]}: values are probabilities`,
      );
    }
    checkDirection('direction', direction);
    return model.distributions(values, direction === 'max');
  }

  #stepsOf(model: EngineIntervals, goal: Goal): TakeSteps {
    const players = this.#players(goal);
    return (input, steps, method, options) =>
      this.working(() =>
        solveSteps(model.openSteps(input, players), steps, this.states, `robust-${method}`, options),
      );
  }

  /** The rewards of rows, times the sum of their entries if that is not exactly 1. */
  #gains(rewards: MdpRewards): Bounds {
    checkRowRewards(rewards, this.states, this.rows);
    const { lower, upper } = rowRewards(rewards, this.#rowGroupStart);
    const error = 2 ** -51;
    return {
      lower: lower.map((gain, row) => (this.#sums[row] === 1 ? gain : gain * this.#sums[row] * (1 - error))),
      upper: upper.map((gain, row) => (this.#sums[row] === 1 ? gain : gain * this.#sums[row] * (1 + error))),
    };
  }

  #players(goal: Goal): EnginePlayers {
    const players = this.#playersOf(goal);
    if (typeof players !== 'object' || players === null) {
      throw new InvalidArgumentError(
        `the goal is ${String(goal)}: it is { scheduler, nature }, each 'min' or 'max'`,
      );
    }
    checkDirection('nature', players.nature);
    checkDirection('scheduler', players.scheduler);
    return { schedulerMax: players.scheduler === 'max', natureMax: players.nature === 'max' };
  }
}

function checkDirection(name: string, direction: Direction): void {
  if (direction !== 'min' && direction !== 'max') {
    throw new InvalidArgumentError(`${name} is ${String(direction)}: it is 'min' or 'max'`);
  }
}
