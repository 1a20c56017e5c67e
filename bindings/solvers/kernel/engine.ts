import type { Bounds } from '../../base/bounds.js';
import type { BitSet } from './bitSet.js';
import type { IntervalRows } from './intervalRows.js';
import type { Status } from './status.js';
import type {
  AddedStates,
  ChainRewards,
  Components,
  Csr,
  Direction,
  EndComponents,
  MdpMatrix,
  RowUpdate,
} from './types/index.js';

/**
 * The work on states and rows, without any decisions, done by the WebAssembly module and by the readable engine that tests
 * compare it with. For both, `chain.ts` checks arguments and ownership, and `until.ts` and `steps.ts` schedule the computation.
 */
export interface Engine {
  /** Copies a matrix whose arrays have the right lengths, or reports the fault and its state. */
  load(matrix: Csr): EngineChain | { readonly status: Status; readonly state: number };
  /** Starts a product from its seeds, or reports the fault and its row of the chain. */
  openProduct(input: ProductInput): ProductProblem | { readonly status: Status; readonly state: number };
  /** As `load`; also reports the faulty row. */
  loadMdp(
    matrix: MdpMatrix,
  ): EngineMdp | { readonly status: Status; readonly state: number; readonly row: number };
  /** Copies checked rows of an interval model. */
  loadIntervals(rows: IntervalRows): EngineIntervals;
  memoryBytes(): number;
}

export interface EngineChain {
  reachableFrom(seeds: BitSet): BitSet;
  canReach(remain: BitSet, target: BitSet): BitSet;
  prob0(remain: BitSet, target: BitSet): BitSet;
  prob1(remain: BitSet, target: BitSet): BitSet;
  components(): Components;
  openUntil(remain: BitSet, target: BitSet): UntilProblem;
  openSteps(input: StepInput): StepProblem;
  /** Components that no transition leaves, numbered in the order of `components`; `componentOf` is NO_COMPONENT elsewhere. */
  bottomComponents(): Components;
  /** States reachable from `seeds`, all of them in `through`, without leaving `through`. */
  reachableThrough(through: BitSet, seeds: BitSet): BitSet;
  /**
   * Expected reward of one step from each state, times max(1, exit). An upper bound is 0 only if nothing can be earned; a lower
   * bound is positive only if something certainly is.
   */
  gains(rewards: ChainRewards): Bounds;
  openSystem(input: SystemInput): SystemProblem;
  /** Solves P(remain U target) by `solve` and keeps the result; the chain is no longer needed. */
  openSolver(remain: BitSet, target: BitSet, solve: (problem: UntilProblem) => void): SolverProblem;
  free(): void;
}

/**
 * P(remain U target) after the graph has decided all the states it can. The others (the maybe states) are divided into
 * components, successors first. All methods narrow the same bounds.
 */
export interface UntilProblem {
  /** Uint32Array(components + 1): the number of maybe states in earlier components. */
  readonly componentStart: Uint32Array;
  /**
   * Solves components `first` (included) to `last` (excluded), each of at most SMALL_STATES states, directly; returns the first
   * component whose numbers became too small, or `last`.
   */
  solveSmall(first: number, last: number): number;
  /** Up to `count` sweeps of interval iteration after `from` earlier ones; returns the number that moved a bound. */
  intervalSweeps(component: number, from: number, count: number): number;
  /** Interval iteration on a copy made for many sweeps, if that is faster and memory suffices. */
  openIteration?(component: number): Iteration | undefined;
  /** One sweep of value iteration; returns the largest change. */
  valueSweep(component: number, relative: boolean): number;
  /** Direct elimination of a component, advanced in slices. */
  openElimination(component: number): Elimination;
  /** The widest gap between the bounds of components `first` (included) to `last` (excluded). */
  widestGap(first: number, last: number, relative: boolean): number;
  /** The widest gap among the successors outside a component. */
  inheritedGap(component: number, relative: boolean): number;
  bounds(): Bounds;
  close(): void;
}

/** Interval iteration of one component on a copy of its rows; the problem's bounds are narrowed when it is closed. */
export interface Iteration {
  readonly guess?: WarmStart;
  /** Up to `count` sweeps after `from` earlier ones; returns the number that moved a bound. */
  sweeps(from: number, count: number): number;
  /** The widest gap between the bounds of a state. */
  gap(relative: boolean): number;
  /** Sweeps before an elimination gets a turn, if sweeps are cheaper than usual. */
  readonly leastSweeps?: number;
  close(): void;
}

