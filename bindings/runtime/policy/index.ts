export { type DecidedCall, PolicyDecider } from './decider.js';
export { describeDenial } from './describeDenial.js';
export { type AnswerType, answerOf, type Extraction, extractionsOf } from './extractions.js';
export { loadNearestCalls } from './loadNearestCalls.js';
export { loadParts } from './loadParts.js';
export type { Denial, PolicyDenial } from './policyJudgement.js';
export type { DenialStrategy, OnDeny, Policy, PolicyInput, PolicyRule, PolicySet } from './policySet.js';
