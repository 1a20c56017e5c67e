import { hash } from 'node:crypto';
import { open, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { InvalidArgumentError, InvalidDataError } from '../../base/errors.js';
import { refuseUnknownOptions } from '../../base/suggest.js';
import { AuditLog, type AuditLogOptions, type Sha256 } from '../../runtime/enforcement/audit/index.js';
import type { RunRecord } from '../../runtime/enforcement/index.js';
import { readTail } from './auditTail.js';
import { takeLock } from './fileLock.js';
import { FileSink } from './fileSink.js';
import { flushFolder } from './flushFolder.js';
import { requireKept, writeHeadFile } from './headFile.js';

/** Node's SHA-256, about eight times faster than in plain JavaScript. */
export const nodeSha256: Sha256 = (content) => hash('sha256', content, 'hex');

/** Options of `openAuditFile`, as in `createAuditLog`. */
export interface AuditFileOptions extends Pick<AuditLogOptions, 'durability' | 'syncEveryMs' | 'now'> {
  /**
   * A file for the head of the chain, written whenever a run has ended or was stopped, and when the log is closed. Those who can write the
   * log must not be able to write this file: then `foreguard audit verify --head-file`, and the next opening, detect a log that lost its
   * end.
   */
  readonly headFile?: string;
}

/** An audit log in a file. */
export class AuditFile extends AuditLog {
  readonly path: string;
  /** A note on a torn end that was found at opening, and cut off; empty if the file was intact. */
  readonly notes: readonly string[];
  readonly #headFile: string | undefined;
  /** Heads are written one after the other. */
  #keeping: Promise<void> = Promise.resolve();
  #closedWithHead: Promise<void> | null = null;

  /** @internal Use `openAuditFile`. */
  constructor(path: string, notes: readonly string[], options: AuditLogOptions, headFile?: string) {
    super(options);
    this.path = path;
    this.notes = notes;
    this.#headFile = headFile;
  }

  /** @throws also errors of writing the head, if it is kept */
  override async append(record: RunRecord): Promise<void> {
    await super.append(record);
    if (isOver(record)) await this.#keepHead();
  }

  /** @throws also errors of writing the head, if it is kept */
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

/** Whether the record ends or stops its run; cutting off such a record would bring the run back to life. */
function isOver(record: RunRecord): boolean {
  if (record.kind === 'outcome') return record.ends === true;
  if (record.kind === 'decision' || record.kind === 'observation') return record.decision === 'stop';
  return record.kind === 'end';
}

/**
 * Opens an audit file for writing: a new one, readable by its owner alone, or an existing one, which is continued.
 *
 * The last MiB of the file is checked first. A last line torn by a crash is cut off; `notes` and a record in the file report it. The file
 * has one writer at a time, which is recorded in `<path>.lock`. A second writer is refused; if a program writes to the file anyway, or
 * removes it, the next `append` fails. Lines are passed to the operating system synchronously, without waiting for threads.
 *
 * @throws InvalidArgumentError (rejects) if the file is not an audit file, is being written to, or cannot be opened; InvalidDataError if
 * its end was altered, or it does not contain the head in `headFile`
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