/**
 * Warm start from the bounds of an earlier solution. Each interval is moved as a whole until it contains the image of its
 * successors' intervals under its state's row; then the intervals are bounds again.
 */
export interface WarmStart {
  /** Continues from the earlier bounds, which no longer hold. */
  load(): void;
  /** Up to `count` sweeps; returns the number that moved an interval: fewer than `count` if bounds were found. */
  sweeps(count: number): number;
  /** Returns to bounds that are known to hold. */
  drop(): void;
}

export interface Elimination {
  /**
   * Computes about `work` further products and returns their number. `Ok`: done, and the bounds of the component are narrowed;
   * `Unfinished`: more work is left; any other status: elimination failed.
   */
  advance(work: number): { readonly status: Status; readonly work: number };
  close(): void;
}

/**
 * A solved until problem whose chain can be changed. After a change, the components that it may affect wait to be solved,
 * successors first. The bounds of all states hold again once no component waits.
 *
 * The bounds of a component always follow from those of its outside successors by the current rows. If no row of a component
 * changed, its bounds are therefore shifted by as much as its successors' bounds moved outwards, instead of being solved.
 */
export interface SolverProblem {
  readonly states: number;
  lower(state: number): number;
  upper(state: number): number;
  bounds(): Bounds;
  /** Starts an update with checked rows; does nothing if memory is short. */
  replaceRows(update: RowUpdate): void;
  addStates(added: AddedStates): void;
  /**
   * Processes waiting components for about `work` steps: shifts or solves those of at most `small` states. Returns a larger
   * component, which the caller solves and then settles; `PAUSE` if some may still wait; `DONE` if none does. Bounds that hold
   * and are no wider than `tolerance` are kept.
   */
  nextComponent(small: number, tolerance: number, relative: boolean, work: number): number;
  /** One component as a problem of its own. */
  component(component: number): UntilProblem;
  /** Marks the components affected by a solved one as waiting, if its bounds moved. */
  settle(component: number, tolerance: number, relative: boolean): void;
  /** States solved so far in this update. */
  solvedStates(): number;
  /** Ends an update; returns the widest gap of the bounds that moved, and the amount solved. */
  finish(relative: boolean): { readonly gap: number; readonly states: number; readonly components: number };
  /** The current chain and sets; the caller owns the chain. */
  restart(): { readonly chain: EngineChain; readonly remain: BitSet; readonly target: BitSet };
  close(): void;
}

export const DONE = 0xffffffff;
export const PAUSE = 0xfffffffe;

/** Input of a step-by-step computation. */
export interface StepInput {
  /** States that take, in each step, the mean over their successors or the best of several means. */
  readonly active: BitSet;
  /** Values before the first step. */
  readonly start: Bounds;
  /** Values of the other states after each step. Default: those of `start`. */
  readonly others?: Bounds;
  /** Rewards added in each step: per state, as from `gains`, or per row of a model with choices. */
  readonly gain?: Bounds;
}

/**
 * Equations for the unknown states: x = gain + the sum of probability times x over successors, or over predecessors if
 * `transposed` (x is then divided by max(1, exit) of the state). The unknown states are transient among themselves, and their
 * gains are not negative.
 */
export interface SystemInput {
  readonly unknown: BitSet;
  /** Values of the other states; for the unknown states, bounds to start from, with Infinity for an unknown upper bound. */
  readonly start: Bounds;
  /** Default: no gain. */
  readonly gain?: Bounds;
  readonly transposed: boolean;
}

export interface SystemProblem extends UntilProblem {
  /**
   * For the states of `set`, none of them unknown: the right-hand side of their equation, without division by the exit. Entries
   * of other states mean nothing.
   */
  arrivals(set: BitSet): Bounds;
}

/** Bounds after 0, 1, 2, … steps. */
export interface StepProblem {
  /** One more step for the active states; returns whether any bound moved. */
  step(): boolean;
  bounds(): Bounds;
  close(): void;
}

