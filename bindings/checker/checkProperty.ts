import { InvalidArgumentError, NotConvergedError, NotSupportedError, UndecidedError } from '../errors.js';
import type { Accuracy, BitSet, Solution, SolveOptions } from '../kernel/index.js';
import { type ComparisonOperator, type Formula, printFormula } from '../logic/index.js';
import type { Dtmc } from '../model/index.js';
import { Rational } from '../rational.js';
import { type ClosedChain, closeChain } from './closedChain.js';
import { exactProbabilities } from './exact/exactEvent.js';
import { type PathEvent, pathEvent } from './pathEvent.js';
import type { TruthResult } from './properties/index.js';
import { eventSupport, solveEvent } from './solveEvent.js';
import { boundsWithStart, supportWithStart, virtualStart } from './start.js';

export interface CheckOptions extends SolveOptions {
  /** Seconds between steps, for windows in time. */
  readonly samplingPeriod?: number | string;
}

/** The answer to `P=? [ path ]`. */
export interface ProbabilityResult {
  readonly kind: 'probability';
  /**
   * A point inside the bounds at the initial state, or the estimate of value iteration; over several initial states the
   * smallest and the largest.
   */
  readonly value: number | { readonly min: number; readonly max: number };
  /** Bounds at the initial state; over several the lowest and the highest. Where `accuracy` is `estimated`: 0 and 1. */
  readonly lower: number;
  readonly upper: number;
  readonly accuracy: Accuracy;
  readonly method: string;
  readonly iterations: number;
  /** Bounds for every state. */
  readonly solution: Solution;
}

export type CheckResult = ProbabilityResult | TruthResult;

/**
 * Checks `P=? [ path ]` or a bound such as `P>=0.9 [ path ]` on a chain, as PRISM means it: paths go on for ever (`end` of a
 * learnt chain is absorbing, every predicate false in it).
 *
 * Paths: one of X F G U W R, with windows, over Boolean combinations of the model's labels, `init` and `deadlock`. States
 * without data count with [0,1] wherever their row matters. At the virtual `start` of a learnt chain a property has the mean
 * of its values at step 0. Bounds with 0 and 1 that ask for possibility or certainty are decided on the graph; others by the
 * solver's bounds, with more and more precision while the threshold lies between them, and at last in exact arithmetic, if
 * that is a matter of a second. A threshold is the double nearest to what is written, as the chain's entries are.
 *
 * `method: 'value-iteration'` promises nothing: it answers `P=?` with an estimate, and no threshold but on the graph.
 *
 * @param options Precision and method as `SolveOptions`; default precision 1e-6, absolute.
 * @throws NotSupportedError on other formulas; InvalidArgumentError on an unknown label or a model without initial states;
 * UndecidedError where the threshold lies within the tightest bounds, and exact arithmetic would take too long; NotConvergedError as the solver.
 */
export function checkProperty(model: Dtmc, property: Formula, options: CheckOptions = {}): CheckResult {
  if (property.kind !== 'probability') {
    throw new NotSupportedError(
      `${printFormula(property)} is no property of a chain; write P=? [ ... ] or a bound such as P<0.1 [ ... ]`,
    );
  }
  if (model.initial.length === 0) {
    throw new InvalidArgumentError('the model has no initial state to answer for; give it one');
  }
  const event = pathEvent(model, property.path, options.samplingPeriod);
  using chain = closeChain(model);
  const question: Question = { model, chain, event, start: virtualStart(model), property };
  if (property.bound === null) return probability(question, options);
  const { operator, threshold } = property.bound;
  return onGraph(question, operator, threshold) ?? byBounds(question, operator, threshold, options);
}

interface Question {
  readonly model: Dtmc;
  readonly chain: ClosedChain;
  readonly event: PathEvent;
  readonly start: number | undefined;
  readonly property: Formula;
}

function solution({ chain, event, start }: Question, options: SolveOptions): Solution {
  const solved = solveEvent(chain, event, options);
  return { ...solved, ...boundsWithStart(chain.rows, solved, start) };
}

/** What is certain of a solution: of estimates, only that they are probabilities. */
function certain(solved: Solution): Solution {
  if (solved.accuracy !== 'estimated') return solved;
  const { length } = solved.lower;
  return { ...solved, lower: new Float64Array(length), upper: new Float64Array(length).fill(1) };
}

function probability(question: Question, options: SolveOptions): ProbabilityResult {
  const found = solution(question, options);
  const { initial } = question.model;
  const points = initial.map((s) => inside(found.lower[s], found.upper[s]));
  const solved = certain(found);
  const { accuracy, method, iterations } = solved;
  return {
    kind: 'probability',
    value: points.length === 1 ? points[0] : { min: Math.min(...points), max: Math.max(...points) },
    lower: Math.min(...initial.map((s) => solved.lower[s])),
    upper: Math.max(...initial.map((s) => solved.upper[s])),
    accuracy,
    method,
    iterations,
    solution: solved,
  };
}

