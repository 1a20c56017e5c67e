import type { ComparedTrace } from '../../languages/automaton/compare/index.js';

/** A run that shows why a rule is needed for a finding: it would be none without the rule. */
export interface Needed {
  readonly rule: string;
  /** The shortest run that keeps the others and breaks this rule. */
  readonly trace: ComparedTrace;
}

/** What is assumed of runs beside rules: the constraints, and what comparisons of one term say of each other (`x > 5` without `x > 3` is no run). */
export type Assumption = 'constraints' | 'comparisons';

/**
 * Something about a set of rules that its author most likely did not mean. A run keeps a rule if the rule lets it end there.
 *
 * - `unsatisfiable`: no run keeps the rule;
 * - `tautology`: no run breaks it;
 * - `conflict`: each rule can be kept, but no run keeps all; without any one of them some run does;
 * - `redundant`: every run that keeps the rules in `because` keeps it;
 * - `neverTriggered`: `part`, the left side of an implication, holds at no step of a run that keeps the rule and those in `because`;
 * - `vacuous`: a `part` of the rule could as well be `value`: on the runs that keep the rules in `because`, it would say the same;
 * - `unenforceable`: at some step each choice of the agent breaks the rule, or one of the rules, after steps at which no rule was broken.
 */
export interface RuleFinding {
  readonly kind:
    | 'unsatisfiable'
    | 'tautology'
    | 'conflict'
    | 'redundant'
    | 'neverTriggered'
    | 'vacuous'
    | 'unenforceable';
  /** The rules that it is about: one, or those of a conflict, or those of which each choice breaks one. */
  readonly rules: readonly string[];
  /** The other rules that bring it about; each is needed. */
  readonly because: readonly string[];
  /** The assumptions that bring it about; each is needed. */
  readonly under: readonly Assumption[];
  /** The part of the formula; null if it is about the rule as a whole. */
  readonly part: string | null;
  /** What the part could be replaced with, for `vacuous`; null for others. */
  readonly value: boolean | null;
  /** Runs that show that the rules in `because`, or those of a conflict, are needed. */
  readonly needs: readonly Needed[];
  /** The shortest run at whose last step each choice breaks a rule, one choice being shown; null for all other kinds, which no run shows. */
  readonly trace: ComparedTrace | null;
  /**
   * The last step of `trace` at which another choice would have let the agent keep the rules whatever comes, with the agent's predicates that are true then;
   * null if nothing would have, and for all other kinds.
   */
  readonly otherwise: { readonly step: number; readonly agent: readonly string[] } | null;
  /** The finding in a sentence or two. */
  readonly text: string;
}

/** A question that took too much work. */
export interface Undecided {
  /** The rules that it was about. */
  readonly rules: readonly string[];
  /** What was asked, and why it was given up. */
  readonly text: string;
}

/** What was found about a set of rules. */
export interface RuleSetReport {
  /** The rules that were checked, in their order. */
  readonly rules: readonly string[];
  readonly findings: readonly RuleFinding[];
  readonly undecided: readonly Undecided[];
  /** What the reader should know of the answers. */
  readonly notes: readonly string[];
}
