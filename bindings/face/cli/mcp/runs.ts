import { AsyncLocalStorage } from 'node:async_hooks';
import { hash, randomUUID } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { ForeguardError, InvalidArgumentError } from '../../../base/errors.js';
import { wordsOf } from '../../../base/words.js';
import type { McpSession, McpWorld } from '../../../runtime/adapters/mcp/index.js';
import {
  type Ask,
  continueRun,
  historyFields,
  type RunLog,
  type RunRecord,
  type RunStore,
  readAudit,
  type Session,
  type SessionOptions,
  type StoredRun,
  type ToolCall,
  type Verdict,
} from '../../../runtime/enforcement/index.js';
import { nodeSha256 } from '../../node/index.js';

/** What a run lasts as long as. */
export type RunBound =
  | { readonly kind: 'connection' | 'session' }
  | { readonly kind: 'header'; readonly name: string }
  | { readonly kind: 'idle'; readonly ms: number };

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/** Runs of different header values at the same time; forgetting one would give its agent a new beginning. */
const MAX_RUNS = 10_000;
/** How often a call is decided anew because another proxy has gone on with its run meanwhile. */
const MAX_TAKEN = 3;

/** Parses the value of `--run`. @throws InvalidArgumentError */
export function parseRun(text: string | undefined, listens: boolean): RunBound {
  if (text === undefined || text === 'connection') return { kind: 'connection' };
  if (text === 'session') return { kind: text };
  const [, name] = /^header:([\w!#$%&'*+.^`|~-]+)$/.exec(text) ?? [];
  if (name !== undefined) {
    if (listens) return { kind: 'header', name: name.toLowerCase() };
    throw new InvalidArgumentError(
      `--run ${text} is for clients over HTTP: give --listen HOST:PORT/PATH as well`,
    );
  }
  const [, count, unit] = /^idle:(\d{1,9})([smhd])$/.exec(text) ?? [];
  if (Number(count) > 0) return { kind: 'idle', ms: Number(count) * UNITS[unit] };
  throw new InvalidArgumentError(
    `--run is "${text}"; expected connection, session, header:NAME such as header:X-Agent, or idle:DURATION such as idle:30m`,
  );
}

/** Whether a run may go on in a later process, which has its log. */
export const outlastsProcess = ({ kind }: RunBound): boolean => kind === 'header' || kind === 'idle';

/** Refuses at the start what would be refused whenever a run goes on. @throws InvalidArgumentError if judges read results of calls, which records do not hold */
export function requireResumable(judging: Pick<SessionOptions, 'judges'>): void {
  if (!historyFields(judging).has('lastResult')) return;
  throw new InvalidArgumentError(
    'a rule reads lastResult, and no run could go on after a restart: the log holds no results of calls; give --state-tool NAME, which observes the world as it is then, leave --log out, or choose --run session',
  );
}

/** What a session of a run that several connections share is given beside what all sessions have. */
export interface SharedWorld extends McpWorld, Partial<Omit<StoredRun, 'id'>> {
  readonly id: string;
}

/** Where runs are kept that several proxies share. */
export interface KeptRuns {
  readonly store: RunStore;
  /** Receives each record after the store has it. */
  readonly log?: RunLog;
}

/** Makes the session of a run. */
type Begin = (world: SharedWorld) => Session;

/** What the next run begins with: a run follows the specification as it stands when the run begins, not when its client connected. */
export type NextRun = () => Promise<Begin>;

/** A connection to a run. */
interface Here {
  readonly world: McpWorld;
  /** Of the ids of its calls, which are unique on a connection alone. */
  readonly prefix: string;
}

interface SharedRun {
  readonly session: Session;
  /** What has become of its records: once the store did not take one, its session lets nothing run, and the run is read again. */
  readonly records: { lost: 'taken' | 'failed' | null };
  /** When it was last used, on a clock that never jumps. */
  usedAt: number;
  running: number;
}

/** Runs that outlast connections: a client that connects again goes on where it was. */
export class Runs {
  readonly #bound: RunBound;
  readonly #runs = new Map<string, SharedRun>();
  /** Records of runs from before this process, by their ids. */
  readonly #earlier: Map<string, RunRecord[]>;
  readonly #kept: KeptRuns | undefined;
  readonly #outlasts: boolean;
  readonly #here = new AsyncLocalStorage<Here>();
  /** Runs that are being begun, by the values of the header. */
  readonly #beginning = new Map<string, Promise<SharedRun>>();
  /** Before the ids of calls, which are unique in a run, whichever proxy decides on them. */
  readonly #own: string;
  #connections = 0;
  readonly #behind = new WeakMap<McpSession, () => Promise<Session>>();

  /**
   * @param earlier records of runs that have not ended; undefined if there is no log, and runs end with this object
   * @param kept where other proxies find the runs; the records of earlier ones are there
   */
  constructor(bound: RunBound, earlier?: Map<string, RunRecord[]>, kept?: KeptRuns) {
    this.#bound = bound;
    this.#earlier = earlier ?? new Map();
    this.#kept = kept;
    this.#outlasts = kept !== undefined || (earlier !== undefined && outlastsProcess(bound));
    this.#own = kept === undefined ? '' : `${randomUUID()}/`;
  }

  /**
   * The run of a client, as its connection knows it.
   *
   * @param next what a run that this connection begins, with a call, begins with
   * @param value of the header, if runs are bounded by one
   */
  connect(world: McpWorld, next: NextRun, value = ''): McpSession {
    const here: Here = { world, prefix: `${this.#own}${++this.#connections}/` };
    const within = <T>(work: () => T): T => this.#here.run(here, work);
    const open = new Map<Verdict, SharedRun>();
    let last = this.#current(value);
    const begun = (): SharedRun => {
      if (last !== undefined) return last;
      throw new InvalidArgumentError('no call of this connection has been decided yet');
    };
    const decide = async (call: ToolCall, by: (session: Session, call: ToolCall) => Promise<Verdict>) => {
      for (let tries = 1; ; tries++) {
        const run = this.#current(value) ?? (await this.#begun(value, world, next));
        last = run;
        run.running++;
        const verdict = await by(run.session, { ...call, id: `${here.prefix}${call.id}` });
        run.usedAt = performance.now();
        if (verdict.run !== null) open.set(verdict, run);
        else {
          run.running--;
          // It was decided without what another proxy has recorded meanwhile, and did not run.
          if (run.records.lost === 'taken' && tries < MAX_TAKEN) continue;
        }
        return verdict;
      }
    };
    const close = (verdict: Verdict): Session => {
      const run = open.get(verdict) ?? begun();
      if (open.delete(verdict)) run.running--;
      run.usedAt = performance.now();
      return run.session;
    };
    const connected: McpSession = {
      check: (call) => within(() => decide(call, (session, own) => session.check(own))),
      decide: (call, options) => within(() => decide(call, (session, own) => session.decide(own, options))),
      answer: (id, answer) => within(() => begun().session.answer(id, answer)),
      ran: (verdict, outcome) => within(() => close(verdict).ran(verdict, outcome)),
      withdraw: (verdict) => within(() => close(verdict).withdraw(verdict)),
      get stopped() {
        return last?.session.stopped ?? null;
      },
      get closed() {
        return last?.session.closed ?? [];
      },
      // The run goes on. What the connection leaves behind has run or not, and is not waited for.
      end: () =>
        within(async () => {
          const error = new Error('the connection ended: it may have been carried out, or not');
          for (const verdict of [...open.keys()])
            await close(verdict).ran(verdict, { error, mayHaveRun: true });
        }),
    };
    this.#behind.set(connected, async () => {
      last = this.#current(value) ?? (await this.#begun(value, world, next));
      return last.session;
    });
    return connected;
  }

  /** The session of the run that a connection goes on with, to be asked about: no run is kept from becoming idle by that. */
  behind(session: McpSession): Promise<Session> {
    const found = this.#behind.get(session);
    if (found === undefined) throw new InvalidArgumentError('it is no connection of these runs');
    return found();
  }

  /** Ends all runs, except those that a later process goes on with. */
  async close(): Promise<void> {
    if (!this.#outlasts) await Promise.all([...this.#runs.values()].map(({ session }) => session.end()));
  }

  /** The run that goes on; undefined if none has begun, or it is over. */
  #current(value: string): SharedRun | undefined {
    const run = this.#runs.get(value);
    return run !== undefined && !this.#isOver(run) ? run : undefined;
  }

  /** The run that goes on, or begins now: whoever calls meanwhile waits for it. */
  #begun(value: string, world: McpWorld, next: NextRun): Promise<SharedRun> {
    const beginning =
      this.#beginning.get(value) ??
      this.#begin(value, world, next).finally(() => this.#beginning.delete(value));
    this.#beginning.set(value, beginning);
    return beginning;
  }

  /** Begins a run, or goes on with one of an earlier process. @throws InvalidArgumentError if that cannot be resumed, as often as it is tried */
  async #begin(value: string, world: McpWorld, next: NextRun): Promise<SharedRun> {
    const begin = await next();
    const over = this.#runs.get(value);
    if (over === undefined) this.#makeRoom();
    const { id, resume } = this.#identity(value);
    const records: SharedRun['records'] = { lost: null };
    const kept = this.#kept && noticing(await stored(this.#kept, id), records);
    const session = this.#session(begin, {
      ...this.#delegated(world),
      ...(kept ?? { id, ...(resume && { resume }) }),
    });
    // Not before the run goes on: a beginning anew would lift its stop and fill its budgets.
    this.#earlier.delete(id);
    if (over?.records.lost === null) over.session.end().catch(() => undefined);
    const run = { session, records, usedAt: performance.now(), running: 0 };
    this.#runs.set(value, run);
    return run;
  }

  #makeRoom(): void {
    if (this.#runs.size < MAX_RUNS) return;
    // A run that is kept elsewhere is read again when it goes on.
    const idle = this.#kept && [...this.#runs].find(([, { running }]) => running === 0);
    if (idle === undefined)
      throw new InvalidArgumentError(`there are ${MAX_RUNS} runs, and none has ended; start the proxy anew`);
    this.#runs.delete(idle[0]);
  }

  #session(begin: Begin, world: SharedWorld): Session {
    try {
      return begin(world);
    } catch (error) {
      if (world.resume === undefined || world.resume.length === 0) throw error;
      const over = this.#bound.kind === 'idle' ? ', or is over' : '';
      throw new InvalidArgumentError(
        `nothing runs until run ${world.id}, which ${this.#kept === undefined ? 'the log' : 'the place of --runs'} has not ended, can be resumed${over}: ${wordsOf(error)}. Start the proxy with the guards and options of the run, or with another ${this.#kept === undefined ? '--log' : '--runs'} to begin anew`,
      );
    }
  }

  #isOver({ usedAt, running, records }: SharedRun): boolean {
    if (records.lost !== null) return true;
    return this.#bound.kind === 'idle' && running === 0 && performance.now() - usedAt > this.#bound.ms;
  }

  /** The name of a run, and its records if it began in an earlier process. */
  #identity(value: string): { readonly id: string; readonly resume?: RunRecord[] } {
    const bound = this.#bound;
    if (bound.kind === 'header') {
      // The value may be a secret.
      const id = `header:${bound.name}:${hash('sha256', value, 'hex').slice(0, 32)}`;
      return this.#earlierRun(id);
    }
    if (bound.kind === 'idle') {
      // Only the wall clock is known of another process: a run of the future is as good as one of now.
      const found = [...this.#earlier].findLast(
        ([id, records]) => id.startsWith('idle:') && Date.now() - lastTimeOf(records) <= bound.ms,
      );
      if (found !== undefined) return this.#earlierRun(found[0]);
    }
    return { id: `${bound.kind}:${randomUUID()}` };
  }

  #earlierRun(id: string): { readonly id: string; readonly resume?: RunRecord[] } {
    const resume = this.#earlier.get(id);
    return { id, ...(resume && { resume }) };
  }

  /** What a session sees of the world: by the connection whose call it decides on. */
  #delegated(first: McpWorld): McpWorld {
    const world = (): McpWorld => this.#here.getStore()?.world ?? first;
    const tools = Object.keys(first.tools).map((name) => {
      const own = () => (Object.hasOwn(world().tools, name) ? world().tools[name] : undefined);
      const check = (args: Readonly<Record<string, unknown>>) => own()?.check(args) ?? null;
      const refused = () => {
        const tool = own();
        return tool === undefined ? 'the server of this connection did not list it' : tool.refused();
      };
      const tool = {
        check,
        refused,
        get safe(): boolean {
          return own()?.safe === true;
        },
      };
      return [name, tool] as const;
    });
    const ask: Ask = (inspection, signal) => {
      const { world: at, prefix } = this.#here.getStore() as Here;
      if (at.ask === undefined) throw new InvalidArgumentError('this client declares no forms to ask with');
      const { call } = inspection;
      return at.ask({ ...inspection, call: { ...call, id: call.id.slice(prefix.length) } }, signal);
    };
    return {
      tools: Object.fromEntries(tools),
      ask,
      ...(first.state && { state: () => (world().state as NonNullable<McpWorld['state']>)() }),
    };
  }
}

