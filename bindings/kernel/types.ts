import type { BitSet } from './bitSet.js';

/**
 * A square sparse matrix in compressed sparse rows: row `r` holds entries `rowStart[r]` (included) to
 * `rowStart[r + 1]` (excluded) of `columns` and `values`; columns ascend strictly within a row.
 */
export interface Csr {
  /** Uint32Array(rows + 1), starting at 0, never descending. */
  readonly rowStart: Uint32Array;
  /** Uint32Array(nnz), each below the number of rows. */
  readonly columns: Uint32Array;
  /** Float64Array(nnz). */
  readonly values: Float64Array;
}

/**
 * How a number was obtained: `exact` is decided on the graph or by rational arithmetic alone; `bounded` lies between its
 * bounds; `estimated` promises nothing.
 */
export type Accuracy = 'exact' | 'bounded' | 'estimated';

/** Certified values of all states at once: `lower[s] <= true value of s <= upper[s]`. */
export interface Solution {
  /** Float64Array(states). */
  readonly lower: Float64Array;
  /** Float64Array(states). */
  readonly upper: Float64Array;
  readonly accuracy: Accuracy;
  /** What computed it, e.g. `topological`, `interval-iteration`. */
  readonly method: string;
  /** Sweeps over all components together; 0 where none was iterated. */
  readonly iterations: number;
}

/** Which solver for components of more than one state: `auto` chooses by size. */
export type SolveMethod = 'auto' | 'elimination' | 'interval-iteration' | 'value-iteration';

export interface SolveOptions {
  /** Half the width allowed between the bounds: `upper - lower <= 2 * precision`. Default 1e-6. */
  precision?: number;
  /** Read `precision` relative to `lower`: `upper - lower <= 2 * precision * lower`. Default false. */
  relative?: boolean;
  /** Default `auto`: elimination for small components; for others, interval iteration and elimination by turns. */
  method?: SolveMethod;
  /** Sweeps over one component before giving up with NotConvergedError. Default 10,000,000. */
  maxIterations?: number;
  /** Called between slices of work with the fraction of states solved and the widest gap left in the current component. */
  onProgress?: (progress: { fraction: number; gap: number; iterations: number }) => void;
  /**
   * Checked between slices of work; an aborted signal throws its reason. A solve does not yield to timers, so abort from
   * `onProgress`.
   */
  signal?: AbortSignal;
}

/**
 * What a chain earns: `states[s]` at every step that it begins in s, and `transitions`, at every move from row to column, in a
 * matrix of its own; moves not in it earn nothing. Rewards are 0 or between 2^-500 and 2^500.
 */
export interface ChainRewards {
  /** Float64Array(states). */
  readonly states?: Float64Array;
  /** Rows and columns as in the chain's matrix; entries where the chain does not move are not used. */
  readonly transitions?: Csr;
}

export interface StepOptions extends Pick<SolveOptions, 'onProgress' | 'signal'> {
  /**
   * Return the values for every number of steps from 0 to that asked for: `lower` and `upper` are then
   * Float64Array((steps + 1) * states), entry j * states + s for j steps. Default false.
   */
  everyStep?: boolean;
}

export interface WindowOptions extends StepOptions {
  /** The first step of the window; 0 for values of every step. Default 0. */
  from?: number;
}

export interface BackOptions extends StepOptions {
  /** States that take the mean over their successors in each step. Default: all. */
  active?: BitSet;
  /** Values that the other states have after each step. Default: those before the first. */
  others?: Pick<Solution, 'lower' | 'upper'>;
}

/** Strongly connected components, numbered successors first: every edge goes to the same or a lower number. */
export interface Components {
  readonly count: number;
  /** Uint32Array(states). */
  readonly componentOf: Uint32Array;
}

/** New rows of some states; columns may name any state of the model. */
export interface RowUpdate extends Csr {
  /** Uint32Array: the states, ascending strictly. Row i of the matrix is the new row of state `rows[i]`. */
  readonly rows: Uint32Array;
}

