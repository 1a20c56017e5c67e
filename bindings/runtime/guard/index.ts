export type { ActionRisks, ActionTables, RiskBounds as ActionRiskBounds } from './actionTables.js';
export { checkBudget } from './checkBudget.js';
export { checkGuardFile } from './checkGuardFile.js';
export { isClosed, keepsRules, type NamePredicates, namePredicates } from './closedTools.js';
export type { GuardCounters } from './counters.js';
export { createGuard } from './createGuard.js';
export {
  areAnswers,
  DETECTED_ON,
  type DetectorAnswer,
  type DetectorDeclaration,
  LONGEST_ANSWER,
  MOST_ANSWERS,
} from './detectors.js';
export type { DriftFinding, DriftSnapshot, DriftTest } from './driftTest.js';
export { dueNow } from './dueNow.js';
export { Guard, type ProposalOptions } from './guard.js';
export {
  type ExpressionTrees,
  type GuardActions,
  type GuardDrift,
  type GuardFile,
  type GuardPolicies,
  type GuardRule,
  type GuardTool,
  IDLE,
  type Level,
  type PackedTables,
  type RuleMessage,
  type Threshold,
} from './guardFile.js';
export { createGuardStep, type Fault, type GuardStep, type Reason } from './guardStep.js';
export { History, type Recording } from './history.js';
export type {
  Judge,
  JudgedRun,
  JudgedWorld,
  Judgement,
  JudgeNeeds,
  ProposedCall,
  Refusal,
  RunJudge,
  ShownCall,
  StartedCall,
  WorldReader,
} from './judge.js';
export { loadGuard } from './loadGuard.js';
export { Monitor, STATELESS } from './monitor.js';
export type { Observation } from './observer.js';
export { type DenseBounds, type DenseTables, packTables } from './packTables.js';
export { policyJudge } from './policyJudge.js';
export { createProposal, type GuardProposal, type JudgedAction, type Permission } from './proposal.js';
export type {
  HeldReadings,
  LostSteps,
  ReadAction,
  Readings,
  RecordedStep,
  Withheld,
} from './recordedStep.js';
export { checkMessage, messagesOf, REDACTED } from './ruleMessage.js';
export type { RuleStatus } from './ruleStatus.js';
export { type BoundsTable, openTables, type RuleTables } from './ruleTables.js';
export { StepClock } from './stepClock.js';
export {
  afterFault,
  type Decision,
  DRIFT_POLICIES,
  MAX_PENDING,
  type ShieldMode,
  STRATEGIES,
  STRATEGY_KINDS,
  type Strategy,
  type StrategyName,
  severity,
  UNKNOWN_POLICIES,
  UNREADABLE_POLICIES,
  type UnknownPolicy,
  type UnreadablePolicy,
} from './strategy.js';
export { describeThreshold, meetsThreshold } from './threshold.js';
export type { WarmOptions } from './warm.js';
export { withTrees } from './withTrees.js';
