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

/** The destination of an audit log's lines; `foreguard/node` has one for files. */
export interface AppendSink {
  /** Appends all of the bytes. On failure, none of them should remain. */
  append(bytes: Uint8Array): void | Promise<void>;
  /** Resolves once everything appended before the call survives a loss of power. */
  sync(): Promise<void>;
  /** Closes the sink; called once, and nothing is appended afterwards. */
  close(): Promise<void>;
}

/**
 * When `append` resolves, and therefore which records of decisions already carried out can be lost:
 * - `none`: once the sink has taken the line. For a file, the operating system has it: nothing is lost when the process ends, however it ends; a loss of power
 * loses the lines that the system has not yet written of its own accord, usually those of the last half minute.
 * - `batched`: as `none`, and the sink is synced every `syncEveryMs`: a loss of power loses at most that time plus the duration of one sync.
 * - `each`: once the line is synced: nothing is lost. Lines that arrive during a sync share the next one.
 */
export type Durability = 'none' | 'batched' | 'each';

/** Options of `createAuditLog`. */
export interface AuditLogOptions {
  readonly sink: AppendSink;
  /** Default: `batched`. */
  readonly durability?: Durability;
  /** Milliseconds, with `batched`; default 100. */
  readonly syncEveryMs?: number;
  /** The chain that the sink already holds; default: the sink is empty, and a header is written. */
  readonly head?: ChainHead;
  /** Default: plain JavaScript, which takes longer than everything else. */
  readonly sha256?: Sha256;
  /** Milliseconds since 1970, for the header; default: the clock. */
  readonly now?: () => number;
}

/** Lines on their way to the sink, with the promise their callers wait for. */
interface Batch {
  readonly lines: string[];
  /** The head of the chain after these lines. */
  head: ChainHead;
  readonly done: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes the records of any number of runs as lines of JSON, each with the hash of the line before, in the order of the `append` calls.
 *
 * After one failure of the sink nothing is appended any more: the sink then holds a chain up to some line and never forks.
 */
export class AuditLog implements RunLog {
  readonly #sink: AppendSink;
  readonly #durability: Durability;
  readonly #syncEveryMs: number;
  readonly #sha256: Sha256;
  readonly #encoder = new TextEncoder();
  /** The head after all lines, including those on their way. */
  #next: ChainHead;
  #head: ChainHead;
  #batch: Batch | null = null;
  /** Set while batches are being written. */
  #writing: Promise<void> | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #syncing: Promise<void> = Promise.resolve();
  #closed: Promise<void> | null = null;
  #failure: ForeguardError | null = null;

  /** @throws InvalidArgumentError for an invalid durability or time */
  constructor({ sink, durability = 'batched', syncEveryMs = 100, head, sha256, now }: AuditLogOptions) {
    requireDurability(durability, syncEveryMs);
    this.#sink = sink;
    this.#durability = durability;
    this.#syncEveryMs = syncEveryMs;
    this.#sha256 = sha256 ?? portableSha256;
    this.#head = head ?? NO_LINES;
    this.#next = this.#head;
    // If this fails, the first caller of `append` receives the error.
    if (this.#head.count === 0) this.record(headerAt((now ?? Date.now)())).catch(() => undefined);
  }

  /** The head of the chain up to the last line that is as safe as `durability` says. Keep it elsewhere to detect a missing end. */
  get head(): ChainHead {
    return this.#head;
  }

  /** The reason why nothing is appended any more; null if there was no failure. */
  get failure(): ForeguardError | null {
    return this.#failure;
  }

  /**
   * Appends a record.
   * @returns resolves once the line is as safe as `durability` says
   * @throws InvalidDataError (rejects) if the record is not JSON: nothing is written, and the log goes on; ForeguardError of code `log-failed` if the sink has
   * failed, now or before, or the log is closed
   */
  append(record: RunRecord): Promise<void> {
    return this.record(record);
  }

  /** @internal Appends a line, including the log's own. */
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
    // Lines appended before the caller's turn ends are written together.
    this.#writing ??= Promise.resolve().then(() => this.#write());
    return this.#batch.done;
  }

  /**
   * Resolves once everything appended is synced, whatever the durability.
   * @throws ForeguardError (rejects) of code `log-failed`
   */
  async flush(): Promise<void> {
    await this.#writing;
    if (this.#failure === null) await this.#sync();
    if (this.#failure !== null) throw this.#failure;
  }

  /**
   * Flushes and closes the sink, even if flushing fails. Nothing is appended afterwards.
   * @throws ForeguardError (rejects) of code `log-failed` if flushing fails
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

  /** Syncs one at a time. Never rejects: a failure is a failure of the log. */
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

/** Makes a log for sessions, on any sink. @throws InvalidArgumentError for invalid options */
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
/** The longest delay that timers support. */
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
