export { nodeStorage } from './nodeStorage.js';
export { type ReadTraceFilesOptions, readTraceFileBatches, readTraceFiles } from './readTraceFiles.js';