function inside(lower: number, upper: number): number {
  return Math.min(upper, Math.max(lower, lower + (upper - lower) / 2));
}

/** P>0, P<=0, P>=1 and P<1 ask whether the event or its negation is possible at all. */
function onGraph(
  question: Question,
  operator: ComparisonOperator,
  threshold: number,
): TruthResult | undefined {
  const { chain, event, start, model } = question;
  const possible = threshold === 0 && (operator === '>' || operator === '<=');
  const certain = threshold === 1 && (operator === '>=' || operator === '<');
  if (!possible && !certain) return undefined;
  const asked = possible ? event : { ...event, negated: !event.negated };
  const support = (happens: boolean): BitSet =>
    supportWithStart(chain.rows, eventSupport(chain, asked, happens), start);
  const sure = support(false);
  const atMost = chain.withoutData.count() === 0 ? sure : support(true);
  const wanted = operator === '>' || operator === '<';
  const verdicts = model.initial.map((s) => (sure.has(s) ? wanted : atMost.has(s) ? undefined : !wanted));
  const value = everywhere(verdicts);
  if (value === undefined) throw undecided(question, 0, 1, 'states without data decide it');
  return { kind: 'truth', value, accuracy: 'exact', method: 'graph', iterations: 0 };
}

function byBounds(
  question: Question,
  operator: ComparisonOperator,
  threshold: number,
  options: SolveOptions,
): TruthResult {
  const { initial } = question.model;
  let lower = 0;
  let upper = 1;
  let iterations = 0;
  for (let precision = options.precision ?? 1e-6; ; precision /= 1000) {
    let bounds: Solution;
    try {
      bounds = certain(solution(question, { ...options, precision }));
    } catch (error) {
      // The first precision was asked for; further ones are our own attempts, and bounds before them stand.
      if (iterations > 0 && error instanceof NotConvergedError) break;
      throw error;
    }
    iterations += Math.max(1, bounds.iterations);
    const { accuracy, method } = bounds;
    const verdicts = initial.map((s) => compare(operator, threshold, bounds.lower[s], bounds.upper[s]));
    const value = everywhere(verdicts);
    if (value !== undefined) return { kind: 'truth', value, accuracy, method, iterations: bounds.iterations };
    if (accuracy === 'estimated') {
      throw undecided(question, 0, 1, `method '${method}' promises nothing; use another`);
    }
    const open = initial[verdicts.indexOf(undefined)];
    lower = bounds.lower[open];
    upper = bounds.upper[open];
    if (precision < 1e-15) break;
  }
  const value = exactly(question, operator, threshold, { lower, upper });
  return { kind: 'truth', value, accuracy: 'exact', method: 'rational-elimination', iterations };
}

/** Settles in exact arithmetic what bounds do not; `bounds` are for the message. */
function exactly(
  question: Question,
  operator: ComparisonOperator,
  threshold: number,
  { lower, upper }: { lower: number; upper: number },
): boolean {
  const { chain, event, start, model } = question;
  const exactThreshold = Rational.fromDouble(threshold);
  let value: boolean | undefined;
  try {
    const ranges = exactProbabilities(chain, event, model.initial, start);
    value = everywhere(
      ranges.map((range) =>
        compare(operator, 0, range.lower.compare(exactThreshold), range.upper.compare(exactThreshold)),
      ),
    );
  } catch (error) {
    if (!(error instanceof NotSupportedError)) throw error;
    throw undecided(
      question,
      lower,
      upper,
      'exact arithmetic would take too long; move the threshold, or ask for P=?',
    );
  }
  if (value === undefined) throw undecided(question, lower, upper, 'states without data decide it');
  return value;
}

/** Three-valued: undefined where the threshold lies within the bounds. */
function compare(
  operator: ComparisonOperator,
  threshold: number,
  lower: number,
  upper: number,
): boolean | undefined {
  switch (operator) {
    case '>=':
      return lower >= threshold ? true : upper < threshold ? false : undefined;
    case '>':
      return lower > threshold ? true : upper <= threshold ? false : undefined;
    case '<=':
      return upper <= threshold ? true : lower > threshold ? false : undefined;
    case '<':
      return upper < threshold ? true : lower >= threshold ? false : undefined;
  }
}

function everywhere(verdicts: readonly (boolean | undefined)[]): boolean | undefined {
  if (verdicts.includes(false)) return false;
  return verdicts.includes(undefined) ? undefined : true;
}

function undecided({ property }: Question, lower: number, upper: number, why: string): UndecidedError {
  return new UndecidedError(
    `${printFormula(property)} is undecided: the probability lies in [${lower}, ${upper}]; ${why}`,
    { lower, upper },
  );
}
