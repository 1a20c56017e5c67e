import { ForeguardError, InvalidArgumentError } from '../../../base/errors.js';
import { refuseUnknownOptions } from '../../../base/suggest.js';
import { wordsOf } from '../../../base/words.js';
import type { RunLog, RunRecord } from '../record.js';
import {
  type AuditRecord,
  type ChainHead,
  entryLine,
  headerAt,
  NO_LINES,
  portableSha256,
  type Sha256,
} from './entry.js';

/** Where the lines of an audit log go; `foreguard/node` has the one for files. */
export interface AppendSink {
  /** Adds all of the bytes behind what is there. Where it fails, nothing of them should be left. */
  append(bytes: Uint8Array): void | Promise<void>;
  /** Resolves once all that was appended before the call survives a loss of power. */
  sync(): Promise<void>;
  /** Nothing is appended after it; called once. */
  close(): Promise<void>;
}

/**
 * When `append` resolves, and so what a decision that was carried out can have lost:
 * - `none`: once the sink has taken the line. Of a file: the operating system has it, so that the end of the process, however it comes, loses
 *   nothing; a loss of power loses what the system had not yet written of its own accord, half a minute as a rule.
 * - `batched`: as `none`, and the sink is told to sync every `syncEveryMs`: a loss of power loses at most that time, and what one sync takes.
 * - `each`: once the line is synced: nothing is lost. Lines that come while a sync is under way share the next one.
 */
export type Durability = 'none' | 'batched' | 'each';

/** What `createAuditLog` is told. */
export interface AuditLogOptions {
  readonly sink: AppendSink;
  /** Default: `batched`. */
  readonly durability?: Durability;
  /** Milliseconds, with `batched`; default 100. */
  readonly syncEveryMs?: number;
  /** The chain that the sink holds already; default: it is empty, and a header is written. */
  readonly head?: ChainHead;
  /** Default: in plain JavaScript, which takes longer than all else. */
  readonly sha256?: Sha256;
  /** Milliseconds since 1970, for the header; default: the clock. */
  readonly now?: () => number;
}

/** Lines on their way to the sink, and who waits for them. */
interface Batch {
  readonly lines: string[];
  /** The chain with them. */
  head: ChainHead;
  readonly done: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Records of any number of runs as lines of JSON, each with the hash of the one before, in the order of the calls of `append`.
 *
 * Where the sink fails once, nothing is appended any more: what it holds then is a chain up to some line, and never goes on in two ways.
 */
export class AuditLog implements RunLog {
  readonly #sink: AppendSink;
  readonly #durability: Durability;
  readonly #syncEveryMs: number;
  readonly #sha256: Sha256;
  readonly #encoder = new TextEncoder();
  /** With all lines, those on their way, too. */
  #next: ChainHead;
  #head: ChainHead;
  #batch: Batch | null = null;
  /** Whether batches are being written. */
  #writing: Promise<void> | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #syncing: Promise<void> = Promise.resolve();
  #closed: Promise<void> | null = null;
  #failure: ForeguardError | null = null;

