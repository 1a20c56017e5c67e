import { InvalidArgumentError, NotSupportedError } from '../../base/errors.js';
import { Rational } from '../../base/rational.js';
import { type Formula, printFormula } from '../../languages/logic/index.js';
import { type Accuracy, BitSet, type Solution, type SolveOptions } from '../kernel/index.js';
import type { Dtmc } from '../model/index.js';
import { pathEvent } from './pathEvent.js';
import { decideEvent, eventSource } from './properties/decideEvent.js';
import { Engines } from './properties/engines.js';
import { applyFilter } from './properties/filters.js';
import type { TruthResult } from './properties/index.js';
import { resultOf } from './properties/propertyResult.js';
import { truth } from './properties/stateValues.js';

/** Options for solving a formula on a chain. */
export interface CheckOptions extends SolveOptions {
  /** Seconds between steps, for windows in time. */
  readonly samplingPeriod?: number | string;
}

/** The answer to `P=? [ path ]`. */
export interface ProbabilityResult {
  readonly kind: 'probability';
  /**
   * A point inside the bounds at the initial state, or the estimate of value iteration; for several initial states, the
   * smallest and the largest value.
   */
  readonly value: number | { readonly min: number; readonly max: number };
  /** Bounds at the initial state; for several, the lowest and the highest. If `accuracy` is `estimated`: 0 and 1. */
  readonly lower: number;
  readonly upper: number;
  readonly accuracy: Accuracy;
  readonly method: string;
  readonly iterations: number;
  /** Bounds for every state; if `accuracy` is `estimated`, 0 and 1. */
  readonly solution: Solution;
}

/** A number if the formula asks for one, a truth value if it has a threshold. */
export type CheckResult = ProbabilityResult | TruthResult;

/**
 * Checks `P=? [ path ]` or a bound such as `P>=0.9 [ path ]` on a chain, with PRISM's semantics: paths are infinite (`end` of a
 * learnt chain is absorbing, and every predicate is false in it).
 *
 * Paths: one of X F G U W R, with windows, over Boolean combinations of the model's labels, `init` and `deadlock`. States
 * without data count as [0,1] wherever their row matters. At the virtual `start` of a learnt chain, a property has the mean of
 * its values at step 0. Thresholds 0 and 1 that ask for possibility or certainty are decided on the graph. Others are decided
 * by the solver's bounds, with increasing precision while the threshold lies between them, and finally in exact arithmetic if
 * that takes about a second. A threshold is the double nearest to the written number, as the chain's entries are.
 *
 * `method: 'value-iteration'` carries no guarantee: it answers `P=?` with an estimate, and thresholds only on the graph.
 *
 * @param options Precision and method as `SolveOptions`; default precision 1e-6, absolute.
 * @throws NotSupportedError on other formulas; InvalidArgumentError on an unknown label or a model without initial states;
 * UndecidedError if the threshold lies within the tightest bounds and exact arithmetic would take too long; NotConvergedError
 * as the solver.
 */
export function checkProperty(model: Dtmc, property: Formula, options: CheckOptions = {}): CheckResult {
  if (property.kind !== 'probability') {
    throw new NotSupportedError(
      `${printFormula(property)} is not a property of a chain; write P=? [ ... ] or a bound such as P<0.1 [ ... ]`,
    );
  }
  if (model.initial.length === 0) {
    throw new InvalidArgumentError('the model has no initial state to answer for; give it one');
  }
  const { remain, target, ...steps } = pathEvent(model, property.path, options.samplingPeriod);
  const event = { remain: truth(remain), target: truth(target), ...steps };
  const initial = BitSet.of(model.states, model.initial);
  using engines = new Engines({ model });
  if (property.bound === null) {
    const values = eventSource(engines, event, [], options).bounds(options);
    const { lower, upper, accuracy, method, iterations } = values;
    const found = resultOf(
      applyFilter(model.initial.length === 1 ? 'state' : 'range', values, initial),
      printFormula(property),
    );
    if (found.kind !== 'number' && found.kind !== 'range') throw new TypeError('a probability is a number');
    return {
      kind: 'probability',
      value: found.value,
      lower: found.lower,
      upper: found.upper,
      accuracy,
      method,
      iterations,
      solution: { lower, upper, accuracy, method, iterations },
    };
  }
  const { operator, threshold } = property.bound;
  const limit = { comparison: operator, value: Rational.fromDouble(threshold) };
  const verdict = decideEvent(engines, [], event, limit, initial, options);
  return resultOf(applyFilter('forall', verdict, initial), printFormula(property)) as TruthResult;
}
