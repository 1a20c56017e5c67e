export { type Goal, type KeySet, readGoal } from './goal.js';
export type { Assumption, Finding, PathStep, PlanVerdict } from './verdict.js';
export { type PlanLabel, type PlanQuestion, VerifiedPlan } from './verified.js';
export { type VerifyOptions, verifyPlan } from './verify.js';