/** States to add: row i belongs to the i-th new state, which is number `solver.states + i`. Columns may name new states too. */
export interface AddedStates extends Csr {
  /** Which of the new states a path may pass before the target; a set over the new states alone. */
  readonly remain: BitSet;
  /** Which of the new states are in the target; a set over the new states alone. */
  readonly target: BitSet;
}

/** What an update came to. */
export interface Resolved {
  /** States whose components were solved. */
  readonly states: number;
  /** Components solved. */
  readonly components: number;
  /** Whether everything was solved anew, because bounds would have become too wide, or an update before was not finished. */
  readonly anew: boolean;
  /** Sweeps over components; 0 where none was iterated. */
  readonly iterations: number;
  readonly seconds: number;
}

/**
 * P(remain U target) of a chain that can be changed: after each update the bounds bracket the exact values of the changed chain,
 * as narrowly as those of `until`, but only components that the change reaches are solved again. It holds a copy of its own;
 * the chain that it came from stays as it is. Free it once, with `free()` or `using`.
 *
 * An update with bad rows changes nothing. One that is aborted, or does not converge, leaves the chain changed and the bounds
 * unknown: reading them throws InvalidArgumentError until the next update, or `solve`, has solved everything anew.
 */
export interface KernelSolver extends Disposable {
  readonly states: number;
  /** The bounds of one state. */
  lower(state: number): number;
  upper(state: number): number;
  /** Copies the bounds of all states; takes time linear in them. */
  solution(): Solution;
  /**
   * Replaces the rows of some states, transitions that come or go included.
   *
   * Takes time linear in what is solved; where transitions make or break ways, also in the transitions of all states from
   * which a changed row can be reached; now and then memory is reorganised, in time linear in the model.
   * @throws InvalidModelError as `Kernel.chain`, KernelError if memory does not suffice: nothing was changed.
   * @throws NotConvergedError if the precision cannot be reached, with the bounds of all states so far.
   */
  replaceRows(update: RowUpdate, options?: Pick<SolveOptions, 'onProgress' | 'signal'>): Resolved;
  /** Adds states, to which rows replaced later may lead. @throws as `replaceRows`. */
  addStates(added: AddedStates, options?: Pick<SolveOptions, 'onProgress' | 'signal'>): Resolved;
  /** Solves everything anew. @throws NotConvergedError as `until`. */
  solve(options?: Pick<SolveOptions, 'onProgress' | 'signal'>): Resolved;
  free(): void;
}

/**
 * A discrete-time Markov chain held by a kernel. Free it once, with `free()` or `using`; any use afterwards throws
 * InvalidArgumentError.
 */
