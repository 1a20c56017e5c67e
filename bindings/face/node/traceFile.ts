import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { type FileHandle, open, readdir, readFile, realpath, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { InvalidArgumentError, InvalidDataError } from '../../base/errors.js';
import { isObject } from '../../base/objectKind.js';
import { refuseUnknownOptions } from '../../base/suggest.js';
import type { KeptStep, OpenTrace, TraceSink } from '../../runtime/enforcement/index.js';
import { takeLock } from './fileLock.js';
import { FileSink } from './fileSink.js';
import { flushFolder } from './flushFolder.js';
import { readBytes } from './readBytes.js';
import { beginLine, endLine, runningTrace, stepLines } from './runningTrace.js';

/** Options of `openTraceFile`. */
export interface TraceFileOptions {
  /** Called with what was found and mended at opening, and with what could not be recorded, a sentence each. Default: warnings of the process. */
  readonly onNote?: (text: string) => void;
}

/** Readers take lines of this length by default. */
const MAX_TRACE_BYTES = 2 ** 28 - 2 ** 12;
const FIRST_WINDOW = 1 << 16;
const TRACE_START = '{"id":';
const NEWLINE = 10;
const SPACE = 32;

/** The folder of the runs that go on, beside the file of those that have ended. */
export function runningFolder(file: string): string {
  return `${file}.running`;
}

/** The files of the runs that go on, or that a crash cut off, in the order in which they began. */
export async function runningFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const numbers = names.flatMap((name) => (/^\d+\.jsonl$/.test(name) ? [Number.parseInt(name, 10)] : []));
  return numbers.sort((a, b) => a - b).map((number) => join(folder, `${number}.jsonl`));
}

/** A file that runs are recorded in, as traces in JSON lines. */
export class TraceFile implements TraceSink {
  readonly path: string;
  readonly #folder: string;
  readonly #file: FileHandle;
  readonly #sink: FileSink;
  readonly #note: (text: string) => void;
  readonly #running = new Set<RunningRun>();
  #begun = 0;
  /** Traces are appended one after another: after a crash only the last line may belong to a run whose own file is still there. */
  #joining: Promise<unknown> = Promise.resolve();
  #closed: Promise<void> | null = null;

  /** @internal Use `openTraceFile`. */
  constructor(
    path: string,
    target: string,
    file: FileHandle,
    size: number,
    unlock: () => Promise<void>,
    note: (text: string) => void,
  ) {
    this.path = path;
    this.#folder = runningFolder(target);
    this.#file = file;
    this.#sink = new FileSink(path, file, size, unlock);
    this.#note = note;
  }

  /** Begins the trace of a run: its steps are kept in a file of its own until it ends. @throws an Error if that file cannot be written, or this one is closed */
  begin(run: string): OpenTrace {
    return this.#noting(run, () => {
      if (this.#closed !== null) throw new Error(`${this.path} is closed; open it again to record`);
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      const own = join(this.#folder, `${++this.#begun}.jsonl`);
      writeFileSync(own, beginLine(run), { flag: 'wx', mode: 0o600 });
      const running: RunningRun = new RunningRun(
        own,
        (what) => this.#noting(run, what),
        (complete) => this.#end(run, running, complete),
      );
      this.#running.add(running);
      return running;
    });
  }

  /** Ends the traces of all runs that go on, as cut, and closes the file. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    for (const running of this.#running) await running.end(false).catch(() => undefined);
    await this.#joining;
    await this.#sink.close();
    await rmdir(this.#folder).catch(() => undefined);
  }

  async #end(run: string, running: RunningRun, complete: boolean): Promise<void> {
    this.#running.delete(running);
    try {
      appendFileSync(running.path, endLine(complete));
      const joined = this.#joining.then(() => this.join(running.path));
      this.#joining = joined.catch(() => undefined);
      await joined;
    } catch (cause) {
      const why = (cause as Error).message;
      this.#note(
        `the trace of run ${run} is not in ${this.path}: ${why}; it is in ${running.path}, from where it is read, too`,
      );
      throw cause;
    }
  }

  /** @internal Appends the trace of a run's own file, and removes that file. @returns whether the run had not ended */
  async join(
    own: string,
    isLast: (line: Uint8Array) => Promise<boolean> = async () => false,
  ): Promise<boolean> {
    const trace = runningTrace(await readFile(own, 'utf8'));
    if (trace !== null) {
      const line = new TextEncoder().encode(`${trace.line}\n`);
      if (!(await isLast(line))) {
        this.#sink.append(line);
        await this.#file.datasync();
      }
    }
    await rm(own, { force: true });
    return trace?.complete === null;
  }

  /** What a run could not keep ends its recording: says so, once, and throws. */
  #noting<T>(run: string, what: () => T): T {
    try {
      return what();
    } catch (error) {
      this.#note(`the recording of run ${run} ends early: ${(error as Error).message}`);
      throw error;
    }
  }
}

/** The own file of a run that goes on. */
class RunningRun implements OpenTrace {
  readonly path: string;
  readonly #noting: (what: () => void) => void;
  readonly #over: (complete: boolean) => Promise<void>;
  #bytes = 0;
  #ended: Promise<void> | null = null;

  constructor(path: string, noting: (what: () => void) => void, over: (complete: boolean) => Promise<void>) {
    this.path = path;
    this.#noting = noting;
    this.#over = over;
  }

