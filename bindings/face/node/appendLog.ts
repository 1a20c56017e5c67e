import { hash } from 'node:crypto';
import { fstatSync, ftruncateSync, writeSync } from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { InvalidArgumentError, InvalidDataError } from '../../base/errors.js';
import { refuseUnknownOptions } from '../../base/suggest.js';
import {
  type AppendSink,
  AuditLog,
  type AuditLogOptions,
  type Sha256,
} from '../../runtime/enforcement/audit/index.js';
import type { RunRecord } from '../../runtime/enforcement/index.js';
import { readTail } from './auditTail.js';
import { takeLock } from './fileLock.js';
import { flushFolder } from './flushFolder.js';
import { requireKept, writeHeadFile } from './headFile.js';

/** Node's SHA-256, about eight times faster than in plain JavaScript. */
export const nodeSha256: Sha256 = (content) => hash('sha256', content, 'hex');

/** What `openAuditFile` is told, as `createAuditLog`. */
export interface AuditFileOptions extends Pick<AuditLogOptions, 'durability' | 'syncEveryMs' | 'now'> {
  /**
   * A file that the head of the chain is kept in, whenever a run has ended or was stopped, and when the log is closed. Somewhere that whoever can write the log cannot: then a log that lost its end is noticed, by `foreguard audit
   * verify --head-file` and when it is opened again.
   */
  readonly headFile?: string;
}

/** An audit log in a file. */
export class AuditFile extends AuditLog {
  readonly path: string;
  /** What was found torn when it was opened, and cut off; empty where all was well. */
  readonly notes: readonly string[];
  readonly #headFile: string | undefined;
  /** Heads are kept one after the other. */
  #keeping: Promise<void> = Promise.resolve();
  #closedWithHead: Promise<void> | null = null;

  /** @internal Use `openAuditFile`. */
  constructor(path: string, notes: readonly string[], options: AuditLogOptions, headFile?: string) {
    super(options);
    this.path = path;
    this.notes = notes;
    this.#headFile = headFile;
  }

  /** @throws also what keeping the head throws, where it is kept */
  override async append(record: RunRecord): Promise<void> {
    await super.append(record);
    if (isOver(record)) await this.#keepHead();
  }

  /** @throws also what keeping the head throws, where it is kept */
  override close(): Promise<void> {
    this.#closedWithHead ??= super.close().then(() => this.#keepHead());
    return this.#closedWithHead;
  }

  #keepHead(): Promise<void> {
    const headFile = this.#headFile;
    if (headFile === undefined) return Promise.resolve();
    const kept = this.#keeping.then(() => writeHeadFile(headFile, this.head));
    this.#keeping = kept.catch(() => undefined);
    return kept;
  }
}

/** A run has ended with it, or was stopped: whoever cut it off would bring the run back to life. */
function isOver(record: RunRecord): boolean {
  if (record.kind === 'outcome') return record.ends === true;
  if (record.kind === 'begin' || record.kind === 'question') return false;
  return record.kind === 'end' || record.decision === 'stop';
}

/**
 * Opens an audit file to write to it: a new one, readable by its owner alone, or one that there is, which is gone on with.
 *
 * The end of the file is checked first, its last MiB. A last line that a crash has torn is cut off; `notes` and a record in the file say so. The
 * file has one writer at a time, which is noted in `<path>.lock`; a second is refused, and one that writes all the same, or removes the file, makes the next
 * `append` fail. Lines are handed to the operating system within the caller's turn, without waiting for threads.
 *
 * @throws InvalidArgumentError (rejects) where the file is no audit file, is being written to, or cannot be opened; InvalidDataError where its end was altered,
 * or it does not have what `headFile` says that it had
 */
export async function openAuditFile(path: string, options: AuditFileOptions = {}): Promise<AuditFile> {
  refuseUnknownOptions('openAuditFile', options, {
    durability: true,
    syncEveryMs: true,
    now: true,
    headFile: true,
  });
  try {
    const target = await realpath(path).catch(async () =>
      join(await realpath(dirname(path)), basename(path)),
    );
    const unlock = await takeLock(`${target}.lock`, path);
    try {
      return await openLocked(path, target, unlock, options);
    } catch (error) {
      await unlock();
      throw error;
    }
  } catch (cause) {
    if (cause instanceof InvalidArgumentError || cause instanceof InvalidDataError) throw cause;
    throw new InvalidArgumentError(`cannot open ${path} to append to it: ${(cause as Error).message}`, {
      cause,
    });
  }
}

async function openLocked(
  path: string,
  target: string,
  unlock: () => Promise<void>,
  { headFile, ...options }: AuditFileOptions,
): Promise<AuditFile> {
  const file = await open(target, 'a+', 0o600);
  try {
    const { head, size, torn } = await readTail(path, file, nodeSha256);
    if (headFile !== undefined) await requireKept(target, head, headFile, nodeSha256);
    if (torn.length > 0) await file.truncate(size);
    const notes =
      torn.length === 0
        ? []
        : [`${path}: its last line was torn, as by a crash, and ${torn.length} bytes of it were cut off`];
    const sink = new FileSink(path, file, size, unlock);
    const log = new AuditFile(path, notes, { ...options, sink, head, sha256: nodeSha256 }, headFile);
    if (torn.length > 0) {
      const time = (options.now ?? Date.now)();
      await log.record({ kind: 'repair', time, cutBytes: torn.length, cut: nodeSha256(torn) });
    }
    if (head.count === 0 || torn.length > 0) await log.flush();
    if (head.count === 0) await flushFolder(dirname(target));
    return log;
  } catch (error) {
    await file.close();
    throw error;
  }
}

class FileSink implements AppendSink {
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #unlock: () => Promise<void>;
  #size: number;

  constructor(path: string, file: FileHandle, size: number, unlock: () => Promise<void>) {
    this.#path = path;
    this.#file = file;
    this.#size = size;
    this.#unlock = unlock;
  }

  append(bytes: Uint8Array): void {
    const { fd } = this.#file;
    const { size, nlink } = fstatSync(fd);
    if (nlink === 0) throw new Error(`${this.#path} was removed`);
    if (size !== this.#size)
      throw new Error(
        `${this.#path} has ${size} bytes instead of ${this.#size}: another program writes to it`,
      );
    try {
      for (let from = 0; from < bytes.length; ) from += writeSync(fd, bytes, from);
    } catch (error) {
      // Nobody is told that any of it was kept: nothing of it may stay. Where even that fails, the next opening sees to it.
      try {
        ftruncateSync(fd, this.#size);
      } catch {}
      throw error;
    }
    this.#size += bytes.length;
  }

  sync(): Promise<void> {
    return this.#file.datasync();
  }

  async close(): Promise<void> {
    await this.#file.close();
    await this.#unlock();
  }
}
