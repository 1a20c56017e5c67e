import type { Bounds } from '../../base/bounds.js';
import { InvalidArgumentError, InvalidModelError } from '../../base/errors.js';
import { checkArrays } from './arrays.js';
import type { TakeSteps } from './backward.js';
import * as backward from './backward.js';
import { BitSet } from './bitSet.js';
import type { Engine, EngineMdp } from './engine.js';
import { Handle } from './handle.js';
import { checkLengths, invalidModel } from './invalidModel.js';
import { optimalReward, optimalTotal, optimalUntil } from './optimum.js';
import { checkSolveOptions } from './options.js';
import { checkRowRewards, rowRewards } from './rowRewards.js';
import { Status } from './status.js';
import { solveSteps } from './steps.js';
import type {
  BackOptions,
  Components,
  Direction,
  EndComponents,
  KernelMdp,
  MdpMatrix,
  MdpRewards,
  OptimalSolution,
  Solution,
  SolveOptions,
  StepOptions,
  WindowOptions,
} from './types/index.js';

/** Loads and checks an MDP; the handle owns the engine's copy. */
export function openMdp(engine: Engine, matrix: MdpMatrix): KernelMdp {
  const { rowGroupStart } = matrix;
  checkLengths(matrix);
  checkArrays({ rowGroupStart }, 'Uint32Array');
  if (rowGroupStart.length < 2) {
    throw new InvalidModelError(
      `rowGroupStart has ${rowGroupStart.length} entries: an MDP of n states has n + 1, and at least one state`,
    );
  }
  const loaded = engine.loadMdp(matrix);
  if ('status' in loaded) throw invalidMdp(matrix, loaded);
  return new MdpHandle(loaded, rowGroupStart.slice(), matrix.columns.length);
}

function invalidMdp(
  matrix: MdpMatrix,
  { status, state, row }: { status: Status; state: number; row: number },
): InvalidModelError {
  const { rowGroupStart, rowStart } = matrix;
  if (status === Status.EmptyGroup) {
    return new InvalidModelError(
      `state ${state} has no choice: give a state where nothing can be done one row, a self-loop with probability 1`,
      { state },
    );
  }
  if (status === Status.RowGroup) {
    return new InvalidModelError(
      `rowGroupStart goes from ${rowGroupStart[state]} to ${rowGroupStart[state + 1]} at state ${state}: it starts at 0, ascends, and ends at the number of rows, ${rowStart.length - 1}`,
      { state },
    );
  }
  const index = row - rowGroupStart[state];
  return invalidModel(matrix, status, state, { index, row, states: rowGroupStart.length - 1 });
}

/** Checks arguments and ownership for every engine. */
class MdpHandle extends Handle<EngineMdp> implements KernelMdp {
  readonly states: number;
  readonly rows: number;
  readonly transitions: number;
  readonly #rowGroupStart: Uint32Array;

  constructor(mdp: EngineMdp, rowGroupStart: Uint32Array, transitions: number) {
    super('MDP', mdp);
    this.#rowGroupStart = rowGroupStart;
    this.states = rowGroupStart.length - 1;
    this.rows = rowGroupStart[this.states];
    this.transitions = transitions;
  }

  reachableFrom(seeds: BitSet): BitSet {
    return this.held({ seeds }).reachableFrom(seeds);
  }

  prob0A(remain: BitSet, target: BitSet): BitSet {
    const mdp = this.held({ remain, target });
    return mdp.attract(remain, target, BitSet.full(this.rows)).states.complement();
  }

  prob0E(remain: BitSet, target: BitSet): BitSet {
    return this.held({ remain, target }).attractAlways(remain, target).complement();
  }

  prob1A(remain: BitSet, target: BitSet): BitSet {
    const mdp = this.held({ remain, target });
    const avoidable = mdp.attractAlways(remain, target).complement();
    return mdp.attract(remain.difference(target), avoidable, BitSet.full(this.rows)).states.complement();
  }

  prob1E(remain: BitSet, target: BitSet): BitSet {
    return this.held({ remain, target }).almostSure(remain, target, BitSet.full(this.rows)).states;
  }

