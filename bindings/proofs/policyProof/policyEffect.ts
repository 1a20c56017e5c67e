import { InvalidArgumentError } from '../../base/errors.js';
import type { PolicyEffect } from '../../rules/risk/index.js';
import type { Specification } from '../../rules/specification/index.js';
import type { Dtmc, Mdp } from '../../solvers/model/index.js';
import { unbreakableRules } from './unbreakableRules.js';

/**
 * What the policies of a specification take away from what a model says: the pairs of a state and an action that they forbid, and the rules that no call which they
 * permit can break; so that risks are those of the agent under its policies (`compileGuard(specification, model, { policies })`).
 *
 * A pair counts as forbidden only if every call of it is proved to be denied ([semantics](../../../docs/semantics/policies.md#the-agent-under-its-policies)).
 *
 * @param model a learnt decision process; of a chain nothing is forbidden, since it does not know what the agent would have done instead
 * @throws InvalidArgumentError (rejects) if the specification has no policies; InvalidModelError (rejects) if the process was not learnt by Foreguard
 */
export async function policyEffect(specification: Specification, model: Dtmc | Mdp): Promise<PolicyEffect> {
  const { policies, source } = specification;
  if (policies === null)
    throw new InvalidArgumentError(`${source} has no policies, so there is no effect of them`);
  const { hash } = policies;
  const proven = await unbreakableRules(specification);
  if (model.type === 'dtmc') return { hash, forbidden: new Set(), proven };
  // Who only verifies policies reads no models.
  const { forbiddenPairs } = await import('./forbiddenPairs.js');
  return { hash, forbidden: await forbiddenPairs(specification, model), proven };
}
