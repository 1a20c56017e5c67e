import { type Formula, predicatesOf } from '../../languages/logic/index.js';
import { constraintFormula } from '../../runtime/explanation/index.js';
import { allPredicates, type Specification, shownPredicate } from '../specification/index.js';
import { agentPredicates } from './agentPredicates.js';
import { comparisonFormulas } from './comparisons.js';
import type { CheckedRule, CheckRulesOptions } from './rule.js';

/** Rules, and all that is known of the runs that they are about. */
export interface ReadRules {
  readonly rules: readonly CheckedRule[];
  readonly constraints: readonly Formula[];
  /** What comparisons of one term say of each other. */
  readonly comparisons: readonly Formula[];
  readonly samplingPeriod: number | string | null;
  /** The predicates that the agent's calls decide. */
  readonly agent: readonly string[];
  readonly notes: readonly string[];
  /** How a predicate is shown to people. */
  readonly shown: (name: string) => string;
}

/** The rules of a specification or of a list. Bounds on probabilities are left out, and named. Options go before what the specification says. */
export function rulesOfSpecification(
  of: Specification | readonly CheckedRule[],
  { constraints, samplingPeriod, agent }: CheckRulesOptions,
): ReadRules {
  if (!('hash' in of))
    return {
      rules: of,
      constraints: constraints ?? [],
      comparisons: [],
      samplingPeriod: samplingPeriod ?? null,
      agent: agent ?? [],
      notes: [],
      shown: (name) => name,
    };
  const constraint = constraintFormula(of.abstraction.constraints ?? {});
  const isOfRuns = ({ formula }: CheckedRule): boolean => formula.kind !== 'probability';
  const rules = of.rules.filter(isOfRuns).map(({ name, formula, atEnd }) => ({ name, formula, atEnd }));
  const assumed = constraints ?? (constraint === null ? [] : [constraint]);
  const read = new Set([...rules.map(({ formula }) => formula), ...assumed].flatMap(predicatesOf));
  const leftOut = of.rules.filter((rule) => !isOfRuns(rule));
  return {
    rules,
    constraints: assumed,
    comparisons: comparisonFormulas(allPredicates(of).filter(({ name }) => read.has(name))),
    agent: agent ?? agentPredicates(allPredicates(of)),
    samplingPeriod: samplingPeriod ?? of.samplingPeriod,
    shown: shownPredicate(of),
    notes: leftOut.map(
      ({ name }) =>
        `rule "${name}" bounds a probability, which a model keeps or breaks, not a run: it is not checked`,
    ),
  };
}
