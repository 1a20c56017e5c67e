import { ForeguardError, InvalidArgumentError, InvalidDataError } from '../../base/errors.js';
import { isObject } from '../../base/objectKind.js';
import { refuseUnknownOptions } from '../../base/suggest.js';
import { withTimeout } from '../../base/withTimeout.js';
import type { RunLog, RunRecord } from './record.js';
import type { SessionOptions } from './sessionOptions.js';

/**
 * Keeps the records of runs where several processes find them: a run that one of them began, another goes on with. `openRunFolder` of `foreguard/node` keeps
 * them in files, `postgresStores` of `foreguard/postgres` in a database.
 */
export interface RunStore {
  /** The records of a run, in order; none if it has not begun. */
  read(run: string): Promise<readonly RunRecord[]>;
  /**
   * Stores a record at a position of its run, from 0, so that it survives a crash of any process.
   * @returns false if the position is taken: another process has gone on with the run
   */
  add(run: string, position: number, record: RunRecord): Promise<boolean>;
}

/** What a session needs to go on with a run of a store. */
export type StoredRun = Required<Pick<SessionOptions, 'id' | 'log' | 'resume' | 'once'>>;

/** Options of `continueRun`. */
export interface ContinueRunOptions {
  /** Receives each record after the store has it, such as an audit log of this process. */
  readonly log?: RunLog;
  /** Milliseconds that the store may take to read the run, and to store a record; default 30 seconds. A store that takes longer has failed. */
  readonly timeoutMs?: number;
}

/** The longest delay that timers support. */
const MAX_MS = 2 ** 31 - 1;

/**
 * Reads a run from a store, for a session that begins it or goes on with it: `createSession({ ...(await continueRun(store, id)), judges, tools })`.
 *
 * Any number of processes may do so at once, and at most one of them goes on: whoever records first. The session of any other finds that it cannot record its
 * next decision, which is a fault (`log-failed`), and lets nothing run from then on. No call id is let through twice in a run (`repeated-call`).
 *
 * @throws InvalidArgumentError (rejects) for options that do not exist, or a time that is none; InvalidDataError if the store has lost records of the run, or has others;
 * any error of the store, or an Error if it does not answer in time
 */
export async function continueRun(
  store: RunStore,
  id: string,
  options: ContinueRunOptions = {},
): Promise<StoredRun> {
  refuseUnknownOptions('continueRun', options, { log: true, timeoutMs: true });
  const { log, timeoutMs = 30_000 } = options;
  if (!(timeoutMs > 0 && timeoutMs <= MAX_MS))
    throw new InvalidArgumentError(
      `timeoutMs is ${timeoutMs}; expected milliseconds above 0, at most ${MAX_MS}`,
    );
  const resume = await inTime(timeoutMs, () => store.read(id));
  for (const [i, { run }] of resume.entries())
    if (run !== id) throw new InvalidDataError(`record ${i} of run ${id} in the store is of run ${run}`);
  return {
    id,
    resume,
    log: new StoredLog(store, { id, position: resume.length, log, timeoutMs }),
    once: true,
  };
}

/** @throws an Error that says who is late; any error of the store */
async function inTime<T>(timeoutMs: number, ask: () => Promise<T>): Promise<T> {
  let late: AbortSignal | undefined;
  try {
    return await withTimeout(timeoutMs, (signal) => {
      late = signal;
      return ask();
    });
  } catch (error) {
    if (late?.aborted !== true) throw error;
    throw new Error(`the store of runs gave no answer within ${timeoutMs} ms (timeoutMs of continueRun)`);
  }
}

/**
 * The records of a run from what a store has kept of it: JSON by position, in order.
 * @throws InvalidDataError if one is missing or damaged
 */
export function recordsOf<T = RunRecord>(
  run: string,
  rows: readonly { readonly position: number; readonly record: string }[],
): T[] {
  return rows.map(({ position, record }, i) => {
    if (position !== i)
      throw new InvalidDataError(
        `record ${i} of run ${run} is missing in the store, which has record ${position}; restore it, or begin a run of another name`,
      );
    let value: unknown;
    try {
      value = JSON.parse(record);
    } catch (cause) {
      throw new InvalidDataError(`record ${i} of run ${run} in the store is not JSON`, { cause });
    }
    if (isObject(value)) return value as T;
    throw new InvalidDataError(
      `record ${i} of run ${run} in the store is ${record.slice(0, 40)}; expected a JSON object, as sessions record them`,
    );
  });
}

/** Adds records to a run, one after the other, until another process has gone on with it or a record may be lost. */
class StoredLog implements RunLog {
  readonly #store: RunStore;
  readonly #run: string;
  readonly #beside: RunLog | undefined;
  readonly #timeoutMs: number;
  #position: number;
  #over: unknown;
  #last: Promise<void> = Promise.resolve();

  constructor(
    store: RunStore,
    run: {
      readonly id: string;
      readonly position: number;
      readonly log: RunLog | undefined;
      readonly timeoutMs: number;
    },
  ) {
    this.#store = store;
    this.#run = run.id;
    this.#position = run.position;
    this.#beside = run.log;
    this.#timeoutMs = run.timeoutMs;
  }

  append(record: RunRecord): Promise<void> {
    const added = this.#last.then(() => this.#add(record));
    this.#last = added.catch(() => undefined);
    return added;
  }

  async #add(record: RunRecord): Promise<void> {
    if (this.#over !== undefined) throw this.#over;
    try {
      const add = () => this.#store.add(this.#run, this.#position, record);
      if (!(await inTime(this.#timeoutMs, add)))
        throw new ForeguardError(
          'run-taken',
          `another process has continued run ${this.#run}, from its record ${this.#position} on; read the run again and continue from there`,
        );
      this.#position++;
      await this.#beside?.append(record);
    } catch (error) {
      // After a fault nobody knows whether the store has the record: only those who read the run again do.
      this.#over = error;
      throw error;
    }
  }
}
