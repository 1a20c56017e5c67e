export type {
  CaseCertificate,
  Certificate,
  InputCertificate,
  MachineCertificate,
  TextCertificate,
} from '../../solvers/recheck/index.js';
export { conditionOf, permitsOf } from './claims.js';
export { comparePolicies, type PolicyComparison } from './comparePolicies.js';
export type { Obligation, ObligationKind, Verdict } from './obligation.js';
export type { ObligationOptions } from './obligations.js';
export { policyEffect } from './policyEffect.js';
export type { ProofOptions, SolverUse } from './prover.js';
export { requireVerified, UnprovedPolicyError } from './requireVerified.js';
export type { SessionCall } from './sessionRuns.js';
export type { SpecificationScore } from './specificationScore.js';
export { type PolicyReport, type VerifyPoliciesOptions, verifyPolicies } from './verifyPolicies.js';
