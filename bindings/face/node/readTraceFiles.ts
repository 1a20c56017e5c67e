import type { Storage } from '../../base/storage/index.js';
import { type ReadTracesOptions, readTraceBatches, type Trace } from '../../observations/trace/index.js';
import { requireDistinctFiles } from './distinctFiles.js';
import { nodeStorage } from './nodeStorage.js';

/** Options for reading files of traces. */
export interface ReadTraceFilesOptions extends Omit<ReadTracesOptions, 'source'> {
  /** Default: the local file system. */
  storage?: Storage;
}

/**
 * Reads the traces of several files one after the other, in constant memory; each file may be of another format and
 * plain or compressed with gzip.
 *
 * @throws InvalidArgumentError if a file cannot be read, or is given twice (in the local file system: the same file, or the same bytes),
 * because its runs would count twice; InvalidDataError if its gzip data are damaged.
 * @throws ParseError with file, line and column, unless `skipInvalid` is set.
 */
export async function* readTraceFiles(
  paths: Iterable<string>,
  options: ReadTraceFilesOptions = {},
): AsyncGenerator<Trace> {
  for await (const batch of readTraceFileBatches(paths, options)) yield* batch;
}

/** As `readTraceFiles`, in batches of at least one trace, each from one file, for speed (see readTraceBatches). */
export async function* readTraceFileBatches(
  paths: Iterable<string>,
  options: ReadTraceFilesOptions = {},
): AsyncGenerator<Trace[]> {
  const { storage = nodeStorage, ...readOptions } = options;
  const sources = [...paths];
  if (storage === nodeStorage) await requireDistinctFiles(sources);
  for (const source of sources) {
    yield* readTraceBatches(storage.read(source), { ...readOptions, source });
  }
}