  /** @throws InvalidArgumentError on a durability or a time that is none */
  constructor({ sink, durability = 'batched', syncEveryMs = 100, head, sha256, now }: AuditLogOptions) {
    requireDurability(durability, syncEveryMs);
    this.#sink = sink;
    this.#durability = durability;
    this.#syncEveryMs = syncEveryMs;
    this.#sha256 = sha256 ?? portableSha256;
    this.#head = head ?? NO_LINES;
    this.#next = this.#head;
    // Whoever appends first hears of it where this fails.
    if (this.#head.count === 0) this.record(headerAt((now ?? Date.now)())).catch(() => undefined);
  }

  /** The last line that is as safe as `durability` says. Keep it elsewhere, and a missing end will be noticed. */
  get head(): ChainHead {
    return this.#head;
  }

  /** Why nothing is appended any more; null while all is well. */
  get failure(): ForeguardError | null {
    return this.#failure;
  }

  /**
   * @returns resolves once the line is as safe as `durability` says
   * @throws InvalidDataError (rejects) where the record is no JSON: nothing is written, and the log goes on; ForeguardError of code `log-failed` where
   * the sink failed, now or before, or the log is closed
   */
  append(record: RunRecord): Promise<void> {
    return this.record(record);
  }

  /** @internal Lines of the log itself. */
  record(record: AuditRecord): Promise<void> {
    if (this.#failure !== null) return Promise.reject(this.#failure);
    if (this.#closed !== null)
      return Promise.reject(
        new ForeguardError('log-failed', 'the audit log is closed; open it again to append'),
      );
    try {
      const { line, head } = entryLine(this.#next, record, this.#sha256);
      this.#batch ??= newBatch(head);
      this.#batch.lines.push(line);
      this.#batch.head = head;
      this.#next = head;
    } catch (error) {
      return Promise.reject(error);
    }
    // All that is appended before the caller's turn ends is written at once.
    this.#writing ??= Promise.resolve().then(() => this.#write());
    return this.#batch.done;
  }

  /**
   * Resolves once all that was appended is synced, whatever the durability.
   * @throws ForeguardError (rejects) of code `log-failed`
   */
  async flush(): Promise<void> {
    await this.#writing;
    if (this.#failure === null) await this.#sync();
    if (this.#failure !== null) throw this.#failure;
  }

  /**
   * Flushes, and closes the sink, also where flushing fails. Nothing is appended any more.
   * @throws ForeguardError (rejects) of code `log-failed`, where flushing fails
   */
  close(): Promise<void> {
    this.#closed ??= this.flush().finally(() => this.#sink.close());
    return this.#closed;
  }

  async #write(): Promise<void> {
    for (let batch = this.#batch; batch !== null; batch = this.#batch) {
      this.#batch = null;
      try {
        if (this.#failure !== null) throw this.#failure;
        const appended = this.#sink.append(this.#encoder.encode(batch.lines.join('')));
        if (appended !== undefined) await appended;
        if (this.#durability === 'each') await this.#sink.sync();
        this.#head = batch.head;
        batch.resolve();
      } catch (cause) {
        batch.reject(this.#fail(cause));
      }
    }
    this.#writing = null;
    if (this.#durability === 'batched' && this.#failure === null && this.#closed === null)
      this.#timer ??= setTimeout(() => this.#sync(), this.#syncEveryMs);
  }

  /** One after the other. Never rejects: where it fails, the log has failed. */
  #sync(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#syncing = this.#syncing.then(() => this.#sink.sync()).catch((cause) => void this.#fail(cause));
    return this.#syncing;
  }

  #fail(cause: unknown): ForeguardError {
    if (this.#failure !== null) return this.#failure;
    const what = wordsOf(cause);
    this.#failure = new ForeguardError(
      'log-failed',
      `the audit log cannot be written: ${what}; nothing is appended any more. See to what is wrong, and open the log again`,
      { cause },
    );
    return this.#failure;
  }
}

function newBatch(head: ChainHead): Batch {
  let resolve: () => void = () => undefined;
  let reject: (error: unknown) => void = resolve;
  const done = new Promise<void>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { lines: [], head, done, resolve, reject };
}

/** A log for sessions, on any sink. @throws InvalidArgumentError on options that are none */
export function createAuditLog(options: AuditLogOptions): AuditLog {
  refuseUnknownOptions('createAuditLog', options, {
    sink: true,
    durability: true,
    syncEveryMs: true,
    head: true,
    sha256: true,
    now: true,
  });
  return new AuditLog(options);
}

const DURABILITIES: readonly string[] = ['none', 'batched', 'each'] satisfies Durability[];
/** What timers can wait. */
const MAX_MS = 2 ** 31 - 1;

function requireDurability(durability: Durability, syncEveryMs: number): void {
  if (!DURABILITIES.includes(durability)) {
    throw new InvalidArgumentError(
      `durability is ${JSON.stringify(durability)}; expected ${DURABILITIES.join(', ')}`,
    );
  }
  if (!(syncEveryMs > 0 && syncEveryMs <= MAX_MS)) {
    throw new InvalidArgumentError(
      `syncEveryMs is ${syncEveryMs}; expected milliseconds above 0, at most ${MAX_MS}`,
    );
  }
}
