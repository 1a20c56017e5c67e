import type { Bounds } from '../../base/bounds.js';
import type { LearntView } from '../../estimation/learning/index.js';
import type { Accuracy } from '../../solvers/kernel/index.js';
import type { Dtmc } from '../../solvers/model/index.js';
import { guardedEnglish, type Specification } from '../specification/index.js';
import { type NamedState, namedStates } from './fileNumbers.js';
import { openLearnt } from './learntChain.js';
import { type RiskOptions, type RuleRisk, solveRules } from './ruleRisk.js';
import { type StateEntry, stateEntries } from './stateEntries.js';

/** Bounds on a risk, certified by the solver. */
export type RiskBounds = Bounds<number>;

/** Bounds on the risk in one chain state, with the rule's automaton in one state. */
export interface RiskEntry extends StateEntry, RiskBounds {
  /** Bounds within further horizons, by number of steps; absent if none was requested. */
  readonly horizons?: Readonly<Record<string, RiskBounds>>;
}

/** The risk of one rule in every state, in descending order. */
export interface RuleRiskTable {
  readonly name: string;
  readonly formula: string;
  /** The rule in English: the sentence that it was written as, or what it says in the words of its predicates. Absent if it has neither. */
  readonly english?: string;
  readonly evaluation: 'trace' | 'state';
  readonly horizonSteps: number | null;
  readonly accuracy: Accuracy;
  readonly method: string;
  /** Before the first step. */
  readonly start: RiskBounds;
  /** All entries that a run can enter while the rule is still undecided, by descending upper bound. */
  readonly entries: readonly RiskEntry[];
}

/** The risk of every rule in every state of a learnt chain. */
export interface RiskTable {
  readonly states: number;
  readonly rules: readonly RuleRiskTable[];
}

/**
 * Computes certified bounds on the risk of every rule in every state of a learnt chain, worst first.
 *
 * @param options `horizons` and `within` add the risk within a number of steps or a duration; the others go to the solver (default
 * precision 1e-6, absolute).
 * @throws InvalidModelError if the model was not learnt by Foreguard, or a rule with `atEnd: strong` may never be judged
 * @throws InvalidArgumentError if model and specification do not belong together, or nothing can violate a rule
 * @throws NotSupportedError for formulas that this version does not solve
 * @throws NotConvergedError if a solver stops short of the precision
 */
export function riskTable(specification: Specification, model: Dtmc, options: RiskOptions = {}): RiskTable {
  const view = openLearnt(specification, model);
  const named = namedStates(specification, view);
  const rules = solveRules(specification, view, options).map((rule) => ({
    ...tableOf(rule, view, named),
    ...guardedEnglish(rule.rule, specification),
  }));
  return { states: view.end - 1, rules };
}

function tableOf(risk: RuleRisk, view: LearntView, named: readonly NamedState[]): RuleRiskTable {
  const { rule, evaluation, lower, upper, start, horizons, accuracy, method } = risk;
  const entries = stateEntries(risk, view, named, (i) => ({
    lower: lower[i],
    upper: upper[i],
    ...(horizons.size > 0 && {
      horizons: Object.fromEntries(
        [...horizons].map(([steps, bounds]) => [steps, { lower: bounds.lower[i], upper: bounds.upper[i] }]),
      ),
    }),
  }));
  entries.sort((a, b) => b.upper - a.upper || b.lower - a.lower);
  const { name, formulaText: formula, horizonSteps } = rule;
  return { name, formula, evaluation, horizonSteps, accuracy, method, start, entries };
}