  components(): Components {
    const { order, start } = this.held().components(BitSet.full(this.states), BitSet.full(this.rows));
    const componentOf = new Uint32Array(this.states);
    const count = start.length - 1;
    for (let c = 0; c < count; c++) for (let i = start[c]; i < start[c + 1]; i++) componentOf[order[i]] = c;
    return { count, componentOf };
  }

  endComponents(subset: BitSet = BitSet.full(this.states)): EndComponents {
    return this.held({ subset }).endComponents(subset, BitSet.full(this.rows));
  }

  until(direction: Direction, remain: BitSet, target: BitSet, options: SolveOptions = {}): OptimalSolution {
    const mdp = this.held({ remain, target });
    checkDirection(direction);
    const checked = checkIterative(options);
    return this.working(() => optimalUntil(mdp, this.#rowGroupStart, direction, remain, target, checked));
  }

  boundedUntil(
    direction: Direction,
    remain: BitSet,
    target: BitSet,
    steps: number,
    options: WindowOptions = {},
  ): Solution {
    const mdp = this.held({ remain, target });
    const reaching = () => mdp.attract(remain, target, BitSet.full(this.rows)).states;
    return backward.boundedUntil(this.#stepsOf(mdp, direction), { remain, target, reaching }, steps, options);
  }

  next(direction: Direction, target: BitSet): Solution {
    return backward.next(this.#stepsOf(this.held({ target }), direction), target);
  }

  stepBack(direction: Direction, values: Bounds, steps: number, options: BackOptions = {}): Solution {
    const { active = BitSet.full(this.states) } = options;
    return backward.stepBack(
      this.#stepsOf(this.held({ active }), direction),
      this.states,
      values,
      steps,
      options,
    );
  }

  cumulativeReward(
    direction: Direction,
    rewards: MdpRewards,
    steps: number,
    options: StepOptions = {},
  ): Solution {
    const take = this.#stepsOf(this.held(), direction);
    checkRowRewards(rewards, this.states, this.rows);
    return backward.cumulativeReward(
      take,
      this.states,
      rowRewards(rewards, this.#rowGroupStart),
      steps,
      options,
    );
  }

  instantaneousReward(
    direction: Direction,
    states: Float64Array,
    steps: number,
    options: StepOptions = {},
  ): Solution {
    return backward.instantaneousReward(
      this.#stepsOf(this.held(), direction),
      this.states,
      states,
      steps,
      options,
    );
  }

  reachabilityReward(
    direction: Direction,
    rewards: MdpRewards,
    target: BitSet,
    options: SolveOptions = {},
  ): OptimalSolution {
    const mdp = this.held({ target });
    checkDirection(direction);
    const checked = checkIterative(options);
    checkRowRewards(rewards, this.states, this.rows);
    return this.working(() => optimalReward(mdp, this.#rowGroupStart, direction, rewards, target, checked));
  }

  totalReward(direction: Direction, rewards: MdpRewards, options: SolveOptions = {}): OptimalSolution {
    const mdp = this.held();
    checkDirection(direction);
    const checked = checkIterative(options);
    checkRowRewards(rewards, this.states, this.rows);
    return this.working(() => optimalTotal(mdp, this.#rowGroupStart, direction, rewards, checked));
  }

  #stepsOf(mdp: EngineMdp, direction: Direction): TakeSteps {
    checkDirection(direction);
    return (input, steps, method, options) =>
      this.working(() => solveSteps(mdp.openSteps(input, direction), steps, this.states, method, options));
  }
}

function checkDirection(direction: Direction): void {
  if (direction !== 'min' && direction !== 'max') {
    throw new InvalidArgumentError(`direction is '${direction}': it is 'min' or 'max'`);
  }
}

function checkIterative(options: SolveOptions): ReturnType<typeof checkSolveOptions> {
  const checked = checkSolveOptions(options);
  if (checked.method === 'elimination') {
    throw new InvalidArgumentError(
      "method is 'elimination', which solves linear equations, and those of an MDP are not: use 'auto' or 'interval-iteration'",
    );
  }
  return checked;
}
