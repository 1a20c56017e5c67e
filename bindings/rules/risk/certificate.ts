import type { ConfidenceRows } from '../../estimation/pac/index.js';
import { guardedEnglish, type RuleSpecification, type Specification } from '../specification/index.js';
import type { NamedState } from './fileNumbers.js';
import type { RiskBounds } from './riskTable.js';

/** One risk, with confidence bounds. */
export interface CertifiedRisk {
  /** The solver's bounds on the risk in the learnt model, smoothing included. */
  readonly risk: RiskBounds;
  readonly confidenceLower: number;
  readonly confidenceUpper: number;
  /** Whether the interval is at most 2 epsilon wide. */
  readonly met: boolean;
  /** Whether the risk in the learnt model lies outside the interval, as smoothing can cause. */
  readonly riskOutside: boolean;
}

/** The certificate of one rule: confidence bounds on its risk before the first step, and in every state. */
export interface CertificateOfRule<Start, Entry, Criteria> {
  readonly name: string;
  readonly formula: string;
  /** The rule in English, as in `RuleRiskTable`. */
  readonly english?: string;
  /** The horizon of the risk: a violation within this many further steps; null: ever. */
  readonly horizonSteps: number | null;
  /** Before the first step. */
  readonly start: Start;
  /** All entries that a run can enter while the rule is still undecided, by descending upper bound on the agent's risk. */
  readonly entries: readonly Entry[];
  /** The papers' criteria, which guarantee nothing. */
  readonly criteria: Criteria;
}

/** How often a row was drawn from, and how often it would have to be. */
export interface StateSupport extends NamedState {
  readonly draws: number;
  /** Successors seen. */
  readonly successors: number;
  /** A bound, in total variation, on the distance between the true distribution of successors and the observed one. */
  readonly distance: number;
  /** An upper bound on the total probability of successors never seen. */
  readonly unseen: number;
  /** Draws that the first paper's criterion demands, maximal over rules; 0 if no rule depends on the row. */
  readonly needed: number;
}

/** The conclusions that the data support, at confidence 1 - delta. */
export interface CertificateOf<Rule, Plan> {
  readonly delta: number;
  readonly epsilon: number;
  readonly rules: readonly Rule[];
  /** Draws of every row that guarantee all observed transitions to within epsilon, if no others are possible. */
  readonly drawsForEveryTransition: number;
  /** Null unless requested. */
  readonly plan: Plan | null;
}

/** Stands for the start in place of an entry: before the first step. */
export const START = -1;

/** Bounds by entry, and before the first step. */
interface Entries {
  readonly lower: ArrayLike<number>;
  readonly upper: ArrayLike<number>;
  readonly start: RiskBounds;
}

/** Combines the risk of each entry with its confidence bounds. */
export function certified(
  learnt: Entries,
  bounds: Entries,
  epsilon: number,
): (entry: number) => CertifiedRisk {
  const at = ({ lower, upper, start }: Entries, entry: number): RiskBounds =>
    entry === START ? start : { lower: lower[entry], upper: upper[entry] };
  return (entry) => {
    const risk = at(learnt, entry);
    const { lower, upper } = at(bounds, entry);
    return {
      risk,
      confidenceLower: lower,
      confidenceUpper: upper,
      met: upper - lower <= 2 * epsilon,
      riskOutside: risk.lower > upper || risk.upper < lower,
    };
  };
}

/** The part of a certificate that describes the rule itself. */
export function ruleTitle(
  rule: RuleSpecification,
  specification: Specification,
): Pick<CertificateOfRule<never, never, never>, 'name' | 'formula' | 'english' | 'horizonSteps'> {
  const { name, formulaText: formula, horizonSteps } = rule;
  return { name, formula, ...guardedEnglish(rule, specification), horizonSteps };
}

/** Orders entries by descending upper bound. */
export function byUpperBound<Entry>(of: (entry: Entry) => CertifiedRisk): (a: Entry, b: Entry) => number {
  return (a, b) =>
    of(b).confidenceUpper - of(a).confidenceUpper || of(b).confidenceLower - of(a).confidenceLower;
}

/** The draws of the rows, except the row of `end`. @param named the state of each row */
export function supports(
  { rows, distance, unseen }: ConfidenceRows,
  named: readonly NamedState[],
  rules: readonly { readonly criteria: { readonly first: ArrayLike<number> } }[],
): StateSupport[] {
  const { rowStart, counts, draws } = rows;
  return named.slice(0, -1).map((state, row) => ({
    ...state,
    draws: draws[row],
    successors: counts.subarray(rowStart[row], rowStart[row + 1]).filter((count) => count > 0).length,
    distance: distance[row],
    unseen: unseen[row],
    needed: Math.max(0, ...rules.map(({ criteria }) => Math.ceil(criteria.first[row]))),
  }));
}
