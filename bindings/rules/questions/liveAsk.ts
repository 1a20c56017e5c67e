import { InvalidArgumentError, NotSupportedError } from '../../base/errors.js';
import { refuseUnknownOptions } from '../../base/suggest.js';
import { type Formula, printFormula } from '../../languages/logic/index.js';
import { frozenJson, type RunRecord, type RunView, type Standing } from '../../runtime/enforcement/index.js';
import type { Specification } from '../specification/index.js';
import { AnswerNotes, answered, type Put } from './answered.js';
import type {
  Answer,
  BeforeAnswer,
  InsteadAnswer,
  MayAnswer,
  OwedAnswer,
  RulesAnswer,
  WhyNotAnswer,
  WillAnswer,
} from './answers.js';
import { partsOf, requireCall } from './asking.js';
import type { AskParts } from './before.js';
import { FollowedRun } from './followedRun.js';
import { AGENT_LIMITS, type SearchLimits } from './limits.js';
import { type AskedCall, callText } from './moves.js';

/** A session, as far as questions go: `createSession` makes one. */
export interface AskedSession {
  follow(follower: (record: RunRecord) => void): RunView;
}

/** What questions about a live run are answered from. */
export interface AskSessionOptions {
  readonly specification: Specification;
  /** The session of the run, of which no call has been checked yet. One of its guards reads what the rules read: `compileRules` or `compileGuard` of the specification. */
  readonly session: AskedSession;
  /** How much an answer may look at. Default: so much that an answer takes a fraction of a second. */
  readonly limits?: Partial<SearchLimits>;
  /** Whether the session's log, if it has one, keeps what is asked and answered; default true. */
  readonly record?: boolean;
}

/** Answers questions about the rules from where a session stands. No answer changes anything: no decision, no record of one, no state. */
export class LiveAsk {
  readonly #parts: AskParts;
  readonly #view: RunView;
  readonly #followed: FollowedRun;
  readonly #isRecorded: boolean;

  /** @internal Use `askSession`. */
  constructor({ specification, session, limits = {}, record = true }: AskSessionOptions) {
    requireAskable(specification);
    const parts = partsOf(specification, { ...AGENT_LIMITS, ...limits });
    this.#parts = parts;
    const followed = new FollowedRun(parts.knowledge, parts.beliefs, () => this.#view.guards);
    this.#followed = followed;
    this.#isRecorded = record;
    const waiting: RunRecord[] = [];
    let isReady = false;
    this.#view = session.follow((one) => (isReady ? followed.take(one) : void waiting.push(one)));
    requireRead(parts, this.#view);
    isReady = true;
    for (const one of waiting) followed.take(one);
  }

  /** Whether a call is allowed now, and what the session would decide on it. @throws as `Ask.may` */
  may(call: AskedCall): Promise<MayAnswer> {
    return this.#ask('may', asData(requireCall(call))) as Promise<MayAnswer>;
  }

  /** @throws as `Ask.whyNot` */
  whyNot(call: AskedCall): Promise<WhyNotAnswer> {
    return this.#ask('whyNot', asData(requireCall(call))) as Promise<WhyNotAnswer>;
  }

  /** @throws as `Ask.instead` */
  instead(
    wanted: AskedCall | string | null = null,
    candidates: readonly AskedCall[] | null = null,
  ): Promise<InsteadAnswer> {
    return this.#ask('instead', asData({ wanted, candidates })) as Promise<InsteadAnswer>;
  }

  /** @throws as `Ask.before` */
  before(wanted: AskedCall | string): Promise<BeforeAnswer> {
    return this.#ask('before', asData(wanted)) as Promise<BeforeAnswer>;
  }

  /** As `Ask.owed`. */
  owed(): Promise<OwedAnswer> {
    return this.#ask('owed', null) as Promise<OwedAnswer>;
  }

  /** @throws as `Ask.will` */
  will(formula: Formula | string): Promise<WillAnswer> {
    const text = typeof formula === 'string' ? formula : printFormula(formula);
    return this.#ask('will', text) as Promise<WillAnswer>;
  }

  /** As `Ask.rules`. */
  rules(): Promise<RulesAnswer> {
    return this.#ask('rules', null) as Promise<RulesAnswer>;
  }

  /** As `Ask.question`. */
  question(text: string): Promise<Answer> {
    return this.#ask('question', String(text));
  }

  #ask(question: Put['question'], about: unknown): Promise<Answer> {
    return this.#view.ask((standing) => {
      const { state, time } = standing;
      const now = state === null ? null : { state, ...(time !== undefined && { time }) };
      const notes = new AnswerNotes(this.#parts.knowledge, this.#followed.present(now));
      const put = { question, about, said: notesOf(standing) };
      const answer = answered(this.#parts, this.#followed.situation(notes), put, (call) => {
        const made = standing.decide({ name: call.name, arguments: call.arguments ?? {} });
        return made === null ? null : notes.decided(call, made);
      });
      return { answer, record: this.#isRecorded ? notes.record(put, answer, this.#parts) : null };
    });
  }
}

/** Answers questions about the rules of a specification from where a session stands. @throws InvalidArgumentError if the run has begun, or no guard of it reads what the rules read */
export function askSession(options: AskSessionOptions): LiveAsk {
  refuseUnknownOptions('askSession', options, {
    specification: true,
    session: true,
    limits: true,
    record: true,
  });
  return new LiveAsk(options);
}

/** @throws NotSupportedError if questions cannot be asked about a live run under the specification, or the automaton of a rule is too large */
export function requireAskable(specification: Specification): void {
  if (specification.samplingPeriod !== null)
    throw new NotSupportedError(
      'questions take each call of a session as a step, and the specification has a samplingPeriod, under which steps are not calls; ask about a recording (createAsk)',
    );
  partsOf(specification);
}

/** Longest JSON of what is asked about. */
const MOST = 20_000;

/** Plain data, read once. @throws InvalidDataError if it is none, or too long */
function asData(about: unknown): unknown {
  return frozenJson(about, MOST);
}

/** What stands beside each answer. */
function notesOf({ over, running }: Standing): string[] {
  if (over !== null) return [over];
  if (running.length === 0) return [];
  const calls = running.slice(0, 3).map((call) => callText(call));
  const more = running.length > 3 ? ` and ${running.length - 3} more` : '';
  return [
    `Running: ${calls.join(', ')}${more}. What is read of the state until they have come back is not known.`,
  ];
}

/** @throws InvalidArgumentError if no guard of the session reads all that a rule reads: its place in the run would not be known */
function requireRead({ knowledge }: AskParts, { guards }: RunView): void {
  const read = [...new Set(knowledge.rules.flatMap(({ automaton }) => automaton.predicates))];
  const lacking = guards.map((file) => {
    const known = new Map(file?.predicates.map(({ name, expression }) => [name, expression]));
    return read.filter(
      (name) => known.get(name) !== knowledge.definitions[knowledge.placeOf(name)].expression,
    );
  });
  if (read.length === 0 || lacking.some(({ length }) => length === 0)) return;
  const [name] = lacking.sort((a, b) => a.length - b.length)[0] ?? read;
  throw new InvalidArgumentError(
    `no guard of the session reads the predicate "${name}" as the specification has it, so that it is not known where the run stands; give the session a guard of this specification, by compileRules or compileGuard`,
  );
}
