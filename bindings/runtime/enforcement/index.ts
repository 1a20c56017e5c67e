export type { AskTool, AskToolDefinition } from './askTool.js';
export {
  type AppendSink,
  type AuditEntry,
  AuditLog,
  type AuditLogOptions,
  type AuditRecord,
  type AuditReplay,
  type AuditVerification,
  type ChainFault,
  type ChainHead,
  createAuditLog,
  type Durability,
  describeFault,
  type HeaderRecord,
  type RepairRecord,
  type ReplayAuditOptions,
  type ReplayDifference,
  readAudit,
  readRun,
  replayAudit,
  type Sha256,
  type VerifyAuditOptions,
  verifyAudit,
} from './audit/index.js';
export { type DecisionRange, requireEdits, requireStrategies } from './capabilities.js';
export type { Detected, DetectorValue, RecordedDetected, Undetected } from './detected.js';
export type { Detector, DetectorSubject } from './detectors.js';
export {
  type Carried,
  carryOut,
  type DecidingSession,
  guardedCall,
  overtaken,
  type RunTool,
  toldAgent,
} from './guarded.js';
export { hashOf } from './hashOf.js';
export { historyFields } from './historyFields.js';
export { hashInputs, type InputHashOptions } from './inputs.js';
export type { Answer, Ask, Inspection } from './inspection.js';
export {
  type InspectionFolder,
  InspectionStore,
  type InspectionStoreOptions,
  type KeptInspection,
} from './inspections.js';
export { inTurn } from './inTurn.js';
export type { UnsettledCall } from './judges.js';
export type { GivenJudge } from './judgesOf.js';
export type { SessionObserver } from './observer.js';
export type { PlacedQuestion } from './placedQuestions.js';
export { type Principal, readPrincipal } from './principal.js';
export type {
  AskedReading,
  AskedRecord,
  BeginRecord,
  DecisionRecord,
  EndRecord,
  ObservationRecord,
  OutcomeRecord,
  QuestionRecord,
  RecordedCall,
  RecordedJudge,
  ResumeRecord,
  RunLog,
  RunRecord,
} from './record.js';
export { createRedaction, REDACTED } from './redaction.js';
export {
  type ContinueRunOptions,
  continueRun,
  type RunStore,
  recordsOf,
  type StoredRun,
} from './runStore.js';
export type { Asked, AskedContent, AskedToolCall, ForeseenDecision, RunView, Standing } from './runView.js';
export { createSession, Session } from './session.js';
export type { DeclaredTool, Replacement, SessionOptions } from './sessionOptions.js';
export { shownCall, shownQuestion } from './shownCall.js';
export { frozenJson } from './snapshot.js';
export { isIdle, isLet, startsCall } from './startedCalls.js';
export type { ToolCall, ToolOutcome } from './toolCall.js';
export type { KeptStep, OpenTrace, TraceSink } from './traceSink.js';
export type { EnforcementFault, Verdict } from './verdict.js';
export { WithheldError } from './withheldError.js';
export { requireCallScope, turnRefusal, withheldAlone, withheldBeside } from './withheldTurns.js';
