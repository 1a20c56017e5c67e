import type { PolicySpecification } from '../../rules/specification/index.js';
import { loadParts } from '../../runtime/policy/index.js';
import { DEFAULT_STEPS } from '../../solvers/decide/index.js';
import type { Obligation } from './obligation.js';
import { noticedSlips, type ObligationOptions, obligationsOf } from './obligations.js';
import { PolicyClaims } from './policyClaims.js';
import { Prover } from './prover.js';
import { withCopies } from './questions.js';
import { sessionExpressions, sessionObligations } from './sessionProperties.js';
import type { SpecificationScore } from './specificationScore.js';

/** The obligations of policies, and what became of each. */
export interface PolicyReport {
  /** SHA-256 of the policies that were verified. */
  readonly hash: string;
  readonly obligations: readonly Obligation[];
  /** By policy, how many slips in it the properties and examples would notice; empty unless it was asked for. */
  readonly scores: Readonly<Record<string, SpecificationScore>>;
  /** Whether each obligation that is more than a remark is proved. */
  readonly verified: boolean;
}

/** Settings of `verifyPolicies`, with the outside solvers that it may ask. */
export interface VerifyPoliciesOptions extends ObligationOptions {
  /** Whether properties and examples are judged by changed policies (`mutant`). Default false: it takes longer than all other obligations. */
  readonly mutants?: boolean;
}

/**
 * Verifies policies: that each property follows from what a policy permits and denies, for every input of the declared types; and that the policy and its
 * properties are not void. Decided by texts as automata, numbers as cells, and small lists ([semantics](../../../docs/policies.md)); what this leaves open, by outside
 * solvers, if there are any. Without these the same policies give the same report, however fast the machine.
 *
 * @throws InvalidArgumentError (rejects) for a number of steps that is none, or if more solvers must agree than there are; SolverError (rejects) if two outside
 * solvers contradict each other
 */
export async function verifyPolicies(
  specification: PolicySpecification,
  options: VerifyPoliciesOptions = {},
): Promise<PolicyReport> {
  await loadParts(specification.set, [
    ...specification.ensures.map(({ parsed }) => parsed),
    ...sessionExpressions(specification.session),
  ]);
  const obligations: Obligation[] = [];
  const scores: [string, SpecificationScore][] = [];
  for (const policy of specification.set.policies) {
    const claims = new PolicyClaims(specification, policy);
    const prover = new Prover(withCopies(claims.inputs), claims.parts, options);
    const found = await obligationsOf(claims, prover, options);
    obligations.push(...found);
    if (options.mutants !== true) continue;
    const { score, remarks } = noticedSlips(claims, found, options.steps);
    obligations.push(...remarks);
    scores.push([policy.name, score]);
  }
  const { steps = DEFAULT_STEPS, recheck = false } = options;
  obligations.push(...sessionObligations(specification, { steps, recheck }));
  const verified = obligations.every(({ verdict, isRemark }) => verdict === 'proved' || isRemark);
  return { hash: specification.hash, obligations, scores: Object.fromEntries(scores), verified };
}
