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
 * What the WebAssembly module does, and the readable engine that tests compare it with: the work on states and rows, without any choice. `chain.ts` checks arguments and
 * ownership, and `until.ts` and `steps.ts` decide what is computed when, for both alike.
 */
export interface Engine {
  /** Copies a matrix whose arrays have the right lengths, or says what is wrong with which state. */
  load(matrix: Csr): EngineChain | { readonly status: Status; readonly state: number };
  /** Starts a product from its seeds, or says what is wrong with which row of its chain. */
  openProduct(input: ProductInput): ProductProblem | { readonly status: Status; readonly state: number };
  /** As `load`; also says which row is wrong. */
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
  /** Those that no transition leaves, numbered in the order of `components`; `componentOf` is NO_COMPONENT elsewhere. */
  bottomComponents(): Components;
  /** States reachable from `seeds`, all of them in `through`, without leaving `through`. */
  reachableThrough(through: BitSet, seeds: BitSet): BitSet;
  /**
   * What each state is expected to earn in one step, times the larger of 1 and its exit. An upper bound is 0 only where nothing
   * can be earned; a lower one is positive only where something certainly is.
   */
  gains(rewards: ChainRewards): Bounds;
  openSystem(input: SystemInput): SystemProblem;
  /** Has P(remain U target) solved by `solve`, and keeps what came out; it does not need the chain any more. */
  openSolver(remain: BitSet, target: BitSet, solve: (problem: UntilProblem) => void): SolverProblem;
  free(): void;
}

/**
 * P(remain U target) with what the graph decides already decided, and the other states (the maybe states) divided into
 * components, successors first. All methods narrow the same bounds.
 */
export interface UntilProblem {
  /** Uint32Array(components + 1): how many maybe states lie in components before this one. */
  readonly componentStart: Uint32Array;
  /**
   * Solves components `first` (included) to `last` (excluded), each of at most SMALL_STATES states, directly; returns the
   * first for which numbers became too small, or `last`.
   */
  solveSmall(first: number, last: number): number;
  /** Up to `count` sweeps of interval iteration after `from` earlier ones; returns how many moved a bound. */
  intervalSweeps(component: number, from: number, count: number): number;
  /** The same on a copy made for many sweeps, where that is faster and there is memory for it. */
  openIteration?(component: number): Iteration | undefined;
  /** One sweep of value iteration; returns the largest change. */
  valueSweep(component: number, relative: boolean): number;
  /** Direct elimination of a component, to be advanced in slices. */
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
  /** Up to `count` sweeps after `from` earlier ones; returns how many moved a bound. */
  sweeps(from: number, count: number): number;
  /** The widest gap between the bounds of a state. */
  gap(relative: boolean): number;
  /** How many sweeps it has before an elimination gets a turn, where they are cheaper than usual. */
  readonly leastSweeps?: number;
  close(): void;
}

/**
 * Bounds of an earlier solution, each interval moved as a whole until it contains what its state's row makes of those of its
 * successors: then they are bounds again.
 */
export interface WarmStart {
  /** Goes on from the earlier bounds, which bound nothing any more. */
  load(): void;
  /** Up to `count` sweeps; returns how many moved an interval: fewer than `count` if bounds were found. */
  sweeps(count: number): number;
  /** Goes back to bounds that are known. */
  drop(): void;
}

export interface Elimination {
  /**
   * About `work` further products, and how many there were. `Ok`: done, and the bounds of the component are narrowed;
   * `Unfinished`: there is more to do; else it cannot be done.
   */
  advance(work: number): { readonly status: Status; readonly work: number };
  close(): void;
}

/**
 * A solved until problem whose chain can be changed. After a change, components of which something may have moved wait to be
 * solved, successors first; the bounds of all states are true again when none waits any more.
 *
 * Bounds of a component always follow from the bounds of its successors outside it by the rows as they are. So where
 * no row of a component changed, they can be shifted by as much as its successors' moved outwards, instead of being solved.
 */
export interface SolverProblem {
  readonly states: number;
  lower(state: number): number;
  upper(state: number): number;
  bounds(): Bounds;
  /** Starts an update with checked rows: all or, where memory is short, nothing is done. */
  replaceRows(update: RowUpdate): void;
  addStates(added: AddedStates): void;
  /**
   * Looks at waiting components for about `work` steps, and shifts or solves those of at most `small` states. Returns a
   * larger one to be solved by the caller and then settled; `PAUSE` if some may still wait, `DONE` if none does. Bounds that
   * are true and no wider than `tolerance` are kept.
   */
  nextComponent(small: number, tolerance: number, relative: boolean, work: number): number;
  /** One component as a problem of its own. */
  component(component: number): UntilProblem;
  /** Lets all components that a solved one leads on to wait, if it moved. */
  settle(component: number, tolerance: number, relative: boolean): void;
  /** States solved so far in this update. */
  solvedStates(): number;
  /** Ends an update: the widest gap of bounds that moved, and how much was solved. */
  finish(relative: boolean): { readonly gap: number; readonly states: number; readonly components: number };
  /** The chain and the sets as they are now, the chain being the caller's. */
  restart(): { readonly chain: EngineChain; readonly remain: BitSet; readonly target: BitSet };
  close(): void;
}

