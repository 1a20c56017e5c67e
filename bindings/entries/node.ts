/** `foreguard/node`: files. */
export type { Abstraction } from '../abstraction/index.js';
export type { InspectionStore } from '../enforcement/index.js';
export {
  type AuditFile,
  type AuditFileOptions,
  type DuckDbLearnOptions,
  type DuckDbLearntChain,
  type DuckDbResources,
  type InspectionKeySource,
  learnWithDuckDb,
  nodeStorage,
  type OpenInspectionsOptions,
  openAuditFile,
  openInspections,
  type ReadTraceFilesOptions,
  readTraceFileBatches,
  readTraceFiles,
  type StepFileFormat,
  type StepFileOptions,
} from '../node/index.js';
export type { Storage } from '../storage/index.js';
export type { Trace } from '../trace/index.js';
