/** `foreguard/node`: access to files. */

export type { Storage } from '../../base/storage/index.js';
export type { Abstraction } from '../../observations/abstraction/index.js';
export type { Trace } from '../../observations/trace/index.js';
export type { ResultEntry, ResultStore } from '../../proofs/execution/index.js';
export type {
  Answer,
  Ask,
  Inspection,
  InspectionStore,
  KeptStep,
  OpenTrace,
  RunStore,
  TraceSink,
} from '../../runtime/enforcement/index.js';
export type { Guard } from '../../runtime/guard/index.js';
export type {
  CheckedAnswer,
  Model as SolverModel,
  Solver,
  SolverAnswer,
  SolverOptions,
  TermValue,
} from '../../solvers/smt/index.js';
export {
  type AuditFile,
  type AuditFileOptions,
  askAtTerminal,
  type DuckDbLearnOptions,
  type DuckDbLearntChain,
  type DuckDbResources,
  type FollowedSpecification,
  type FollowSpecificationOptions,
  followSpecification,
  type InspectionKeySource,
  learnWithDuckDb,
  nodeStorage,
  type OpenInspectionsOptions,
  openAuditFile,
  openInspections,
  openResultFolder,
  openRunFolder,
  openTraceFile,
  openWebhook,
  type ReadTraceFilesOptions,
  readTraceFileBatches,
  readTraceFiles,
  type SolverProcessOptions,
  type StepFileFormat,
  type StepFileOptions,
  solverProcess,
  type TerminalAskOptions,
  type TraceFile,
  type TraceFileOptions,
  type Webhook,
  type WebhookOptions,
} from '../node/index.js';
