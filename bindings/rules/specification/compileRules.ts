import { checkGuardFile, type GuardFile, withTrees } from '../../runtime/guard/index.js';
import { enforcedRule } from './enforcedRule.js';
import { allPredicates } from './exactRules.js';
import { guardedFaults } from './guardedFaults.js';
import { guardedPolicies } from './guardedPolicies.js';
import { guardedWords } from './guardedWords.js';
import type { Specification } from './specification.js';

/**
 * Compiles the rules of a specification to a guard file without a model: each rule is enforced by its automaton, exactly and from the first call. A call that
 * would break a rule is refused before it runs; nothing is said of what may come later, which takes a model (`compileGuard`).
 *
 * A rule without a strategy blocks a call that breaks it, if its predicates read the action; else the state has broken it, and it stops the run. Thresholds
 * play no part, except that of several levels the one for risk 1 says what is done.
 *
 * Policies are in the file as they are, whatever was proved of them: `verifyPolicies` says what.
 *
 * @throws NotSupportedError for a rule that bounds a probability
 */
export function compileRules(specification: Specification): GuardFile {
  const predicates = allPredicates(specification);
  const { constraints = {} } = specification.abstraction;
  return withTrees(
    checkGuardFile({
      format: 'foreguard-guard',
      version: 2,
      specificationHash: specification.hash,
      modelHash: null,
      predicates: predicates.map(({ name, expression }) => ({ name, expression })),
      ...guardedWords(specification),
      constraints: { ...constraints },
      states: { words: Math.max(1, Math.ceil(predicates.length / 32)), valuations: [], draws: [] },
      seen: { rowStart: [0], columns: [] },
      rules: specification.rules.map((rule) => enforcedRule(rule, specification)),
      ...guardedPolicies(specification),
      ...guardedFaults(specification, false),
      decideOn: 'upper',
      samplingPeriodSeconds: specification.samplingPeriodSeconds,
      periodTolerance: specification.periodTolerance,
      ...(specification.resample !== 'error' && { resample: specification.resample }),
    } satisfies GuardFile),
  );
}
