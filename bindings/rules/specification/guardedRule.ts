import { type Automaton, VIOLATED } from '../../languages/automaton/index.js';
import { pastSteps } from '../../languages/logic/index.js';
import type { GuardRule } from '../../runtime/guard/index.js';
import { guardedEnglish } from './guardedWords.js';
import type { RuleSpecification, Specification } from './specification.js';

/** What a guard file says of a rule, apart from its tables. */
export function guardedRule(
  rule: RuleSpecification,
  evaluation: GuardRule['evaluation'],
  automaton: Automaton,
  specification: Specification,
): Omit<GuardRule, 'tables' | 'monitor' | 'shieldChooses'> {
  const { samplingPeriod } = specification;
  const isOnTraces = evaluation === 'trace';
  const past = isOnTraces ? pastSteps(rule.formula, samplingPeriod ?? undefined) : 0;
  const {
    name,
    formulaText,
    levels,
    escalate,
    maxReflections,
    afterViolation,
    onFailure,
    horizonSteps,
    message,
  } = rule;
  return {
    name,
    formula: formulaText,
    evaluation,
    automaton: isOnTraces && rule.atEnd === 'weak' ? weakAtEnd(automaton) : automaton,
    ...(past > 0 && { pastSteps: past === Infinity ? null : past }),
    levels,
    escalate,
    maxReflections,
    ...(rule.shadow && { shadow: true }),
    afterViolation,
    onFailure,
    horizonSteps,
    ...(message !== null && { message }),
    ...guardedEnglish(rule, specification),
  };
}

/** Under `weak`, a run may end in any state that is not violated. */
function weakAtEnd(automaton: Automaton): Automaton {
  return {
    ...automaton,
    accepting: Array.from(automaton.verdict, (verdict) => Number(verdict !== VIOLATED)),
  };
}
