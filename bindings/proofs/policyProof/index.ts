export type { SolverUse } from './answers.js';
export { conditionOf, permitsOf } from './claims.js';
export { comparePolicies, type PolicyComparison } from './comparePolicies.js';
export type { Obligation, ObligationKind, Verdict } from './obligation.js';
export { type PolicyReport, verifyPolicies } from './verifyPolicies.js';
