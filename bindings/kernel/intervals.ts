import { InvalidArgumentError } from '../errors.js';
import { checkArrays } from './arrays.js';
import { BitSet } from './bitSet.js';
import type { Engine, EngineIntervals, Players as EnginePlayers } from './engine.js';
import { prepareIntervals } from './intervalRows.js';
import { checkSolveOptions } from './options.js';
import { solveRobust } from './robustUntil.js';
import { checkSets } from './sets.js';
import { solveSteps } from './steps.js';
import type {
  Direction,
  IntervalCsr,
  IntervalMdpMatrix,
  KernelIntervalChain,
  KernelIntervalMdp,
  KernelIntervalModel,
  Players,
  RobustOptions,
  Solution,
  SolveOptions,
} from './types.js';

/** Frees models that their owner forgot. A net only: it may run late or never. */
const forgotten = new FinalizationRegistry((model: EngineIntervals) => model.free());

export function openIntervalChain(engine: Engine, matrix: IntervalCsr): KernelIntervalChain {
  // A chain's scheduler has no choice, so its direction means nothing.
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
  return new IntervalHandle(
    engine.loadIntervals(rows),
    rows.states,
    rows.rows,
    rows.columns.length,
    playersOf,
  );
}

/** Checks arguments and ownership on behalf of every engine. */
class IntervalHandle<Goal> implements KernelIntervalModel<Goal> {
  readonly states: number;
  readonly rows: number;
  readonly transitions: number;
  private model: EngineIntervals | undefined;
  private readonly playersOf: (goal: Goal) => Players;
  /** Solves under way: their callbacks run while the engine works on the model. */
  private solving = 0;

  constructor(
    model: EngineIntervals,
    states: number,
    rows: number,
    transitions: number,
    playersOf: (goal: Goal) => Players,
  ) {
    this.model = model;
    this.states = states;
    this.rows = rows;
    this.transitions = transitions;
    this.playersOf = playersOf;
    forgotten.register(this, model, this);
  }

  prob0(remain: BitSet, target: BitSet, goal: Goal): BitSet {
    return this.open({ remain, target }).prob0(remain, target, this.players(goal));
  }

  prob1(remain: BitSet, target: BitSet, goal: Goal): BitSet {
    return this.open({ remain, target }).prob1(remain, target, this.players(goal));
  }

  until(remain: BitSet, target: BitSet, goal: Goal, options: RobustOptions = {}): Solution {
    const model = this.open({ remain, target });
    const players = this.players(goal);
    const checked = checkSolveOptions({ maxIterations: 1_000_000, ...options });
    const problem = model.openUntil(remain, target, players);
    return this.solve(problem, () => solveRobust(problem, checked));
  }

  boundedUntil(
    remain: BitSet,
    target: BitSet,
    steps: number,
    goal: Goal,
    options: Pick<SolveOptions, 'onProgress' | 'signal'> = {},
  ): Solution {
    const model = this.open({ remain, target });
    const players = this.players(goal);
    if (!Number.isSafeInteger(steps) || steps < 0) {
      throw new InvalidArgumentError(`steps is ${steps}: it is a whole number, at least 0`);
    }
    const active = model.prob0(remain, target, players).complement().difference(target);
    const problem = model.openSteps(active, target, players);
    return this.solve(problem, () =>
      solveSteps(problem, steps, this.states, 'robust-bounded-until', options),
    );
  }

  next(target: BitSet, goal: Goal): Solution {
    const model = this.open({ target });
    const problem = model.openSteps(BitSet.full(this.states), target, this.players(goal));
    return this.solve(problem, () => solveSteps(problem, 1, this.states, 'robust-next', {}));
  }

  rowDistributions(values: Float64Array, direction: Direction): Float64Array {
    const model = this.open({});
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

  free(): void {
    const model = this.open({});
    if (this.solving > 0) throw new InvalidArgumentError('this model is being solved: free it after that');
    this.model = undefined;
    forgotten.unregister(this);
    model.free();
  }

  [Symbol.dispose](): void {
    this.free();
  }

  private solve(problem: { close(): void }, work: () => Solution): Solution {
    this.solving++;
    try {
      return work();
    } finally {
      this.solving--;
      problem.close();
    }
  }

  private players(goal: Goal): EnginePlayers {
    const players = this.playersOf(goal);
    if (typeof players !== 'object' || players === null) {
      throw new InvalidArgumentError(
        `the goal is ${String(goal)}: it is { scheduler, nature }, each 'min' or 'max'`,
      );
    }
    checkDirection('nature', players.nature);
    checkDirection('scheduler', players.scheduler);
    return { schedulerMax: players.scheduler === 'max', natureMax: players.nature === 'max' };
  }

  /** The engine's model, if this handle still owns it and all sets are over its states. */
  private open(sets: Readonly<Record<string, BitSet>>): EngineIntervals {
    if (this.model === undefined) {
      throw new InvalidArgumentError('this model was freed already: free it once, after its last use');
    }
    checkSets(sets, this.states, 'the model');
    return this.model;
  }
}

function checkDirection(name: string, direction: Direction): void {
  if (direction !== 'min' && direction !== 'max') {
    throw new InvalidArgumentError(`${name} is ${String(direction)}: it is 'min' or 'max'`);
  }
}
