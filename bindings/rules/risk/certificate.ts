import type { ConfidenceRows } from '../../estimation/pac/index.js';
import type { RuleSpecification } from '../specification/index.js';
import type { NamedState } from './fileNumbers.js';
import type { RiskBounds } from './riskTable.js';

/** One risk, and how far it can be trusted. */
export interface CertifiedRisk {
  /** The solver's bounds on it in the model as learnt, smoothing included. */
  readonly risk: RiskBounds;
  readonly confidenceLower: number;
  readonly confidenceUpper: number;
  /** Whether the interval is at most 2 epsilon wide. */
  readonly met: boolean;
  /** Whether the risk as learnt lies outside of it, as smoothing can bring about. */
  readonly riskOutside: boolean;
}

/** The certificate of one rule: how far its risk can be trusted before the first step, and in every state. */
export interface CertificateOfRule<Start, Entry, Criteria> {
  readonly name: string;
  readonly formula: string;
  /** Risk is that of a violation within so many further steps; null is ever. */
  readonly horizonSteps: number | null;
  /** Before the first step. */
  readonly start: Start;
  /** All that a run can come to with the rule undecided until then, the agent's largest upper bound first. */
  readonly entries: readonly Entry[];
  /** The papers' criteria, which guarantee nothing. */
  readonly criteria: Criteria;
}

/** How often something was drawn from, and how often it would have to be. */
export interface StateSupport extends NamedState {
  readonly draws: number;
  /** Successors seen. */
  readonly successors: number;
  /** How far, in total variation, the true distribution of its successors may be from what was seen. */
  readonly distance: number;
  /** The most that successors never seen can have together. */
  readonly unseen: number;
  /** Draws that the first paper's criterion asks for, of the rule that asks for most; 0 where no rule depends on them. */
  readonly needed: number;
}

/** What data support, at confidence 1 - delta. */
export interface CertificateOf<Rule, Plan> {
  readonly delta: number;
  readonly epsilon: number;
  readonly rules: readonly Rule[];
  /** Draws of every row that guarantee all transitions seen to within epsilon, if no others are possible. */
  readonly drawsForEveryTransition: number;
  /** Null unless asked for. */
  readonly plan: Plan | null;
}

/** In place of an entry: before the first step. */
export const START = -1;

/** Bounds by entry, and before the first step. */
interface Entries {
  readonly lower: ArrayLike<number>;
  readonly upper: ArrayLike<number>;
  readonly start: RiskBounds;
}

/** The risk of each entry with the bounds on it. */
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

/** What a certificate says of the rule itself. */
export function ruleTitle({
  name,
  formulaText: formula,
  horizonSteps,
}: RuleSpecification): Pick<CertificateOfRule<never, never, never>, 'name' | 'formula' | 'horizonSteps'> {
  return { name, formula, horizonSteps };
}

/** The largest upper bound first. */
export function byUpperBound<Entry>(of: (entry: Entry) => CertifiedRisk): (a: Entry, b: Entry) => number {
  return (a, b) =>
    of(b).confidenceUpper - of(a).confidenceUpper || of(b).confidenceLower - of(a).confidenceLower;
}

/** How often the rows were drawn from, the one of `end` aside. @param named per row its state */
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
