import { InvalidArgumentError } from '../../base/errors.js';
import { wordsOf } from '../../base/words.js';
import { type Decision, type GuardFile, severity } from '../guard/index.js';
import type { Journal } from './journal.js';
import { guardsAnswer, type Judged, JudgeFault, mostSevereAt } from './judged.js';
import { Judges } from './judges.js';
import { judgesOf } from './judgesOf.js';
import type { Judging } from './judging.js';
import type { AskedRecord, BeginRecord, RunRecord } from './record.js';
import { RepeatedRun } from './repeatedRun.js';
import type { SessionOptions } from './sessionOptions.js';
import type { ToolCall } from './toolCall.js';
import type { World } from './world.js';

/** A call as a question is about it. */
export type AskedToolCall = Pick<ToolCall, 'name' | 'arguments'>;

/** What a session would decide on a call, as things are. */
export interface ForeseenDecision {
  readonly decision: Decision;
  /** The rule that decides; empty if it is a fault, or what is not known. */
  readonly rule: string;
  readonly risk: number | null;
  /** Whether the call would run. */
  readonly lets: boolean;
  readonly text: string;
}

/** Where a run stands when a question is asked. */
export interface Standing {
  /** The state of the world; null if it is not known, because calls are running, or it cannot be observed. */
  readonly state: Readonly<Record<string, unknown>> | null;
  /** Seconds of the session's clock; absent if there is none. */
  readonly time?: number;
  /** The calls that are running. */
  readonly running: readonly AskedToolCall[];
  /** Why no further call runs; null while the run goes on. */
  readonly over: string | null;
  /** What the session would decide; null if its judges cannot be asked beforehand. The judges that are asked are copies, which nothing follows. */
  readonly decide: (call: AskedToolCall) => ForeseenDecision | null;
}

/** A run as questions see it. Looking changes nothing. */
export interface RunView {
  /** The files of the guards that judge the run, by their places among its judges; null for another judge. */
  readonly guards: readonly (GuardFile | null)[];
  /** Whether everything runs, whatever is decided. */
  readonly shadow: boolean;
  /** Answers a question between two events of the run, and records it, if the session has a log. Rejects with any error of `answer`. */
  ask<A>(answer: (standing: Standing) => Asked<A>): Promise<A>;
}

/** An answer, with its record; null if it is not to be recorded. */
export interface Asked<A> {
  readonly answer: A;
  readonly record: AskedContent | null;
}

/** What a record says of a question. */
export type AskedContent = Omit<AskedRecord, 'kind' | 'run' | 'time'>;

/** Records of a run that are kept to ask copies of its judges; of a longer run they are not asked. */
const MOST_RECORDS = 4000;

/** What a session lets questions see of it. */
export interface ViewedSession {
  readonly id: string;
  readonly options: SessionOptions;
  readonly world: World;
  readonly judges: Judges;
  readonly judging: Judging;
  readonly journal: Journal;
  /** Why no further call runs; null while the run goes on. */
  readonly over: () => string | null;
  /** The calls that are running. */
  readonly running: () => readonly AskedToolCall[];
  /** Runs work between the events of the run. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
}

/** Follows a run for all who ask about it. */
export class ViewedRun implements RunView {
  readonly guards: readonly (GuardFile | null)[];
  readonly shadow: boolean;
  readonly #session: ViewedSession;
  readonly #hides: boolean;
  /** The records of the run so far; null if there are too many. */
  #records: RunRecord[] | null = [];
  readonly #followers: ((record: RunRecord) => void)[] = [];