const stored = ({ store, ...beside }: KeptRuns, id: string): Promise<StoredRun> =>
  continueRun(store, id, beside);

/** The same run; `records` says so once the store did not take one. */
function noticing(run: StoredRun, records: SharedRun['records']): StoredRun {
  const append = async (record: RunRecord): Promise<void> => {
    try {
      await run.log.append(record);
    } catch (error) {
      records.lost ??= error instanceof ForeguardError && error.code === 'run-taken' ? 'taken' : 'failed';
      throw error;
    }
  };
  return { ...run, log: { append } };
}

function lastTimeOf(records: readonly RunRecord[]): number {
  return records.reduce((last, record) => Math.max(last, 'time' in record ? record.time : 0), 0);
}

/** Reads from a log the runs that several connections shared and that have not ended. @throws InvalidDataError if the log was altered */
export async function earlierRuns(log: string): Promise<Map<string, RunRecord[]>> {
  const runs = new Map<string, RunRecord[]>();
  if (!existsSync(log)) return runs;
  for await (const { record } of readAudit(createReadStream(log), { sha256: nodeSha256 })) {
    if (record.kind === 'header' || record.kind === 'repair' || !/^(idle|header):/.test(record.run)) continue;
    const records = runs.get(record.run) ?? [];
    // The latest run is the last.
    runs.delete(record.run);
    if (record.kind === 'end') continue;
    records.push(record);
    runs.set(record.run, records);
  }
  return runs;
}