/** Checked input of a product; the states of all automata are numbered consecutively, as if of one automaton. */
export interface ProductInput {
  /** No row is empty. */
  readonly chain: Csr;
  readonly words: number;
  readonly valuations: Uint32Array;
  /** Sets of chain states. */
  readonly unread: BitSet;
  readonly absorbing: BitSet;
  /** The first state of each automaton; a tuple has one entry per automaton. */
  readonly firstStates: Uint32Array;
  /** Per automaton state: node r >= 0, or leaf "go to state -r - 1". */
  readonly roots: Int32Array;
  /** Quadruples: word, mask, reference if the bit is 0, reference if it is 1. */
  readonly nodes: Int32Array;
  /** Per automaton state: the successor on entering an unread chain state. */
  readonly passes: Uint32Array;
  /** Per automaton state, as in `LabelAutomaton`. */
  readonly absorbs: Uint32Array;
  readonly seeds: readonly { readonly states: BitSet; readonly tuples: Uint32Array }[];
}

/** A product under construction, state by state. */
export interface ProductProblem {
  readonly states: number;
  /** States whose successors have been found. */
  readonly followed: number;
  readonly transitions: number;
  /** Bytes that the kernel needs at once to make a chain of the states found. */
  readonly bytes: number;
  /** Enters the next seeds, or follows about `work` transitions; returns whether anything is left to do. */
  explore(work: number): boolean;
  /** Numbers the states found and makes a chain of them, owned by the caller. */
  finish(withMatrix: boolean): ProductParts;
  close(): void;
}

export interface ProductParts {
  readonly chain: EngineChain;
  readonly chainState: Uint32Array;
  /** For each position in the tuple, the automaton state of each product state, numbered as in the input. */
  readonly automatonState: readonly Uint32Array[];
  readonly matrix: Csr | null;
}

/** Sets called `rows` are over rows, all others over states. */
export interface EngineMdp {
  reachableFrom(seeds: BitSet): BitSet;
  /** `seeds`, and the states of `remain` from which some choices among `rows` may lead there through `remain`. */
  attract(remain: BitSet, seeds: BitSet, rows: BitSet): Attraction;
  /** `target`, and the states of `remain` from which every choice leads there with positive probability. */
  attractAlways(remain: BitSet, target: BitSet): BitSet;
  /** The states from which some choices among `rows` lead through `remain` to `target` with probability 1. */
  almostSure(remain: BitSet, target: BitSet, rows: BitSet): Attraction;
  /** The rows of states of `subset` that cannot leave it. */
  rowsInside(subset: BitSet): BitSet;
  /** Strongly connected components of the graph of `rows` on `subset`, successors first. */
  components(subset: BitSet, rows: BitSet): OrderedComponents;
  endComponents(subset: BitSet, rows: BitSet): EndComponents;
  openOptimum(plan: OptimumPlan): OptimumProblem;
  /** Opens steps that take the best row each time; gains are per row. */
  openSteps(input: StepInput, direction: Direction): StepProblem;
  free(): void;
}

export interface Attraction {
  readonly states: BitSet;
  /** Uint32Array(states): for members other than the seeds, a row that comes closer with positive probability. */
  readonly choices: Uint32Array;
}

/** The states of component c are order[start[c]] to order[start[c + 1] - 1]. */
export interface OrderedComponents {
  readonly order: Uint32Array;
  readonly start: Uint32Array;
}

/** An optimisation problem over blocks of states that share a value: single states or end components. */
export interface OptimumPlan {
  readonly direction: Direction;
  /** The states of block b are members[memberStart[b]] to members[memberStart[b + 1] - 1]; successors come first. */
  readonly memberStart: Uint32Array;
  readonly members: Uint32Array;
  /** The rows that may be taken. */
  readonly rows: BitSet;
  /** States outside all blocks whose value is 1; the value of the others is 0. */
  readonly one: BitSet;
  /** Bounds of the reward of each row. */
  readonly rewards?: Bounds;
  /** An upper bound of all values, Infinity if none is known. */
  readonly upper: number;
}

