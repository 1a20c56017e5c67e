export { checkGuardFile } from './checkGuardFile.js';
export type { Guard, GuardCounters } from './guard.js';
export type { GuardFile, GuardRule, Level, Threshold } from './guardFile.js';
export { createGuardStep, type Fault, type GuardStep, type Reason } from './guardStep.js';
export { createGuard, loadGuard } from './loadGuard.js';
export { Monitor, STATELESS } from './monitor.js';
export type { Observation } from './observer.js';
export type { RuleStatus } from './ruleWatch.js';
export { type Decision, type Strategy, severity, type UnknownPolicy } from './strategy.js';