export interface KernelChain extends Disposable {
  readonly states: number;
  readonly transitions: number;
  /** States reachable from `seeds`, `seeds` included. */
  reachableFrom(seeds: BitSet): BitSet;
  /** States with a path to `target` through `remain` only: `target` itself, and `remain` states before it. */
  canReach(remain: BitSet, target: BitSet): BitSet;
  /** States where P(remain U target) = 0. */
  prob0(remain: BitSet, target: BitSet): BitSet;
  /** States where P(remain U target) = 1. */
  prob1(remain: BitSet, target: BitSet): BitSet;
  components(): Components;
  /** P(remain U target) for every state. `remain` is the set of states the path may pass before `target`. */
  until(remain: BitSet, target: BitSet, options?: SolveOptions): Solution;
  /**
   * Solves P(remain U target) and keeps model and solution in the kernel, to be updated.
   *
   * @param options as for `until`; they hold for all updates but for `onProgress` and `signal`. Method `value-iteration`, whose
   *   results bound nothing, is refused.
   * @throws NotConvergedError as `until`.
   */
  openSolver(remain: BitSet, target: BitSet, options?: SolveOptions): KernelSolver;
  /** P(remain U[from,steps] target) for every state: a state in `target` at some step of the window, all before it in `remain`. */
  boundedUntil(remain: BitSet, target: BitSet, steps: number, options?: WindowOptions): Solution;
  /** P(G<=steps remain) for every state: the chance to be in `remain` from step 0 to `steps`. */
  boundedGlobally(remain: BitSet, steps: number, options?: StepOptions): Solution;
  /** P(X target) for every state. */
  next(target: BitSet): Solution;
  /**
   * Takes values `steps` steps back: in each, the states in `active` (default: all) take the mean over their successors, the
   * others the value that they have in `others` (default: in `values`). Values lie between 0 and 2^500.
   */
  stepBack(values: Pick<Solution, 'lower' | 'upper'>, steps: number, options?: BackOptions): Solution;
  /**
   * Strongly connected components that no transition leaves, in the order of `components`; `componentOf` is NO_COMPONENT for
   * the transient states.
   */
  bottomComponents(): Components;
  /**
   * Expected reward before `target` is reached, for every state: 0 in `target`, Infinity where it is not reached almost surely.
   * Bounds are at most 2 * precision * max(1, lower) apart, here and below.
   *
   * @throws InvalidArgumentError for rewards of the wrong length, negative, NaN, or out of range; NotConvergedError with the
   * bounds reached, upper ones possibly Infinity.
   */
  reachabilityReward(rewards: ChainRewards, target: BitSet, options?: SolveOptions): Solution;
  /**
   * Expected reward for ever, or, with `within`, until that set is left, for every state. Infinity where a bottom component
   * can be reached in which something is earned again and again.
   */
  totalReward(rewards: ChainRewards, options?: SolveOptions & { within?: BitSet }): Solution;
  /** Expected reward of the first `steps` steps for every state: of states 0 to steps - 1 and moves 1 to `steps`. */
  cumulativeReward(rewards: ChainRewards, steps: number, options?: StepOptions): Solution;
  /** Expected reward of the state after `steps` steps, for every state to start from. */
  instantaneousReward(states: Float64Array, steps: number, options?: StepOptions): Solution;
  /** Mean reward a step in the long run, for every state. */
  longRunAverage(rewards: ChainRewards, options?: SolveOptions): Solution;
  /**
   * Mean time spent in each state in the long run, a fraction of 1, for the distribution `initial`: Float64Array(states), as a
   * rule with sum 1; results are linear in it.
   */
  steadyState(initial: Float64Array, options?: SolveOptions): Solution;
  /**
   * Expected visits of each state, from the distribution `initial` on, before `within` (default: all states) is left: the row
   * initial * (I - P)^-1 of the chain cut to `within`. The start counts as a visit; 0 outside `within`; Infinity in bottom
   * components.
   */
  visitsFrom(initial: Float64Array, options?: SolveOptions & { within?: BitSet }): Solution;
  /**
   * For every state to start from, the expected visits of all states before `within` is left, each visit of t counting
   * `weights[t]`: a column of (I - P)^-1 for the weights of one state, its row sums for weights of 1.
   */
  visitsTo(weights: Float64Array, options?: SolveOptions & { within?: BitSet }): Solution;
  free(): void;
}

/**
 * A chain whose states are read by automata. A row may be empty: its state has no known successors, and absorbs in a product.
 */
export interface LabelledChain extends Csr {
  /** 32-bit words of a valuation, at least 1. */
  readonly words: number;
  /** Uint32Array(states * words): bit b of state s is bit b & 31 of word s * words + (b >>> 5). */
  readonly valuations: Uint32Array;
  /** States that automata do not read: there they move by `passes`. Default none. */
  readonly unread?: BitSet;
  /** States that a product never leaves. Default those whose row is empty, which are always among them. */
  readonly absorbing?: BitSet;
}

