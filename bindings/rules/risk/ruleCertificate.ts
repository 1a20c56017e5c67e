import type { Bounds } from '../../base/bounds.js';
import { InvalidArgumentError } from '../../base/errors.js';
import type { LearntView } from '../../estimation/learning/index.js';
import {
  amplification,
  amplificationBounds,
  type CertificateProblem,
  type ConfidenceRows,
  type DrawnRows,
  eventProblem,
  intervalBounds,
  neverLeft,
  type PosteriorOptions,
  posteriorIntervals,
  ruleProblem,
} from '../../estimation/pac/index.js';
import { pathEvent } from '../../solvers/checker/index.js';
import type { SolveOptions } from '../../solvers/kernel/index.js';
import type { Specification } from '../specification/index.js';
import { complement } from './complement.js';
import type { NamedState } from './fileNumbers.js';
import type { RuleRisk } from './ruleRisk.js';

/** A rule as a certificate's problem, and the places of its entries in it. */
export interface CertifiedRule {
  readonly problem: CertificateProblem;
  readonly horizonSteps: number | null;
  /** Whether the risk is that of the event not occurring. */
  readonly negated: boolean;
  /** Number of automaton states per model state; 1 for a rule without history. */
  readonly width: number;
  /** Int32Array(states * width): the node of entry s * width + q, state s of the model and q of the automaton; -1 if no word leads to q in s. */
  readonly nodeOf: Int32Array;
}

/** Bounds by entry (0 and 1 if no word leads there), and before the first step. */
export interface CertifiedBounds {
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  readonly start: { readonly lower: number; readonly upper: number };
}

/** Opens the rule as a problem on the draws of a learnt chain. */
export function openRule(
  { rule, automaton }: Pick<RuleRisk, 'rule' | 'automaton'>,
  { samplingPeriod }: Pick<Specification, 'samplingPeriod'>,
  rows: DrawnRows,
  view: LearntView,
): CertifiedRule {
  const { model, start, end } = view;
  const { formula, atEnd, horizonSteps } = rule;
  if (formula.kind !== 'probability') {
    const problem = ruleProblem(rows, view, automaton, atEnd);
    return { problem, horizonSteps, negated: false, width: automaton.states, nodeOf: problem.nodeOf };
  }
  if (formula.bound === null) {
    throw new InvalidArgumentError('it asks for a probability; a rule bounds one, as in P<0.1 [ F broken ]');
  }
  const { negated, to, ...event } = pathEvent(model, formula.path, samplingPeriod ?? undefined);
  const bad = formula.bound.operator === '<' || formula.bound.operator === '<=';
  return {
    problem: eventProblem(rows, model.states, { start, end }, event),
    horizonSteps: to,
    negated: bad === negated,
    width: 1,
    nodeOf: Int32Array.from({ length: model.states }, (_, s) => s),
  };
}

/**
 * Computes bounds that hold for the agent itself with the requested probability, if its valuations form a Markov chain. They are the
 * intersection, entry by entry, of two certificates on the same row sets: the interval chain and the amplified errors of rows. Both hold
 * whenever the sets do, so their intersection costs no confidence.
 */
export function ruleConfidence(
  rule: CertifiedRule,
  confidence: ConfidenceRows,
  options: Pick<SolveOptions, 'precision' | 'signal'>,
): CertifiedBounds {
  const { problem, horizonSteps } = rule;
  const solve = { ...options, horizonSteps };
  const interval = intervalBounds(problem, confidence, solve);
  const amplified = amplificationBounds(amplification(problem, confidence, solve));
  return entriesOf(rule, narrower(interval, amplified));
}

/** The intersection of two bounds on the same nodes. */
export function narrower(one: Bounds, other: Bounds): Bounds {
  return {
    lower: one.lower.map((value, node) => Math.max(value, other.lower[node])),
    upper: one.upper.map((value, node) => Math.min(value, other.upper[node])),
  };
}

/** Converts bounds on nodes to entries of the rule's table. */
export function entriesOf(
  { problem, negated, nodeOf }: CertifiedRule,
  { lower, upper }: Bounds,
): CertifiedBounds {
  const at = (node: number): Bounds<number> => {
    if (node < 0) return { lower: 0, upper: 1 };
    const bounds = { lower: lower[node], upper: upper[node] };
    return negated ? complement(bounds) : bounds;
  };
  return {
    lower: Float64Array.from(nodeOf, (node) => at(node).lower),
    upper: Float64Array.from(nodeOf, (node) => at(node).upper),
    start: at(problem.start),
  };
}

/** An interval with posterior probability 1 - delta under a prior of its own. Not guaranteed. */
export interface PosteriorInterval extends Bounds<number> {
  readonly guaranteed: false;
}

/** Posterior intervals of a rule's entries and of its start. */
export function rulePosterior(
  rule: CertifiedRule,
  options: PosteriorOptions,
): { readonly entries: readonly PosteriorInterval[]; readonly start: PosteriorInterval } {
  const { problem, horizonSteps } = rule;
  const sampled = posteriorIntervals(problem, { ...options, horizonSteps });
  const { lower, upper, start } = entriesOf(rule, sampled);
  const { guaranteed } = sampled;
  return {
    entries: Array.from(lower, (_, i) => ({ lower: lower[i], upper: upper[i], guaranteed })),
    start: { ...start, guaranteed },
  };
}

/** For each entry the reason why nothing bounds its risk: every run seen from there reaches a state that was never left. Null if there is a bound. */
export function whyUnbounded(
  { problem, nodeOf }: CertifiedRule,
  stateOf: (row: number) => NamedState,
): (entry: number) => string | null {
  const rows = neverLeft(problem);
  return (entry) => {
    const row = rows[nodeOf[entry]] ?? -1;
    if (row < 0) return null;
    const { state, description } = stateOf(row);
    return `cannot be bounded: state ${state} (${description}) was never left`;
  };
}
