import { InvalidArgumentError, InvalidModelError } from '../errors.js';
import { checkArrays } from './arrays.js';
import { BitSet } from './bitSet.js';
import type { Engine, EngineMdp } from './engine.js';
import { checkLengths, invalidModel } from './invalidModel.js';
import { optimalReward, optimalUntil } from './optimum.js';
import { checkSolveOptions } from './options.js';
import { checkSets } from './sets.js';
import { Status } from './status.js';
import { solveSteps } from './steps.js';
import type {
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
} from './types.js';

/** Frees MDPs that their owner forgot. A net only: it may run late or never. */
const forgotten = new FinalizationRegistry((mdp: EngineMdp) => mdp.free());

/** Loads and checks an MDP; the handle owns what the engine holds of it. */
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

/** Checks arguments and ownership on behalf of every engine. */
class MdpHandle implements KernelMdp {
  readonly states: number;
  readonly rows: number;
  readonly transitions: number;
  private readonly rowGroupStart: Uint32Array;
  private mdp: EngineMdp | undefined;
  /** Solves under way: their callbacks run while the engine works on the MDP. */
  private solving = 0;

  constructor(mdp: EngineMdp, rowGroupStart: Uint32Array, transitions: number) {
    this.mdp = mdp;
    this.rowGroupStart = rowGroupStart;
    this.states = rowGroupStart.length - 1;
    this.rows = rowGroupStart[this.states];
    this.transitions = transitions;
    forgotten.register(this, mdp, this);
  }

  reachableFrom(seeds: BitSet): BitSet {
    return this.open({ seeds }).reachableFrom(seeds);
  }

  prob0A(remain: BitSet, target: BitSet): BitSet {
    const mdp = this.open({ remain, target });
    return mdp.attract(remain, target, BitSet.full(this.rows)).states.complement();
  }

  prob0E(remain: BitSet, target: BitSet): BitSet {
    return this.open({ remain, target }).attractAlways(remain, target).complement();
  }

  prob1A(remain: BitSet, target: BitSet): BitSet {
    const mdp = this.open({ remain, target });
    const avoidable = mdp.attractAlways(remain, target).complement();
    return mdp.attract(remain.difference(target), avoidable, BitSet.full(this.rows)).states.complement();
  }

  prob1E(remain: BitSet, target: BitSet): BitSet {
    return this.open({ remain, target }).almostSure(remain, target, BitSet.full(this.rows)).states;
  }

  components(): Components {
    const { order, start } = this.open({}).components(BitSet.full(this.states), BitSet.full(this.rows));
    const componentOf = new Uint32Array(this.states);
    const count = start.length - 1;
    for (let c = 0; c < count; c++) for (let i = start[c]; i < start[c + 1]; i++) componentOf[order[i]] = c;
    return { count, componentOf };
  }

  endComponents(subset: BitSet = BitSet.full(this.states)): EndComponents {
    return this.open({ subset }).endComponents(subset, BitSet.full(this.rows));
  }

  until(direction: Direction, remain: BitSet, target: BitSet, options: SolveOptions = {}): OptimalSolution {
    const mdp = this.open({ remain, target });
    checkDirection(direction);
    const checked = checkIterative(options);
    return this.solve(() => optimalUntil(mdp, this.rowGroupStart, direction, remain, target, checked));
  }

  boundedUntil(
    direction: Direction,
    remain: BitSet,
    target: BitSet,
    steps: number,
    options: StepOptions = {},
  ): Solution {
    const mdp = this.open({ remain, target });
    checkDirection(direction);
    if (!Number.isSafeInteger(steps) || steps < 0) {
      throw new InvalidArgumentError(`steps is ${steps}: it is a whole number, at least 0`);
    }
    const active = mdp.attract(remain, target, BitSet.full(this.rows)).states.difference(target);
    return this.solveSteps(mdp, direction, active, target, steps, 'bounded-until', options);
  }

  next(direction: Direction, target: BitSet): Solution {
    const mdp = this.open({ target });
    checkDirection(direction);
    return this.solveSteps(mdp, direction, BitSet.full(this.states), target, 1, 'next', {});
  }

  reachabilityReward(
    direction: Direction,
    rewards: MdpRewards,
    target: BitSet,
    options: SolveOptions = {},
  ): OptimalSolution {
    const mdp = this.open({ target });
    checkDirection(direction);
    const checked = checkIterative(options);
    if (typeof rewards !== 'object' || rewards === null) {
      throw new InvalidArgumentError(
        `the rewards are ${String(rewards)}: they are { states, rows }, either of which may be left out`,
      );
    }
    const { states, rows } = rewards;
    if (states !== undefined) checkRewards('states', states, this.states);
    if (rows !== undefined) checkRewards('rows', rows, this.rows);
    return this.solve(() => optimalReward(mdp, this.rowGroupStart, direction, rewards, target, checked));
  }

  free(): void {
    const mdp = this.open({});
    if (this.solving > 0) throw new InvalidArgumentError('this MDP is being solved: free it after that');
    this.mdp = undefined;
    forgotten.unregister(this);
    mdp.free();
  }

  [Symbol.dispose](): void {
    this.free();
  }

  private solveSteps(
    mdp: EngineMdp,
    direction: Direction,
    active: BitSet,
    target: BitSet,
    steps: number,
    method: string,
    options: StepOptions,
  ): Solution {
    const problem = mdp.openSteps(active, target, direction);
    try {
      return this.solve(() => solveSteps(problem, steps, this.states, method, options));
    } finally {
      problem.close();
    }
  }

  private solve<Result>(work: () => Result): Result {
    this.solving++;
    try {
      return work();
    } finally {
      this.solving--;
    }
  }

  /** The engine's MDP, if this handle still owns it and all sets are over its states. */
  private open(sets: Readonly<Record<string, BitSet>>): EngineMdp {
    if (this.mdp === undefined) {
      throw new InvalidArgumentError('this MDP was freed already: free it once, after its last use');
    }
    checkSets(sets, this.states, 'the MDP');
    return this.mdp;
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

/** Rewards of other sizes would leave the range in which relative error bounds hold. */
function checkRewards(name: string, values: Float64Array, length: number): void {
  checkArrays({ [`rewards.${name}`]: values }, 'Float64Array');
  if (values.length !== length) {
    throw new InvalidArgumentError(
      `rewards.${name} has ${values.length} entries: it has one for each of ${length}`,
    );
  }
  const wrong = values.findIndex((value) => value !== 0 && !(value >= 2 ** -500 && value <= 2 ** 500));
  if (wrong >= 0) {
    throw new InvalidArgumentError(
      `rewards.${name}[${wrong}] is ${values[wrong]}: a reward is 0, or lies between 2^-500 and 2^500`,
    );
  }
}