/**
 * A deterministic automaton that reads one valuation a step, through a decision diagram that its states share.
 *
 * `roots[q]` is where state q starts; a reference r >= 0 is node r, and r < 0 is the leaf "go to state -r - 1". Node n is the
 * triple nodes[3n] = variable, nodes[3n + 1] = reference if it is false, nodes[3n + 2] = reference if it is true. Variables
 * ascend strictly along every path.
 */
export interface LabelAutomaton {
  readonly states: number;
  readonly roots: ArrayLike<number>;
  readonly nodes: ArrayLike<number>;
  /** The bit of a valuation that each variable is. */
  readonly bits: ArrayLike<number>;
  /** Where each state goes on entering an unread chain state. Default: it stays. */
  readonly passes?: ArrayLike<number>;
  /**
   * Per state: 1 where a product state absorbs as soon as any of its automata is in such a state, 2 where it does once every
   * automaton is in a state with 1 or 2, 0 where the product goes on. Default 0 everywhere.
   */
  readonly absorbing?: ArrayLike<number>;
}

/** Where a product starts: in each of `states`, after each tuple of automaton states in `from` has read (or passed) it. */
export interface ProductSeeds {
  /** Chain states. */
  readonly states: BitSet;
  /** Tuples one after the other, one entry per automaton. */
  readonly from: ArrayLike<number>;
}

export interface ProductOptions {
  /** Also copy the rows of the product out, as `matrix`. Default false. */
  withMatrix?: boolean;
  /** Give up with a KernelError when the product has more states. Default: whatever memory holds. */
  maxStates?: number;
  /** Called between slices of work with what was found so far; `followed` of the `states` have had their successors found. */
  onProgress?: (progress: { states: number; followed: number; transitions: number }) => void;
  /** Checked between slices of work; an aborted signal throws its reason. */
  signal?: AbortSignal;
}

/**
 * Chain × automata: state (s, q1, q2, …) stands for chain state s after every automaton has read its valuation. Numbered by
 * chain state, then automaton states, whatever order they were found in. Absorbing states have a self-loop as their row.
 */
export interface KernelProduct extends Disposable {
  /** The product, held by the kernel. It is freed with the product. */
  readonly chain: KernelChain;
  /** Uint32Array(states): the chain state of each product state. */
  readonly chainState: Uint32Array;
  /** Per automaton a Uint32Array(states): its state in each product state. */
  readonly automatonState: readonly Uint32Array[];
  /** The rows of the product, if asked for with `withMatrix`, else null. */
  readonly matrix: Csr | null;
  /** The product state with these parts, -1 if there is none. Takes logarithmic time. */
  find(chainState: number, automatonStates: ArrayLike<number>): number;
  free(): void;
}

/**
 * The rows of a Markov decision process: state s chooses among rows rowGroupStart[s] (included) to rowGroupStart[s + 1]
 * (excluded) of the matrix, at least one.
 */
export interface MdpMatrix extends Csr {
  /** Uint32Array(states + 1), starting at 0, ascending, ending at the number of rows. */
  readonly rowGroupStart: Uint32Array;
}

/** Which of a value over all schedulers: the least or the greatest. */
export type Direction = 'min' | 'max';

/** Values under the best scheduler, and one that attains them. */
export interface OptimalSolution extends Solution {
  /**
   * Uint32Array(states): the row that a memoryless scheduler takes in each state, the first of a state where any will do. Its
   * own values lie between `lower` and `upper`, or, after `value-iteration`, promise nothing.
   */
  readonly scheduler: Uint32Array;
}

/** What is earned in each state, and by each choice, when it is left; 0, or between 2^-500 and 2^500. */
export interface MdpRewards {
  /** Float64Array(states). Default 0 everywhere. */
  readonly states?: Float64Array;
  /** Float64Array(rows). Default 0 everywhere. */
  readonly rows?: Float64Array;
}