  put(place: number, step: KeptStep | null, notRecorded: Readonly<Record<string, string>>): void {
    this.#noting(() => {
      if (this.#ended !== null) throw new Error('its file of traces was closed');
      const lines = new TextEncoder().encode(stepLines(place, step, notRecorded));
      if (this.#bytes + lines.length > MAX_TRACE_BYTES)
        throw new Error(`its trace would have more than ${MAX_TRACE_BYTES} bytes, which readers refuse`);
      this.#bytes += lines.length;
      appendFileSync(this.path, lines);
    });
  }

  end(complete: boolean): Promise<void> {
    this.#ended ??= this.#over(complete);
    return this.#ended;
  }
}

/**
 * Opens a file to record runs in, for `record` of `createSession`: a new one, readable by its owner alone, or an existing file of traces in JSON lines, which is
 * continued. Each run is one line, written when it ends.
 *
 * Until then its steps are in a file of its own in the folder `<path>.running`, each passed to the operating system before the call runs. `readTraceFiles` reads
 * these runs too, as cut. If the process dies, the next opening appends them to the file. A last line torn by a crash is cut off.
 *
 * The file has one writer at a time, which is recorded in `<path>.lock`.
 *
 * @throws InvalidArgumentError (rejects) if the file holds something else, is being written to, or cannot be opened
 */
export async function openTraceFile(path: string, options: TraceFileOptions = {}): Promise<TraceFile> {
  refuseUnknownOptions('openTraceFile', options, { onNote: true });
  const { onNote = (text: string) => process.emitWarning(text) } = options;
  try {
    const target = await realpath(path).catch(async () =>
      join(await realpath(dirname(path)), basename(path)),
    );
    const unlock = await takeLock(`${target}.lock`, path);
    try {
      return await openLocked(path, target, unlock, onNote);
    } catch (error) {
      await unlock();
      throw error;
    }
  } catch (cause) {
    if (cause instanceof InvalidArgumentError || cause instanceof InvalidDataError) throw cause;
    throw new InvalidArgumentError(`cannot record in ${path}: ${(cause as Error).message}`, { cause });
  }
}

async function openLocked(
  path: string,
  target: string,
  unlock: () => Promise<void>,
  note: (text: string) => void,
): Promise<TraceFile> {
  const file = await open(target, 'a+', 0o600);
  try {
    const size = await mendEnd(path, file, note);
    if (size === 0) await flushFolder(dirname(target));
    const traces = new TraceFile(path, target, file, size, unlock, note);
    let cut = 0;
    for (const own of await runningFiles(runningFolder(target)))
      if (await traces.join(own, (line) => endsWith(file, line))) cut++;
    if (cut > 0)
      note(
        `${path}: ${cut === 1 ? '1 run' : `${cut} runs`} had not ended when the process died that recorded ${cut === 1 ? 'it' : 'them'}; ${cut === 1 ? 'its trace is' : 'their traces are'} in the file now, as cut`,
      );
    return traces;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Makes a file end with a whole line. @returns its size then @throws InvalidArgumentError if it does not end with a trace in JSON lines */
async function mendEnd(path: string, file: FileHandle, note: (text: string) => void): Promise<number> {
  const stat = await file.stat();
  if (!stat.isFile())
    throw new InvalidArgumentError(`${path} is not a regular file; expected one to record in`);
  const { size } = stat;
  const last = await lastLine(file, size);
  if (last === null) return size;
  if (isTrace(last.text)) {
    if (last.isEnded) return size;
    await file.appendFile('\n');
    return size + 1;
  }
  if (last.isEnded || !(last.text.startsWith(TRACE_START) || TRACE_START.startsWith(last.text))) {
    throw new InvalidArgumentError(
      `${path} does not end as a file of traces in JSON lines does; keep it, and record in another file`,
    );
  }
  await file.truncate(last.from);
  note(`${path}: its last line was torn, as by a crash, and ${size - last.from} bytes of it were cut off`);
  return last.from;
}

/** The last line that is not blank, where it begins, and whether a line break follows; null if there is none. */
async function lastLine(
  file: FileHandle,
  size: number,
): Promise<{ readonly text: string; readonly from: number; readonly isEnded: boolean } | null> {
  for (let length = FIRST_WINDOW; ; length *= 16) {
    const from = Math.max(0, size - length);
    const bytes = await readBytes(file, from, size - from);
    const end = bytes.findLastIndex((byte) => byte > SPACE);
    const start = end < 0 ? -1 : bytes.lastIndexOf(NEWLINE, end);
    if (start < 0 && from > 0) continue;
    if (end < 0) return null;
    const text = new TextDecoder().decode(bytes.subarray(start + 1, end + 1));
    return { text, from: from + start + 1, isEnded: bytes.indexOf(NEWLINE, end) >= 0 };
  }
}

/** Whether a file ends with these bytes as its last line. */
async function endsWith(file: FileHandle, line: Uint8Array): Promise<boolean> {
  const { size } = await file.stat();
  if (size < line.length) return false;
  const end = Buffer.from(await readBytes(file, size - line.length, line.length));
  if (!end.equals(line)) return false;
  return size === line.length || (await readBytes(file, size - line.length - 1, 1))[0] === NEWLINE;
}

function isTrace(text: string): boolean {
  try {
    const read: unknown = JSON.parse(text);
    return isObject(read) && Array.isArray(read.steps);
  } catch {
    return false;
  }
}
