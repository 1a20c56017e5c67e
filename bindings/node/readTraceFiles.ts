import type { Storage } from '../storage/index.js';
import { type ReadTracesOptions, readTraceBatches, type Trace } from '../trace/index.js';
import { nodeStorage } from './nodeStorage.js';

/** How files of traces are read. */
export interface ReadTraceFilesOptions extends Omit<ReadTracesOptions, 'source'> {
  /** Default: the local file system. */
  storage?: Storage;
}

/**
 * Reads the traces of several files one after the other, in constant memory; each file may be of another format and
 * plain or compressed with gzip.
 *
 * @throws InvalidArgumentError when a file cannot be read, InvalidDataError when its gzip data is damaged.
 * @throws ParseError with file, line and column, unless `skipInvalid` is set.
 */
export async function* readTraceFiles(
  paths: Iterable<string>,
  options: ReadTraceFilesOptions = {},
): AsyncGenerator<Trace> {
  for await (const batch of readTraceFileBatches(paths, options)) yield* batch;
}

/** The same in batches of at least one trace, each from one file, for speed (see readTraceBatches). */
export async function* readTraceFileBatches(
  paths: Iterable<string>,
  options: ReadTraceFilesOptions = {},
): AsyncGenerator<Trace[]> {
  const { storage = nodeStorage, ...readOptions } = options;
  for (const source of paths) {
    yield* readTraceBatches(storage.read(source), { ...readOptions, source });
  }
}