/** The bounds of the blocks of a plan. Ranges of blocks include the first and exclude the last. */
export interface OptimumProblem {
  /** Up to `count` sweeps of interval iteration after `from` earlier ones; returns the number that moved a bound. */
  sweeps(first: number, last: number, from: number, count: number): number;
  /** Sets tentative upper bounds: `factor` times (1 + lower bound). */
  guessUpper(first: number, last: number, factor: number): void;
  /** Resets upper bounds to Infinity. */
  forgetUpper(first: number, last: number): void;
  /** One sweep over tentative upper bounds; returns whether it verified them. */
  verifySweep(first: number, last: number): boolean;
  /** Uses `values` as upper or lower bounds, where they are narrower, if one evaluation verifies them; returns whether it did. */
  takeOver(first: number, last: number, values: Float64Array, side: 'lower' | 'upper'): boolean;
  /** The equations of these blocks. */
  choices(first: number, last: number): BlockChoices;
  /** One sweep of value iteration; returns the largest change. */
  valueSweep(first: number, last: number, relative: boolean): number;
  /** The widest gap between bounds, divided by offset + slope * lower. */
  gap(first: number, last: number, offset: number, slope: number): number;
  /** The widest such gap among the successors outside these blocks. */
  inheritedGap(first: number, last: number, offset: number, slope: number): number;
  /** Uint32Array(blocks): the row of the MDP that proves the bound attained by a scheduler. */
  chosenRows(): Uint32Array;
  /**
   * Fixes one choice for each block from `first` on, numbered as by `choices`, together with bounds that are known to hold; the
   * bound on the side that a scheduler attains holds under these choices.
   */
  take(first: number, policy: Uint32Array, bounds: Bounds): void;
  /** Copies a chain into the engine of the problem. */
  load(matrix: Csr): ReturnType<Engine['load']>;
  /** Bounds per block of a range. Default: all blocks. */
  bounds(first?: number, last?: number): Bounds;
  close(): void;
}

/** Whether each player maximises: the scheduler, which chooses rows, and nature, which then chooses a distribution of the row. */
export interface Players {
  readonly schedulerMax: boolean;
  readonly natureMax: boolean;
}

export interface EngineIntervals {
  prob0(remain: BitSet, target: BitSet, players: Players): BitSet;
  prob1(remain: BitSet, target: BitSet, players: Players): BitSet;
  openUntil(remain: BitSet, target: BitSet, players: Players): RobustProblem;
  /** Opens a reward problem: the gains, per row, before `target` is reached. */
  openReward(gain: Bounds, target: BitSet, players: Players): RobustProblem;
  /** Opens steps that take the best row and its best distribution each time; gains are per row. */
  openSteps(input: StepInput, players: Players): StepProblem;
  /** The distribution of each row that makes the mean of `values` largest or smallest, by entry. */
  distributions(values: Float64Array, maximise: boolean): Float64Array;
  free(): void;
}

/** An `UntilProblem` for an interval model and two players. Upper bounds of rewards are Infinity until trial sweeps find them. */
export interface RobustProblem {
  readonly componentStart: Uint32Array;
  /** Up to `count` sweeps after `from` earlier ones; returns the number that moved a bound. */
  sweeps(component: number, from: number, count: number): number;
  /** Finds end components of the best play at the converging bounds; sweeps move the other bounds to the exits' values. */
  findEndComponents(component: number): void;
  /** One sweep over tentative upper bounds, with `more` added to each step's reward; returns whether it verified them. */
  trialSweep(component: number, more: number): boolean;
  /** Multiplies upper bounds by `factor`; with factor 0, sets them to `added`. */
  scaleTrial(component: number, factor: number, added: number): void;
  /** The widest gap between bounds, divided by offset + slope * lower. */
  widestGap(first: number, last: number, offset: number, slope: number): number;
  inheritedGap(component: number, offset: number, slope: number): number;
  bounds(): Bounds;
  close(): void;
}

/**
 * The choices of a range of blocks. Those of its i-th block are groupStart[i] to groupStart[i + 1] - 1. The value of choice c
 * is (gain[c] + sum of values[e] * value of block columns[e] over its entries) / exit[c]; the sum omits blocks before the
 * range, which `gain` includes.
 */
export interface BlockChoices {
  readonly groupStart: Uint32Array;
  readonly rowStart: Uint32Array;
  /** Entries of c are rowStart[c] to rowStart[c + 1] - 1; blocks are numbered as in the problem. */
  readonly columns: Uint32Array;
  readonly values: Float64Array;
  readonly exit: Float64Array;
  /** The probability of leaving the range, a sum of positive numbers. */
  readonly leaving: Float64Array;
  /** The number of terms added up in the equation of each choice. */
  readonly terms: Uint32Array;
  readonly gain: Bounds;
}