/** Maximal end components: the sets of states that some scheduler can stay in for ever, and visit all of. */
export interface EndComponents {
  readonly count: number;
  /** Uint32Array(states): which one a state is in, 0xffffffff if in none. */
  readonly componentOf: Uint32Array;
  /** The rows that stay inside; a set over rows. */
  readonly rows: BitSet;
}

/**
 * A Markov decision process held by a kernel. Free it once, with `free()` or `using`.
 *
 * A scheduler resolves choices; Pmin and Pmax are the least and the greatest probability over all of them. Sets are over the
 * states, as are results, entry s for state s. Searches take time linear in the transitions where nothing else is said.
 *
 * Every call throws InvalidArgumentError for a set over another number of states, a direction that is none, an option out of
 * its range, and after `free()`; one that takes a signal throws the reason of an aborted signal, and KernelError if there is not
 * enough memory.
 */
export interface KernelMdp extends Disposable {
  readonly states: number;
  readonly rows: number;
  readonly transitions: number;
  /** States reachable from `seeds` by some choices, `seeds` included. */
  reachableFrom(seeds: BitSet): BitSet;
  /** States where Pmax(remain U target) = 0: all schedulers avoid it. */
  prob0A(remain: BitSet, target: BitSet): BitSet;
  /** States where Pmin(remain U target) = 0: some scheduler avoids it. */
  prob0E(remain: BitSet, target: BitSet): BitSet;
  /** States where Pmin(remain U target) = 1: no scheduler can miss it. */
  prob1A(remain: BitSet, target: BitSet): BitSet;
  /**
   * States where Pmax(remain U target) = 1: some scheduler almost surely gets there. Takes time quadratic in the transitions at
   * worst, linear as a rule.
   * @see de Alfaro (1997), Formal verification of probabilistic systems, Stanford
   */
  prob1E(remain: BitSet, target: BitSet): BitSet;
  /** Strongly connected components of the graph of all choices. */
  components(): Components;
  /**
   * Maximal end components among the states of `subset`. Default: all states. Takes time quadratic in the transitions at worst,
   * linear as a rule.
   * @see de Alfaro (1997), Formal verification of probabilistic systems, Stanford
   */
  endComponents(subset?: BitSet): EndComponents;
  /**
   * Pmin or Pmax(remain U target) for every state, on the quotient of maximal end components.
   *
   * @param remain states that a path may pass before `target`.
   * @param options.precision half the width of bounds allowed, absolute or, with `relative`, relative to the lower one.
   * @param options.method `auto`: interval iteration, then policy iteration, in time cubic in a component at worst, where one of at most 1,000
   *   states converges slowly; `interval-iteration` without policies; or `value-iteration`, whose results promise nothing.
   * @returns `lower <= value <= upper` and a scheduler whose own values lie there too; `accuracy` is `exact` where the graph
   *   decides everything.
   * @throws NotConvergedError with true bounds, if they do not come as close as `precision` asks.
   * @throws InvalidArgumentError for method `elimination`, and as all calls.
   * @see Haddad, Monmege (2018), doi:10.1016/j.tcs.2016.12.003
   */
  until(direction: Direction, remain: BitSet, target: BitSet, options?: SolveOptions): OptimalSolution;
  /**
   * Pmin or Pmax(remain U[from,steps] target) for every state; choices may depend on the steps left. Takes time linear in the
   * transitions for each step, here and below, fewer where steps no longer move any bound.
   *
   * @param steps a whole number, at least 0.
   * @returns bounds as wide as rounding makes them, here and below; with `everyStep`, those of all numbers of steps.
   */
  boundedUntil(
    direction: Direction,
    remain: BitSet,
    target: BitSet,
    steps: number,
    options?: WindowOptions,
  ): Solution;
  /** Pmin or Pmax(X target) for every state. */
  next(direction: Direction, target: BitSet): Solution;
  /**
   * Takes values `steps` steps back: in each, the states in `active` (default: all) take the best mean over the successors of
   * their rows, the others the value that they have in `others` (default: in `values`). Values lie between 0 and 2^500.
   */
  stepBack(
    direction: Direction,
    values: Pick<Solution, 'lower' | 'upper'>,
    steps: number,
    options?: BackOptions,
  ): Solution;
  /** Least or greatest expected reward of the first `steps` steps for every state. */
  cumulativeReward(direction: Direction, rewards: MdpRewards, steps: number, options?: StepOptions): Solution;
  /** Least or greatest expected reward of the state after `steps` steps, for every state to start from. */
  instantaneousReward(
    direction: Direction,
    states: Float64Array,
    steps: number,
    options?: StepOptions,
  ): Solution;
  /**
   * Expected reward earned before `target` is reached, least or greatest over all schedulers, for every state. Nothing is
   * earned in `target`. Infinite if the target may be missed: where Pmin(F target) < 1 for the greatest, where Pmax(F
   * target) < 1 for the least.
   *
   * @param rewards each 0, or between 2^-500 and 2^500; what is left out earns nothing.
   * @param options as for `until`; `precision` p means `upper - lower <= 2 * p * max(1, value)`.
   * @returns bounds and a scheduler, as `until`.
   * @throws NotConvergedError with true bounds, upper ones possibly Infinity, if they do not come as close as `precision` asks.
   * @throws InvalidArgumentError for rewards of the wrong length, negative, NaN or out of range, naming the entry.
   * @see Hartmanns, Kaminski (2020), doi:10.1007/978-3-030-53291-8_26
   */
  reachabilityReward(
    direction: Direction,
    rewards: MdpRewards,
    target: BitSet,
    options?: SolveOptions,
  ): OptimalSolution;
  /**
   * Expected reward for ever, least or greatest over all schedulers, for every state. Infinite if something may be earned again and
   * again: the greatest where an end component with a row that earns can be reached, the least where none without such rows is
   * reached almost surely.
   *
   * @returns bounds as `reachabilityReward`, and a scheduler whose own values lie there too.
   * @throws NotConvergedError and InvalidArgumentError as `reachabilityReward`.
   */
  totalReward(direction: Direction, rewards: MdpRewards, options?: SolveOptions): OptimalSolution;
  free(): void;
}

