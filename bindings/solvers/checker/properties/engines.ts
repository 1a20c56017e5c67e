import { NotSupportedError } from '../../../base/errors.js';
import { Rational } from '../../../base/rational.js';
import type { LtlFormula } from '../../../languages/automaton/index.js';
import type { BitSet, Csr, SolveOptions } from '../../kernel/index.js';
import { type Model, type Rewards, type Rounding, virtualStart } from '../../model/index.js';
import { closeChain } from '../closedChain.js';
import { exactProbabilities } from '../exact/exactEvent.js';
import {
  bracket,
  type ExactOptions,
  type ExactQuantities,
  type ExactSubject,
  type ExactValue,
  openExact,
  TooMuchWorkError,
} from '../exact/index.js';
import {
  cosafeReachability,
  cosafeReward,
  type LtlOptions,
  ltlProbability,
  ltlReachability,
} from '../ltl/index.js';
import type { PathEvent } from '../pathEvent.js';
import { type Directions, openQuantities, type Quantities, RoundedQuantities } from '../quantities/index.js';
import { maxExitOdds } from '../quantities/maxExitOdds.js';
import { allWithStart, boundsWithStart, supportWithStart } from '../start.js';
import type { Subject } from './context.js';
import { eventProbability } from './eventProbability.js';
import { eventSupport } from './eventSupport.js';
import { exactProduct, ofSeeds } from './exactProduct.js';
import { complement, exactSolver, numbersOf, type Solved, type Solver, solved } from './solver.js';
import type { NumberValues } from './stateValues.js';
import { transitionChoices } from './transitionChoices.js';

/** About a second of exact arithmetic, to settle questions that bounds leave open. */
const SETTLING_WORK = 4e8;

/** The largest model, in transitions, explored again for that purpose; exploration takes a few seconds. */
const SETTLING_TRANSITIONS = 200_000;

type PathOptions = SolveOptions & LtlOptions;

/** The solvers of one model, each opened on first use. Free them with `using`. */
export class Engines implements Disposable {
  readonly model: Model;
  /** The virtual start of a learnt model, which is not a position of a path. */
  readonly start: number | undefined;
  readonly #subject: Subject;
  #source: ExactSubject | undefined;
  #opened: Quantities | undefined;
  #rational: ExactQuantities | undefined;
  #choices: Model | undefined;
  #moves: number | undefined;

  constructor(subject: Subject) {
    this.#subject = subject;
    this.model = subject.model;
    this.start = virtualStart(this.model);
  }

  /** Whether the model's doubles approximate numbers of a source, instead of being its numbers. */
  get hasSource(): boolean {
    return this.#subject.fractions !== undefined || this.#subject.exactValues !== undefined;
  }

  /** Whether every state has a row: states of a learnt chain without data have none. */
  get complete(): boolean {
    return this.model.type !== 'dtmc' || this.model.unknown === undefined || this.model.unknown.count() === 0;
  }

  /** Whether there is exact arithmetic for this type of model. */
  get hasFractions(): boolean {
    return this.model.type === 'dtmc' || this.model.type === 'mdp';
  }

  get quantities(): Quantities {
    this.#opened ??= this.#open(this.model, this.#subject.rounding);
    return this.#opened;
  }

  get exact(): ExactQuantities {
    this.#rational ??= openExact(this.#exactSubject);
    return this.#rational;
  }

