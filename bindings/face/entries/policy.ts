/** `foreguard/policy`: conditions under which single calls are permitted, proved before they guard, as a judge of sessions. */

export type { ElementType, Input, InputType } from '../../languages/inputs/index.js';
export {
  comparePolicies,
  type Obligation,
  type ObligationKind,
  type PolicyComparison,
  type PolicyReport,
  type SolverUse,
  type Verdict as PolicyVerdict,
  verifyPolicies,
} from '../../proofs/policyProof/index.js';
export {
  type PolicyExample,
  type PolicyProperty,
  type PolicySpecification,
  parsePolicies,
} from '../../rules/specification/index.js';
export type { Judge } from '../../runtime/guard/index.js';
export {
  type OnDeny,
  type Policy,
  type PolicyInput,
  type PolicyRule,
  type PolicySet,
  policyJudge,
} from '../../runtime/policy/index.js';
export type {
  CheckedAnswer,
  Model as SolverModel,
  Solver,
  SolverAnswer,
  SolverIdentity,
  SolverOptions,
  TermValue,
} from '../../solvers/smt/index.js';