/**
 * Rows of intervals: row r stands for all distributions with lower <= P <= upper entry by entry and, where a centre and a
 * radius are given, at most `radius` in total variation from the centre (half the sum of the absolute differences). Where
 * rounding makes the centre miss 1, the smaller one of the sums of positive and of negative differences counts. Lower bounds
 * that sum to 1 or more (by up to 1e-9), or upper bounds that sum to 1 or less, mean that one distribution, divided by its sum. Sums
 * are compared with 1 exactly: bounds that leave any room leave a choice.
 */
export interface IntervalCsr {
  /** Uint32Array(rows + 1), starting at 0, never descending. */
  readonly rowStart: Uint32Array;
  /** Uint32Array(nnz), each below the number of states, ascending strictly within a row. */
  readonly columns: Uint32Array;
  /** Float64Array(nnz), each 0 or at least 2^-500. A transition with lower bound 0 may be absent. */
  readonly lower: Float64Array;
  /** Float64Array(nnz), each above 0. */
  readonly upper: Float64Array;
  /** Float64Array(nnz), between the bounds, summing to 1. Given with `radius` or not at all. */
  readonly centre?: Float64Array;
  /** Float64Array(rows), at least 0; `Infinity` leaves a row to its bounds alone. */
  readonly radius?: Float64Array;
}

/** Rows rowGroupStart[s] (included) to rowGroupStart[s + 1] (excluded) are the choices of state s. */
export interface IntervalMdpMatrix extends IntervalCsr {
  /** Uint32Array(states + 1), starting at 0, ascending strictly. */
  readonly rowGroupStart: Uint32Array;
}

