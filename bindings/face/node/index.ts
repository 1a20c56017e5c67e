export { AuditFile, type AuditFileOptions, nodeSha256, openAuditFile } from './appendLog.js';
export {
  type DuckDbResources,
  type DuckDbResult,
  type DuckDbType,
  type Query,
  withDuckDb,
} from './duckdb.js';
export { duckDbSteps, type StepFileFormat, type StepFileOptions } from './duckdbSteps.js';
export { followFile } from './followFile.js';
export {
  type FollowedSpecification,
  type FollowSpecificationOptions,
  followSpecification,
} from './followSpecification.js';
export { readHeadFile, writeHeadFile } from './headFile.js';
export {
  createInspectionKey,
  INSPECTIONS_KEY,
  type InspectionKeySource,
  readInspectionKey,
} from './inspectionKey.js';
export { type DuckDbLearnOptions, type DuckDbLearntChain, learnWithDuckDb } from './learnWithDuckDb.js';
export { nodeStorage } from './nodeStorage.js';
export { type OpenInspectionsOptions, openInspections } from './openInspections.js';
export { openResultFolder, openRunFolder } from './openRunFolder.js';
export { isWithin, type Places, placesOf } from './places.js';
export { readerOfSentences } from './readerOfSentences.js';
export { type ReadTraceFilesOptions, readTraceFileBatches, readTraceFiles } from './readTraceFiles.js';
export { scriptsBeside } from './scriptsBeside.js';
export { type SolverProcessOptions, solverProcess } from './solverProcess.js';
export { askAtTerminal, type TerminalAskOptions } from './terminalAsk.js';
export { openTraceFile, TraceFile, type TraceFileOptions } from './traceFile.js';
export { openWebhook, type Webhook, type WebhookOptions } from './webhook.js';
