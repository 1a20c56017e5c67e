import { NotSupportedError } from '../../base/errors.js';
import { buildAutomaton } from '../../languages/automaton/index.js';
import { freeNames, parseExpression } from '../../languages/expression/index.js';
import { predicatesOf } from '../../languages/logic/index.js';
import {
  checkGuardFile,
  type GuardFile,
  type GuardRule,
  type Strategy,
  withTrees,
} from '../../runtime/guard/index.js';
import { guardedFaults } from './guardedFaults.js';
import { guardedRule } from './guardedRule.js';
import type { RuleSpecification, Specification } from './specification.js';

const BLOCK: Strategy = { kind: 'block' };

/**
 * Compiles the rules of a specification to a guard file without a model: each rule is enforced by its automaton, exactly and from the first call. A call that
 * would break a rule is refused before it runs; nothing is said of what may come later, which takes a model (`compileGuard`).
 *
 * A rule without a strategy blocks a call that breaks it, if its predicates read the action; else the state has broken it, and it stops the run. Thresholds
 * play no part, except that of several levels the one for risk 1 says what is done.
 *
 * @throws NotSupportedError for a rule that bounds a probability
 */
export function compileRules(specification: Specification): GuardFile {
  const { predicates, constraints = {} } = specification.abstraction;
  const ofAction = new Set(
    predicates
      .filter(({ expression }) => freeNames(parseExpression(expression)).includes('action'))
      .map(({ name }) => name),
  );
  return withTrees(
    checkGuardFile({
      format: 'foreguard-guard',
      version: 2,
      specificationHash: specification.hash,
      modelHash: null,
      predicates: predicates.map(({ name, expression }) => ({ name, expression })),
      constraints: { ...constraints },
      states: { words: Math.max(1, Math.ceil(predicates.length / 32)), valuations: [], draws: [] },
      seen: { rowStart: [0], columns: [] },
      rules: specification.rules.map((rule) => compileRule(rule, specification, ofAction)),
      ...guardedFaults(specification, false),
      decideOn: 'upper',
      samplingPeriodSeconds: specification.samplingPeriodSeconds,
      periodTolerance: specification.periodTolerance,
      ...(specification.resample !== 'error' && { resample: specification.resample }),
    } satisfies GuardFile),
  );
}

function compileRule(
  rule: RuleSpecification,
  specification: Specification,
  ofAction: ReadonlySet<string>,
): GuardRule {
  const { name, formula, formulaText, levels } = rule;
  if (formula.kind === 'probability') {
    throw new NotSupportedError(
      `${specification.source}: rule "${name}" (${formulaText}) bounds a probability, which takes a model: learn one, and compile the guard of both, or write the rule without P`,
    );
  }
  const { samplingPeriod } = specification;
  const blocks = !rule.namesStrategy && predicatesOf(formula).some((predicate) => ofAction.has(predicate));
  return {
    ...guardedRule(rule, 'trace', buildAutomaton(formula, { samplingPeriod }), specification),
    levels: blocks ? levels.map(({ threshold }) => ({ threshold, strategy: BLOCK })) : levels,
    horizonSteps: null,
  };
}
