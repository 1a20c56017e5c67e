export { type CallPaths, callPaths, type PathCall, type PathPredicate } from './callPaths.js';
export type { CallSources } from './callSources.js';
export { type Goal, type KeySet, readGoal } from './goal.js';
export type { PlanLabel } from './question.js';
export type { Assumption, Finding, PathStep, PlanVerdict } from './verdict.js';
export { type PlanQuestion, VerifiedPlan } from './verified.js';
export { type VerifyOptions, verifyPlan } from './verify.js';