/** What a scheduler chooses rows for, and then nature, knowing the row, its distribution. */
export interface Players {
  readonly scheduler: Direction;
  readonly nature: Direction;
}

export interface RobustOptions extends Omit<SolveOptions, 'method'> {
  /** Sweeps over one component before giving up with NotConvergedError. Default 1,000,000. */
  maxIterations?: number;
}

/**
 * A Markov model of intervals held by a kernel, where distributions are chosen anew at every step. `goal` says who minimises
 * and who maximises: a `Direction`, that of nature, for an interval chain; `Players` for an interval MDP. Free it once, with
 * `free()` or `using`.
 *
 * Sets are over the states, as are results, entry s for state s. Every call throws InvalidArgumentError for a set over another
 * number of states, a goal that is none, an option out of its range, and after `free()`; one that takes a signal throws the
 * reason of an aborted signal, and KernelError if there is not enough memory.
 */
export interface KernelIntervalModel<Goal> extends Disposable {
  readonly states: number;
  readonly rows: number;
  readonly transitions: number;
  /** States where the best P(remain U target) is 0. Takes time linear in the entries times those of the longest row. */
  prob0(remain: BitSet, target: BitSet, goal: Goal): BitSet;
  /** States where the best P(remain U target) is 1. Takes that time as often as states are lost, once or twice as a rule. */
  prob1(remain: BitSet, target: BitSet, goal: Goal): BitSet;
  /**
   * The best P(remain U target) of every state, by robust interval iteration (a row is sorted and filled at each visit,
   * O(k log k) for k successors).
   *
   * @param remain states that a path may pass before `target`.
   * @param options.precision half the width of bounds allowed, absolute or, with `relative`, relative to the lower one.
   * @returns `lower <= value <= upper`; `accuracy` is `exact` where the graph decides everything.
   * @throws NotConvergedError with the bounds reached, true ones, if they do not come as close as `precision` asks: as where a set
   *   of states is left with less than about 1e-7 a step, which takes as many sweeps.
   * @see Givan, Leach, Dean (2000), doi:10.1016/S0004-3702(00)00047-3
   */
  until(remain: BitSet, target: BitSet, goal: Goal, options?: RobustOptions): Solution;
  /**
   * The best P(remain U[from,steps] target) of every state; choices may depend on the steps left. Each step visits every row once,
   * here and below.
   *
   * @param steps a whole number, at least 0.
   * @returns bounds as wide as rounding makes them, here and below.
   */
  boundedUntil(remain: BitSet, target: BitSet, steps: number, goal: Goal, options?: WindowOptions): Solution;
  /** The best P(X target) of every state. */
  next(target: BitSet, goal: Goal): Solution;
  /**
   * Takes values `steps` steps back: in each, the states in `active` (default: all) take the best mean over the successors of
   * their rows, the others the value that they have in `others` (default: in `values`). Values lie between 0 and 2^500.
   */
  stepBack(
    values: Pick<Solution, 'lower' | 'upper'>,
    steps: number,
    goal: Goal,
    options?: BackOptions,
  ): Solution;
  /** The best expected reward of the first `steps` steps of every state. */
  cumulativeReward(rewards: MdpRewards, steps: number, goal: Goal, options?: StepOptions): Solution;
  /** The best expected reward of the state after `steps` steps, for every state to start from. */
  instantaneousReward(states: Float64Array, steps: number, goal: Goal, options?: StepOptions): Solution;
  /**
   * The best expected reward earned before `target` is reached, for every state. Nothing is earned in `target`. Infinite where the
   * players that maximise can make the others miss the target.
   *
   * @param rewards each 0, or between 2^-500 and 2^500; what is left out earns nothing.
   * @param options as for `until`; `precision` p means `upper - lower <= 2 * p * max(1, value)`.
   * @returns `lower <= value <= upper`; `accuracy` is `exact` where the graph decides everything.
   * @throws NotConvergedError with true bounds, upper ones possibly Infinity, as `until`.
   * @throws InvalidArgumentError for rewards of the wrong length, negative, NaN or out of range, naming the entry.
   * @see Hartmanns, Kaminski (2020), doi:10.1007/978-3-030-53291-8_26
   */
  reachabilityReward(rewards: MdpRewards, target: BitSet, goal: Goal, options?: RobustOptions): Solution;
  /**
   * The distribution of every row that makes the mean of `values` (Float64Array(states), in [0, 1]) largest or smallest.
   * With the upper bounds of a solution and 'min' these are worst rows of a minimising nature.
   * @returns Float64Array(nnz), one probability an entry, each row rounded to within a few 2^-53 of the set.
   * @throws InvalidArgumentError for values of another length or outside [0, 1], naming the state.
   */
  rowDistributions(values: Float64Array, direction: Direction): Float64Array;
  free(): void;
}

