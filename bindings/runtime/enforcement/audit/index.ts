export {
  type AppendSink,
  AuditLog,
  type AuditLogOptions,
  createAuditLog,
  type Durability,
} from './auditLog.js';
export { ChainCheck, type ChainFault, describeFault, headBefore } from './chainCheck.js';
export {
  type AuditEntry,
  type AuditRecord,
  type ChainHead,
  entryLine,
  type HeaderRecord,
  NO_LINES,
  type RepairRecord,
  type Sha256,
} from './entry.js';
export { type FileLine, MAX_LINE_BYTES, readFileLines } from './fileLines.js';
export { readAudit, readRun } from './readAudit.js';
export {
  type AuditReplay,
  type ReplayAuditOptions,
  type ReplayDifference,
  replayAudit,
} from './replayAudit.js';
export { type AuditVerification, type VerifyAuditOptions, verifyAudit } from './verifyAudit.js';
