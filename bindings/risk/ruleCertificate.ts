import type { Bounds } from '../bounds.js';
import { pathEvent } from '../checker/index.js';
import { InvalidArgumentError } from '../errors.js';
import type { SolveOptions } from '../kernel/index.js';
import type { LearntView } from '../learning/index.js';
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
} from '../pac/index.js';
import type { Specification } from '../specification/index.js';
import { complement } from './complement.js';
import type { LearntModel } from './learntChain.js';
import type { RuleRisk } from './ruleRisk.js';

/** A rule as a certificate's problem, and where its entries are in it. */
export interface CertifiedRule {
  readonly problem: CertificateProblem;
  readonly horizonSteps: number | null;
  /** Whether the risk is that of the event not happening. */
  readonly negated: boolean;
  /** Automaton states an entry is of; 1 for a rule without history. */
  readonly width: number;
  /** The node of entry s * width + q, chain state s (from 0) and automaton state q; -1 where no word leads to q in s. */
  readonly nodeOf: (entry: number) => number;
}

/** Bounds that hold for the agent itself, with the probability that was asked for, if its valuations are a Markov chain. */
export interface ConfidenceBounds {
  /** Entry s * width + q; 0 and 1 where no word leads. */
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  readonly start: { readonly lower: number; readonly upper: number };
  /** Per entry a chain state that was never left and that every run seen from there comes to undecided; -1 where there is none. */
  readonly neverLeft: Int32Array;
}

/** The rule on the draws of a learnt chain. */
export function openRule(
  { rule, automaton }: Pick<RuleRisk, 'rule' | 'automaton'>,
  { samplingPeriod }: Pick<Specification, 'samplingPeriod'>,
  rows: DrawnRows,
  { view: { model, start, end }, chain }: LearntModel,
): CertifiedRule {
  const { formula, atEnd, horizonSteps } = rule;
  if (formula.kind !== 'probability') {
    const problem = ruleProblem(rows, chain, automaton, atEnd);
    const width = automaton.states;
    return { problem, horizonSteps, negated: false, width, nodeOf: (entry) => problem.nodeOf[entry + width] };
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
    nodeOf: (entry) => entry + 1,
  };
}

/**
 * The narrower of two certificates on the same row sets, in every entry: the interval chain and the amplified errors of rows. Both
 * hold wherever the sets do, so that their intersection costs no confidence.
 */
export function ruleConfidence(
  rule: CertifiedRule,
  confidence: ConfidenceRows,
  view: LearntView,
  options: Pick<SolveOptions, 'precision' | 'signal'>,
): ConfidenceBounds {
  const { problem, horizonSteps } = rule;
  const solve = { ...options, horizonSteps };
  const interval = intervalBounds(problem, confidence, solve);
  const amplified = amplificationBounds(amplification(problem, confidence, solve));
  const both = {
    lower: interval.lower.map((value, node) => Math.max(value, amplified.lower[node])),
    upper: interval.upper.map((value, node) => Math.min(value, amplified.upper[node])),
  };
  return entriesOf(rule, both, neverLeft(problem), view);
}

/** Bounds on nodes, as entries of the rule's table. */
export function entriesOf(
  { problem, negated, width, nodeOf }: CertifiedRule,
  { lower, upper }: Bounds,
  blamed: Int32Array,
  { states }: LearntView,
): ConfidenceBounds {
  const nodes = Array.from({ length: states * width }, (_, entry) => nodeOf(entry));
  const at = (node: number): Bounds<number> => {
    if (node < 0) return { lower: 0, upper: 1 };
    const bounds = { lower: lower[node], upper: upper[node] };
    return negated ? complement(bounds) : bounds;
  };
  const low = (node: number): number => at(node).lower;
  const high = (node: number): number => at(node).upper;
  return {
    lower: Float64Array.from(nodes, low),
    upper: Float64Array.from(nodes, high),
    start: { lower: low(problem.start), upper: high(problem.start) },
    // Drawn row s + 1 is chain state s.
    neverLeft: Int32Array.from(nodes, (node) => (node < 0 || blamed[node] < 0 ? -1 : blamed[node] - 1)),
  };
}

/** What lies between the ends has posterior probability 1 - delta under a prior of the interval's own. Not guaranteed. */
export interface PosteriorInterval extends Bounds<number> {
  readonly guaranteed: false;
}

/** Posterior intervals of a rule's entries, and of its start; null where nothing bounds the risk. */
export function rulePosterior(
  rule: CertifiedRule,
  { neverLeft: blamed }: ConfidenceBounds,
  view: LearntView,
  options: PosteriorOptions,
): { readonly entries: readonly (PosteriorInterval | null)[]; readonly start: PosteriorInterval } {
  const { problem, horizonSteps } = rule;
  const sampled = posteriorIntervals(problem, { ...options, horizonSteps });
  const { lower, upper, start } = entriesOf(rule, sampled, blamed, view);
  const { guaranteed } = sampled;
  return {
    entries: Array.from(blamed, (row, i) =>
      row >= 0 ? null : { lower: lower[i], upper: upper[i], guaranteed },
    ),
    start: { ...start, guaranteed },
  };
}

/** Why nothing bounds the risk of an entry; null where something does. */
export function whyUnbounded(
  { neverLeft }: ConfidenceBounds,
  entry: number,
  descriptions: readonly string[],
): string | null {
  const state = neverLeft[entry];
  return state < 0 ? null : `cannot be bounded: state ${state} (${descriptions[state]}) was never left`;
}
