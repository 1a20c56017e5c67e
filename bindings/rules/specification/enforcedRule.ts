import { NotSupportedError } from '../../base/errors.js';
import { buildAutomaton } from '../../languages/automaton/index.js';
import { freeNames, parseExpression } from '../../languages/expression/index.js';
import { predicatesOf } from '../../languages/logic/index.js';
import type { GuardRule, Strategy } from '../../runtime/guard/index.js';
import { allPredicates } from './exactRules.js';
import { guardedRule } from './guardedRule.js';
import type { RuleSpecification, Specification } from './specification.js';

const BLOCK: Strategy = { kind: 'block' };

/**
 * What a guard file says of a rule that is enforced by its automaton alone. A rule without a strategy blocks a call that breaks it, if its predicates read the
 * action; else the state has broken it, and it stops the run.
 *
 * @throws NotSupportedError for a rule that bounds a probability
 */
export function enforcedRule(rule: RuleSpecification, specification: Specification): GuardRule {
  const { name, formula, formulaText, levels } = rule;
  if (formula.kind === 'probability') {
    throw new NotSupportedError(
      `${specification.source}: rule "${name}" (${formulaText}) bounds a probability, which needs a model: learn one, and compile the guard of both, or write the rule without P`,
    );
  }
  const { samplingPeriod } = specification;
  const read = new Set(predicatesOf(formula));
  const readsAction = allPredicates(specification).some(
    ({ name: predicate, expression }) =>
      read.has(predicate) && freeNames(parseExpression(expression)).includes('action'),
  );
  const blocks = !rule.namesStrategy && readsAction;
  return {
    ...guardedRule(rule, 'trace', buildAutomaton(formula, { samplingPeriod }), specification),
    levels: blocks ? levels.map(({ threshold }) => ({ threshold, strategy: BLOCK })) : levels,
    horizonSteps: null,
  };
}