export const DONE = 0xffffffff;
export const PAUSE = 0xfffffffe;

/** What steps are taken on. */
export interface StepInput {
  /** States that take, in each step, the mean over their successors, or the best of several. */
  readonly active: BitSet;
  /** Values before the first step. */
  readonly start: Bounds;
  /** Values of the other states after each step; omitted: those of `start`. */
  readonly others?: Bounds;
  /** Added in each step: per state, as from `gains`, or per row of a model with choices. */
  readonly gain?: Bounds;
}

/**
 * Equations for the unknown states: x = gain + the sum of probability times x over successors, or over predecessors where
 * `transposed` (then x is per max(1, exit) of the state). All unknown states are transient among themselves, and only earn what
 * is not negative.
 */
export interface SystemInput {
  readonly unknown: BitSet;
  /** Values of the other states; of the unknown ones, bounds to start from, where Infinity says that none is known. */
  readonly start: Bounds;
  /** Omitted: nothing. */
  readonly gain?: Bounds;
  readonly transposed: boolean;
}

export interface SystemProblem extends UntilProblem {
  /**
   * For the states of `set`, which are not unknown, what the equation would give them but for their exit; entries of other
   * states mean nothing.
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

/** What a product is made of, checked, all automata numbered through as if they were one. */
export interface ProductInput {
  /** No row is empty. */
  readonly chain: Csr;
  readonly words: number;
  readonly valuations: Uint32Array;
  /** Sets of chain states. */
  readonly unread: BitSet;
  readonly absorbing: BitSet;
  /** Per automaton its first state; a tuple has an entry for each. */
  readonly firstStates: Uint32Array;
  /** Per automaton state: node r >= 0, or leaf "go to state -r - 1". */
  readonly roots: Int32Array;
  /** Quadruples: word, mask, reference if the bit is 0, reference if it is 1. */
  readonly nodes: Int32Array;
  /** Per automaton state: where it goes on entering an unread chain state. */
  readonly passes: Uint32Array;
  /** Per automaton state, as in `LabelAutomaton`. */
  readonly absorbs: Uint32Array;
  readonly seeds: readonly { readonly states: BitSet; readonly tuples: Uint32Array }[];
}

/** A product being found, state by state. */
export interface ProductProblem {
  readonly states: number;
  /** States whose successors have been found. */
  readonly followed: number;
  readonly transitions: number;
  /** Bytes that the kernel needs at once to make a chain of what was found. */
  readonly bytes: number;
  /** Enters the next seeds, or follows about `work` transitions; returns whether anything is left to do. */
  explore(work: number): boolean;
  /** Numbers what was found and makes it a chain, which is the caller's. */
  finish(withMatrix: boolean): ProductParts;
  close(): void;
}

export interface ProductParts {
  readonly chain: EngineChain;
  readonly chainState: Uint32Array;
  /** Per place in the tuple the automaton state of each product state, as numbered in the input. */
  readonly automatonState: readonly Uint32Array[];
  readonly matrix: Csr | null;
}

/** Sets called `rows` are over rows, all others over states. */
export interface EngineMdp {
  reachableFrom(seeds: BitSet): BitSet;
  /** `seeds`, and the states of `remain` that some choices among `rows` may lead there through `remain`. */
  attract(remain: BitSet, seeds: BitSet, rows: BitSet): Attraction;
  /** `target`, and the states of `remain` that every choice leads there with positive probability. */
  attractAlways(remain: BitSet, target: BitSet): BitSet;
  /** The states that some choices among `rows` lead through `remain` to `target` with probability 1. */
  almostSure(remain: BitSet, target: BitSet, rows: BitSet): Attraction;
  /** The rows of states of `subset` that cannot leave it. */
  rowsInside(subset: BitSet): BitSet;
  /** Strongly connected components of the graph of `rows` on `subset`, successors first. */
  components(subset: BitSet, rows: BitSet): OrderedComponents;
  endComponents(subset: BitSet, rows: BitSet): EndComponents;
  openOptimum(plan: OptimumPlan): OptimumProblem;
  /** With the best row in each step; gains are per row. */
  openSteps(input: StepInput, direction: Direction): StepProblem;
  free(): void;
}

export interface Attraction {
  readonly states: BitSet;
  /** Uint32Array(states): for members but the seeds a row that comes closer with positive probability. */
  readonly choices: Uint32Array;
}

/** The states of component c are order[start[c]] to order[start[c + 1] - 1]. */
export interface OrderedComponents {
  readonly order: Uint32Array;
  readonly start: Uint32Array;
}

/** A best value to be found for blocks of states that share it: single states, or end components. */
export interface OptimumPlan {
  readonly direction: Direction;
  /** The states of block b are members[memberStart[b]] to members[memberStart[b + 1] - 1]; successors come first. */
  readonly memberStart: Uint32Array;
  readonly members: Uint32Array;
  /** The rows that may be taken. */
  readonly rows: BitSet;
  /** States outside all blocks whose value is 1; the value of the others is 0. */
  readonly one: BitSet;
  /** Per row what it earns at least and at most. */
  readonly rewards?: Bounds;
  /** An upper bound of all values, Infinity if none is known. */
  readonly upper: number;
}

/** Bounds of the blocks of a plan. Ranges of blocks include the first and exclude the last. */
export interface OptimumProblem {
  /** Up to `count` sweeps of interval iteration after `from` earlier ones; returns how many moved a bound. */
  sweeps(first: number, last: number, from: number, count: number): number;
  /** Takes `factor` times 1 more than the lower bounds for upper bounds, on trial. */
  guessUpper(first: number, last: number, factor: number): void;
  /** Takes upper bounds back to Infinity. */
  forgetUpper(first: number, last: number): void;
  /** One sweep over upper bounds on trial; returns whether they are upper bounds indeed. */
  verifySweep(first: number, last: number): boolean;
  /** Takes `values` for upper or lower bounds where they are narrower, if one evaluation verifies them; returns whether it did. */
  takeOver(first: number, last: number, values: Float64Array, side: 'lower' | 'upper'): boolean;
  /** The equations of these blocks. */
  choices(first: number, last: number): BlockChoices;
  /** One sweep of value iteration; returns the largest change. */
  valueSweep(first: number, last: number, relative: boolean): number;
  /** The widest gap between bounds, divided by offset + slope * lower. */
  gap(first: number, last: number, offset: number, slope: number): number;
  /** The same of the successors outside these blocks. */
  inheritedGap(first: number, last: number, offset: number, slope: number): number;
  /** Uint32Array(blocks): the row of the MDP that proves the bound which a scheduler attains. */
  chosenRows(): Uint32Array;
  /**
   * Takes one choice in each block from `first` on, numbered as by `choices`, and bounds that are known to hold: under these
   * choices on the side that a scheduler attains.
   */
  take(first: number, policy: Uint32Array, bounds: Bounds): void;
  /** Copies a chain to where the problem is. */
  load(matrix: Csr): ReturnType<Engine['load']>;
  /** Per block of a range, which is all blocks by default. */
  bounds(first?: number, last?: number): Bounds;
  close(): void;
}

/** Who maximises: the scheduler that chooses rows, and nature that then chooses a distribution of the row. */
export interface Players {
  readonly schedulerMax: boolean;
  readonly natureMax: boolean;
}

export interface EngineIntervals {
  prob0(remain: BitSet, target: BitSet, players: Players): BitSet;
  prob1(remain: BitSet, target: BitSet, players: Players): BitSet;
  openUntil(remain: BitSet, target: BitSet, players: Players): RobustProblem;
  /** What is gained, per row, before `target` is reached: a problem whose values are rewards. */
  openReward(gain: Bounds, target: BitSet, players: Players): RobustProblem;
  /** With the best row and its best distribution in each step; gains are per row. */
  openSteps(input: StepInput, players: Players): StepProblem;
  /** The distribution of each row that makes the mean of `values` largest or smallest, by entry. */
  distributions(values: Float64Array, maximise: boolean): Float64Array;
  free(): void;
}

/** As `UntilProblem`, for an interval model and two players. Upper bounds of rewards are Infinity until they are found by trial. */
export interface RobustProblem {
  readonly componentStart: Uint32Array;
  /** Up to `count` sweeps after `from` earlier ones; returns how many moved a bound. */
  sweeps(component: number, from: number, count: number): number;
  /** Looks for end components of the play that is best at the bounds that converge; sweeps move others to their exits. */
  findEndComponents(component: number): void;
  /** One sweep over upper bounds on trial, with `more` earned in each step; returns whether they are upper bounds indeed. */
  trialSweep(component: number, more: number): boolean;
  /** Upper bounds become `factor` times what they are, or, with factor 0, `added`. */
  scaleTrial(component: number, factor: number, added: number): void;
  /** The widest gap between bounds, divided by offset + slope * lower. */
  widestGap(first: number, last: number, offset: number, slope: number): number;
  inheritedGap(component: number, offset: number, slope: number): number;
  bounds(): Bounds;
  close(): void;
}

/**
 * The choices of a range of blocks: those of its i-th block are groupStart[i] to groupStart[i + 1] - 1. The value of choice c is
 * (gain[c] + sum of values[e] * value of block columns[e] over its entries) / exit[c]; the sum leaves out blocks before the
 * range, which `gain` includes.
 */
export interface BlockChoices {
  readonly groupStart: Uint32Array;
  readonly rowStart: Uint32Array;
  /** Entries of c are rowStart[c] to rowStart[c + 1] - 1; blocks are numbered as in the problem. */
  readonly columns: Uint32Array;
  readonly values: Float64Array;
  readonly exit: Float64Array;
  /** The probability to leave the range, a sum of positive numbers. */
  readonly leaving: Float64Array;
  /** How many terms were or will be added up in the equation of each. */
  readonly terms: Uint32Array;
  readonly gain: Bounds;
}
