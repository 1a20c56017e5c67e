import { readFile, realpath } from 'node:fs/promises';
import type { Storage } from '../../base/storage/index.js';
import { type ReadTracesOptions, readTraceBatches, type Trace } from '../../observations/trace/index.js';
import { requireDistinctFiles } from './distinctFiles.js';
import { nodeStorage } from './nodeStorage.js';
import { runningTrace } from './runningTrace.js';
import { runningFiles, runningFolder } from './traceFile.js';

/** Options for reading files of traces. */
export interface ReadTraceFilesOptions extends Omit<ReadTracesOptions, 'source'> {
  /** Default: the local file system. */
  storage?: Storage;
}

/**
 * Reads the traces of several files one after the other, in constant memory; each file may be of another format and
 * plain or compressed with gzip. Of a file that is being recorded (`openTraceFile`), runs that have not ended are read, too, as cut, after those that have.
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
    let last: string | undefined;
    for await (const batch of readTraceBatches(storage.read(source), { ...readOptions, source })) {
      last = batch.at(-1)?.id ?? last;
      yield batch;
    }
    if (storage === nodeStorage) yield* readRunning(source, last, readOptions);
  }
}

/**
 * Reads the runs that `openTraceFile` records, or recorded until its process died, and that have not ended.
 * @param last id of the last trace of the file itself
 */
async function* readRunning(
  file: string,
  last: string | undefined,
  options: Omit<ReadTracesOptions, 'source'>,
): AsyncGenerator<Trace[]> {
  const source = runningFolder(await realpath(file).catch(() => file));
  const paths = await runningFiles(source).catch(() => []);
  if (paths.length === 0) return;
  let count = 0;
  async function* lines(): AsyncGenerator<Uint8Array> {
    for (const path of paths) {
      // A run that has ended in the meantime has no file of its own any more.
      const trace = runningTrace(await readFile(path, 'utf8').catch(() => ''));
      if (trace === null || (trace.complete !== null && trace.id === last)) continue;
      count++;
      yield new TextEncoder().encode(`${trace.line}\n`);
    }
  }
  yield* readTraceBatches(lines(), { ...options, format: 'jsonl', source });
  if (count === 0) return;
  const [runs, them] = count === 1 ? ['1 run has', 'it'] : [`${count} runs have`, 'them'];
  options.onNote?.({
    source: file,
    message: `${runs} not ended, or the process died that recorded ${them}: read as cut off, from ${source}`,
  });
}