export type KernelIntervalChain = KernelIntervalModel<Direction>;
export type KernelIntervalMdp = KernelIntervalModel<Players>;

/** Numerical work on sparse models, by WebAssembly or by the readable reference in TypeScript. */
export interface Kernel {
  readonly backend: 'wasm' | 'reference';
  /**
   * Copies a chain in and checks it.
   * @throws InvalidModelError on a row that does not sum to 1 within 1e-9, entries above 1 or below 2^-500, unsorted,
   * duplicate or out-of-range columns, or an empty row.
   * @throws KernelError if there is not enough memory for it.
   */
  chain(matrix: Csr): KernelChain;
  /**
   * Builds the product of a chain and deterministic automata, as far as `seeds` lead: in time and memory linear in the
   * transitions found. A probability is that of its chain row; a self-loop has what the other entries leave of 1, and is there, and
   * read by the automata, exactly where they leave something.
   * @throws InvalidModelError as `chain`, for rows that are not empty.
   * @throws InvalidArgumentError for automata that are malformed, sets or arrays over other numbers of states, or no seed.
   * @throws KernelError if there is not enough memory for it, or it has more than `maxStates` states: the message says how many
   * were found and what they would need.
   */
  product(
    chain: LabelledChain,
    automata: readonly LabelAutomaton[],
    seeds: readonly ProductSeeds[],
    options?: ProductOptions,
  ): KernelProduct;
  /**
   * Copies a Markov decision process in and checks it, in time linear in its transitions. A self-loop's probability is what the
   * other entries of its row leave of 1.
   * @throws InvalidModelError as `chain`, and for a state without a choice or row groups that do not cover the rows; the message
   * names the state, and which of its choices.
   * @throws InvalidArgumentError for arrays of another type.
   * @throws KernelError if there is not enough memory for it.
   * @see Puterman (1994), Markov decision processes, doi:10.1002/9780470316887
   */
  mdp(matrix: MdpMatrix): KernelMdp;
  /**
   * Copies an interval chain in, one row a state, and checks it, in time linear in its entries.
   * @throws InvalidModelError on bounds that are NaN, negative, above 1 or crossed, rows without a distribution inside their
   * bounds, a centre outside them or that is no distribution, a radius that is NaN or negative, and what `chain` refuses about
   * columns and rows; the message names the state.
   * @throws InvalidArgumentError for arrays of another type.
   * @throws KernelError if there is not enough memory for it.
   * @see Givan, Leach, Dean (2000), doi:10.1016/S0004-3702(00)00047-3
   */
  intervalChain(matrix: IntervalCsr): KernelIntervalChain;
  /**
   * The same for an interval MDP, some rows a state.
   * @throws InvalidModelError also on a state without a row, or row groups that do not cover the rows; the message names row and
   * state. Otherwise as `intervalChain`.
   */
  intervalMdp(matrix: IntervalMdpMatrix): KernelIntervalMdp;
  /** Bytes of memory the kernel holds now; 0 for the reference, whose memory the runtime counts. */
  memoryBytes(): number;
}
