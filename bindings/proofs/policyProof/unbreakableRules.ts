import { buildAutomaton } from '../../languages/automaton/index.js';
import { predicatesOf } from '../../languages/logic/index.js';
import { allPredicates, predictedRules, type Specification } from '../../rules/specification/index.js';
import { loadParts } from '../../runtime/policy/index.js';
import { DEFAULT_STEPS } from '../../solvers/decide/index.js';
import { expressionsOf } from './sessionProperties.js';
import { SessionRuns } from './sessionRuns.js';

/**
 * The rules that no session under the policies can break, each with the policies without which it could: those of which a risk would be predicted, but for bounds
 * on probabilities, and rules under a sampling period, whose steps are not calls.
 */
export async function unbreakableRules(
  specification: Specification,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { policies, samplingPeriod } = specification;
  const proven = new Map<string, readonly string[]>();
  if (policies === null || samplingPeriod !== null) return proven;
  for (const { name, formula, atEnd } of predictedRules(specification)) {
    if (formula.kind === 'probability') continue;
    const read = predicatesOf(formula);
    const predicates = expressionsOf(allPredicates(specification).filter((one) => read.includes(one.name)));
    await loadParts(policies.set, [...predicates.values()]);
    const question = {
      automaton: buildAutomaton(formula),
      predicates,
      judgesEnd: atEnd === 'strong',
      idle: true,
    };
    const answer = new SessionRuns(policies.set, question, { steps: DEFAULT_STEPS, recheck: false }).answer(
      true,
    );
    // A rule that nothing can break, whatever the policies say, is none that they prove.
    if (answer.kind === 'never' && answer.by.length > 0) proven.set(name, answer.by);
  }
  return proven;
}
