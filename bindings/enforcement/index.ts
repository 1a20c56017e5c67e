export {
  type AppendSink,
  type AuditEntry,
  AuditLog,
  type AuditLogOptions,
  type AuditRecord,
  type AuditVerification,
  type ChainFault,
  type ChainHead,
  createAuditLog,
  type Durability,
  describeFault,
  type HeaderRecord,
  type RepairRecord,
  readAudit,
  readRun,
  type Sha256,
  type VerifyAuditOptions,
  verifyAudit,
} from './audit/index.js';
export {
  type Carried,
  carryOut,
  type DecidingSession,
  guardedCall,
  overtaken,
  type RunTool,
  toldAgent,
} from './guarded.js';
export { hashInputs, type InputHashOptions } from './inputs.js';
export type { Answer, Ask, Inspection } from './inspection.js';
export type { SessionObserver } from './observer.js';
export type {
  BeginRecord,
  DecisionRecord,
  EndRecord,
  ObservationRecord,
  OutcomeRecord,
  RunLog,
  RunRecord,
} from './record.js';
export { createRedaction } from './redaction.js';
export type { ToolCall, ToolOutcome } from './toolCall.js';
export type { EnforcementFault, Verdict } from './verdict.js';
export { WithheldError } from './withheldError.js';