  /** @throws NotSupportedError if the numbers of the source are not available */
  get #exactSubject(): ExactSubject {
    this.#source ??= { model: this.model, ...(this.#subject.fractions?.() ?? this.#subject) };
    return this.#source;
  }

  /** The model as a decision process in which every transition is a choice: its runs are the paths of the model's graph. */
  get graphOfChoices(): Model {
    this.#choices ??= transitionChoices(this.model);
    return this.#choices;
  }

  /** The probability of an event from every state. */
  probability(
    directions: Directions,
    event: PathEvent,
    options: SolveOptions,
    exact: ExactOptions | undefined,
  ): Solved {
    const { quantities } = this;
    const solver: Solver = exact ? exactSolver(this.exact, exact) : quantities;
    return this.withStart(eventProbability(solver, quantities, directions, event, options, this.complete));
  }

  /** The probability of a path formula, from the states in `seeds`. */
  ltl(directions: Directions, formula: LtlFormula, atoms: readonly BitSet[], options: PathOptions): Solved {
    return ltlProbability(this.model, directions, formula, atoms, { ...options, open: this.#openProduct });
  }

  /** Expected reward until a path formula is satisfied, likewise. */
  cosafeReward(
    directions: Directions,
    rewards: Rewards,
    formula: LtlFormula,
    atoms: readonly BitSet[],
    options: PathOptions,
  ): Solved {
    const { model } = this;
    const open = this.#openProduct;
    return cosafeReward(model, directions, rewards, formula, atoms, { ...options, open });
  }

  /** The states in which an event has a positive probability, if the graph decides it. */
  support(directions: Directions, event: PathEvent): BitSet | undefined {
    const set = eventSupport(this.model, this.quantities, directions, event);
    const { model } = this;
    return set && 'values' in model ? supportWithStart(model, set, this.start) : set;
  }

  /**
   * Limits of exact arithmetic that the caller did not request.
   *
   * @param rewards the rewards in question, if any
   * @throws TooMuchWorkError if finding the numbers of the source would already take too long; NotSupportedError if they are
   * not fractions
   */
  settling({ signal }: Pick<SolveOptions, 'signal'>, rewards?: Rewards): ExactOptions {
    if (!this.hasFractions || !this.complete) throw new NotSupportedError('bounds come no closer in doubles');
    const again = this.#subject.fractions !== undefined && this.#subject.exactValues === undefined;
    if (again && this.#source === undefined && this.model.columns.length > SETTLING_TRANSITIONS) {
      throw new TooMuchWorkError(
        `${this.model.columns.length} transitions are more than the ${SETTLING_TRANSITIONS} that are explored again in fractions unasked`,
      );
    }
    if (this.hasSource && this.exact.exactOf(rewards) === 'doubles') {
      throw new NotSupportedError(
        'the source has numbers that are not fractions, as roots and logarithms are',
      );
    }
    return { ...(signal && { signal }), workLimit: SETTLING_WORK };
  }

  /** The probability of an event from some states in exact arithmetic, within about a second of work. */
  decideExactly(
    directions: Directions,
    event: PathEvent,
    states: BitSet,
    options: SolveOptions,
  ): NumberValues {
    const { model } = this;
    if (model.type === 'dtmc' && !this.hasSource) return this.#settleChain(event, states);
    const solver = exactSolver(this.exact, this.settling(options));
    return numbersOf(
      this.withStart(eventProbability(solver, this.quantities, directions, event, options, this.complete)),
      1,
    );
  }

  /** The probability of a path formula in exact arithmetic, from the states in `seeds`. */
  exactLtl(
    directions: Directions,
    formula: LtlFormula,
    atoms: readonly BitSet[],
    options: ExactOptions & { readonly seeds: BitSet },
  ): Solved {
    const problem = ltlReachability(this.model, directions, formula, atoms, { seeds: options.seeds });
    using exact = openExact(exactProduct(this.#exactSubject, problem));
    const { remain, target, complemented } = problem;
    const solution = solved(exact.until(problem.directions, remain, target, options), this.exact.exactOf());
    return ofSeeds(problem, complemented ? complement(solution) : solution, this.model.states, options.seeds);
  }

  /** Expected reward until a path formula is satisfied, likewise. */
  exactCosafeReward(
    directions: Directions,
    rewards: Rewards,
    formula: LtlFormula,
    atoms: readonly BitSet[],
    options: ExactOptions & { readonly seeds: BitSet },
  ): Solved {
    const problem = cosafeReachability(this.model, directions, formula, atoms, { seeds: options.seeds });
    const product = exactProduct(this.#exactSubject, problem, rewards);
    using exact = openExact(product);
    const [earned] = product.model.rewards ?? [];
    const solution = solved(
      exact.reachabilityReward(problem.directions, earned, problem.target, options),
      this.exact.exactOf(rewards),
    );
    return ofSeeds(problem, solution, this.model.states, options.seeds);
  }

  /** States from which some path, or every path, is in an event: of the virtual start, some path, or every path, behind it. */
  quantifiedWithStart(quantifier: 'A' | 'E', set: BitSet): BitSet {
    const { model, start } = this;
    if (!('values' in model)) return set;
    return quantifier === 'E' ? supportWithStart(model, set, start) : allWithStart(model, set, start);
  }

  /**
   * A solution in which the virtual start has the mean over its row.
   *
   * @param largest an upper limit of the values; default 1, as for probabilities; infinity for rewards
   */
  withStart(solution: Solved, largest = 1): Solved {
    const { model, start } = this;
    if (start === undefined || !('values' in model)) return solution;
    const { exact } = solution;
    if (exact === undefined) return { ...solution, ...boundsWithStart(model, solution, start, largest) };
    const mean = meanOfRow(model, start, exact);
    const { lower, upper } = bracket(mean);
    const at = (values: Float64Array, bound: number) =>
      values.map((value, s) => (s === start ? bound : value));
    return {
      ...solution,
      lower: at(solution.lower, lower),
      upper: at(solution.upper, upper),
      exact: exact.map((value, s) => (s === start ? mean : value)),
    };
  }

  free(): void {
    this.#opened?.free();
    this.#rational?.free();
    this.#opened = undefined;
    this.#rational = undefined;
  }

  [Symbol.dispose](): void {
    this.free();
  }

  #open(model: Model, rounding: Rounding | undefined): Quantities {
    const quantities = openQuantities(model);
    return rounding ? new RoundedQuantities(quantities, rounding) : quantities;
  }

  /** A product may move with the model's probability of staying, which is not necessarily a double. */
  readonly #openProduct = (product: Model): Quantities => {
    const { rounding } = this.#subject;
    return this.#open(product, rounding && { ...rounding, probabilities: this.#roundingOfMoves(rounding) });
  };

  #roundingOfMoves({ probabilities }: Rounding): number {
    this.#moves ??= probabilities * maxExitOdds(this.model);
    return this.#moves;
  }

  /** On a chain, solves only the part that the requested states reach; states without data are unconstrained. */
  #settleChain(event: PathEvent, states: BitSet): NumberValues {
    if (this.model.type !== 'dtmc') throw new TypeError('not a chain');
    using chain = closeChain(this.model);
    const asked = [...states];
    const ranges = exactProbabilities(chain, event, asked, this.start);
    const lower = new Float64Array(states.size);
    const upper = new Float64Array(states.size).fill(1);
    const exact = new Map<number, Rational>();
    ranges.forEach((range, i) => {
      lower[asked[i]] = bracket(range.lower).lower;
      upper[asked[i]] = bracket(range.upper).upper;
      if (range.lower.compare(range.upper) === 0) exact.set(asked[i], range.lower);
    });
    return {
      type: 'double',
      lower,
      upper,
      accuracy: 'exact',
      method: 'rational-elimination',
      iterations: 0,
      exactAt: (s) => exact.get(s),
    };
  }
}

/** The mean of fractions over the row of a state; infinite if one of them is. */
function meanOfRow(
  { rowStart, columns, values }: Csr,
  s: number,
  exact: readonly (ExactValue | undefined)[],
): ExactValue {
  let mean = Rational.ZERO;
  for (let e = rowStart[s]; e < rowStart[s + 1]; e++) {
    const value = exact[columns[e]];
    if (value === 'infinite') return value;
    if (value !== undefined) mean = mean.plus(Rational.fromDouble(values[e]).times(value));
  }
  return mean;
}
