import { InvalidDataError } from '../../../base/errors.js';
import { type PlanJudge, planJudge } from '../../../proofs/execution/index.js';
import { verifyPlan } from '../../../proofs/planProof/index.js';
import { loadProof, type ProvingChoices } from './load.js';

/**
 * A plan that is proved again, as the judge that runs of it had.
 *
 * @throws InvalidDataError if it is not proved, so that nothing can have run by it
 */
export async function judgeOfPlan(choices: ProvingChoices): Promise<PlanJudge> {
  const { plan, contracts, options } = await loadProof(choices);
  const verdict = verifyPlan(plan, contracts, options);
  if (verdict.verdict === 'proved') return planJudge(verdict.verified);
  throw new InvalidDataError(
    `${choices.plan} is ${verdict.verdict}: ${verdict.findings[0].text} No run has followed it; expected the plan, the contracts, the goal, the inputs and the author of the runs`,
  );
}