  /** @throws InvalidArgumentError if the run has begun, and nobody followed it */
  constructor(session: ViewedSession) {
    const { options, journal, id } = session;
    this.#session = session;
    this.shadow = options.shadow === true;
    this.#hides = (options.redact ?? []).length > 0;
    const files = [options.guard, ...(options.judges ?? [])].flatMap((one) =>
      one !== undefined && 'propose' in one ? [one.file] : [],
    );
    this.guards = session.judges.seats.map(({ judge: { about } }) =>
      about?.specification === undefined ? null : (files.shift() ?? null),
    );
    const isFirst = journal.follow((record) => this.#take(record));
    if (!isFirst)
      throw new InvalidArgumentError(
        `run ${id} has begun, and what its judges have read is not kept; make what answers questions before the first call of the session is checked`,
      );
    const own = (options.resume ?? []).filter((one) => one.run === id);
    for (const record of own.slice(own.findLastIndex(({ kind }) => kind === 'begin'))) this.#take(record);
  }

  /** Tells a follower all records so far, and each that comes. It must not throw. */
  follow(follower: (record: RunRecord) => void): void {
    if (this.#records === null)
      throw new InvalidArgumentError(
        'the run is too long to be followed from here on; make what answers questions earlier',
      );
    for (const record of this.#records) follower(record);
    this.#followers.push(follower);
  }

  #take(record: RunRecord): void {
    for (const follower of this.#followers) follower(record);
    if (this.#records === null) return;
    this.#records.push(record);
    if (this.#records.length > MOST_RECORDS) this.#records = null;
  }

  ask<A>(answer: (standing: Standing) => Asked<A>): Promise<A> {
    return this.#session.inTurn(async () => {
      const found = answer(await this.#look());
      if (found.record !== null) await this.#record(found.record);
      return found.answer;
    });
  }

  async #look(): Promise<Standing> {
    const { world, running, over } = this.#session;
    const calls = running();
    let state: unknown = null;
    let clock: { readonly time?: number } = {};
    try {
      clock = world.peekClock();
      if (calls.length === 0) state = await world.peek();
    } catch {
      state = null;
    }
    const seen = typeof state === 'object' && state !== null ? (state as Standing['state']) : null;
    return { state: seen, ...clock, running: calls, over: over(), decide: this.#rehearsal(seen, clock) };
  }

  /** One that cannot be recorded was answered all the same: nothing depends on it, and calls find the fault of the log by themselves. */
  async #record(what: AskedContent): Promise<void> {
    const { calls: _, decided: __, said: ___, ...others } = what;
    const hidden = { ...others, about: '[redacted]', text: '[redacted]' };
    await this.#session.journal.asked(this.#hides ? hidden : what).catch(() => undefined);
  }

  /** What decides on a call as the session would, on copies of its judges that were told all that it was told. */
  #rehearsal(state: Standing['state'], clock: { readonly time?: number }): Standing['decide'] {
    const { options, judging, over } = this.#session;
    const records = this.#records;
    const why = over();
    if (why !== null) return () => refused(why);
    const isCrowded = judging.isCrowded(ANY);
    let rehearsal: Rehearsal | null = null;
    return ({ name, arguments: given }) => {
      const call = { id: 'asked', name, arguments: given };
      const wrong = judging.faultOf(call);
      if (wrong !== null) return refused(`${wrong[0]}: ${wrong[1]}`);
      if (isCrowded)
        return refused('Other calls are running: it waits, or is blocked, until they have come back.');
      if (records === null || state === null) return null;
      try {
        rehearsal ??= new Rehearsal(this.#session, records, state, clock);
        return rehearsal.decide(judging.read(call).call, options);
      } catch {
        return null;
      }
    };
  }
}

const ANY: ToolCall = { id: 'asked', name: '', arguments: {} };

function refused(text: string): ForeseenDecision {
  return { decision: 'block', rule: '', risk: null, lets: false, text };
}

/** Copies of the judges of a run, where the run stands. */
class Rehearsal {
  readonly #judges: Judges;
  readonly #seen: Parameters<Judges['propose']>[0];

  /** @throws any error of a judge that cannot follow another run */
  constructor(
    { options, judges, id }: ViewedSession,
    records: readonly RunRecord[],
    state: NonNullable<Standing['state']>,
    clock: { readonly time?: number },
  ) {
    const { guard, judges: given = [], rules } = options;
    const copies = judgesOf({
      ...(guard && { guard: guard.fork() }),
      judges: given.map((one) => ('propose' in one ? one.fork() : one)),
      ...(rules && { rules }),
    });
    const isSafe = (tool: string): boolean =>
      typeof options.tools === 'object' && !Array.isArray(options.tools)
        ? (options.tools as Readonly<Record<string, { safe?: boolean }>>)[tool]?.safe === true
        : false;
    this.#judges = new Judges(copies, {
      id: `${id} (asked)`,
      isSafe,
      mayQuote: (options.redact ?? []).length === 0,
    });
    const begin = records.find((one): one is BeginRecord => one.kind === 'begin');
    if (begin !== undefined) {
      const repeated = new RepeatedRun(this.#judges, begin);
      for (const record of records) if (record.kind !== 'begin') repeated.take(record);
    }
    // A judge that sees the world now sees it as questions do.
    this.#seen = judges.seats.map(() => ({ state, pending: [], ...clock }));
  }

  decide(call: ToolCall, { onFault = 'stop', shadow = false }: SessionOptions): ForeseenDecision {
    const judged = this.#judges.propose(this.#seen, call);
    const counts = judged[mostSevereAt(judged, onFault)] as Judged;
    const risk = guardsAnswer(judged)?.step?.risk ?? null;
    const found =
      counts instanceof JudgeFault
        ? { decision: onFault, rule: '', explanation: counts.words }
        : {
            decision: counts.decision,
            rule: counts.rule ?? '',
            explanation: counts.explanation ?? wordsOf(counts.decision),
          };
    this.#judges.withhold(judged);
    return {
      decision: found.decision,
      rule: found.rule,
      risk: risk === null || Number.isNaN(risk) ? null : risk,
      lets: shadow || severity[found.decision] <= severity.report,
      text: found.explanation,
    };
  }
}
