import { InvalidDataError } from '../../base/errors.js';
import { isRecord } from '../../base/objectKind.js';
import { withTimeout } from '../../base/withTimeout.js';
import { beside, ToolHistory } from '../../observations/trace/index.js';
import type { Detected, RecordedDetected } from './detected.js';
import { type Detectors, together } from './detectors.js';
import { historyFields } from './historyFields.js';
import { PRINCIPAL, type Principal } from './principal.js';
import type { DecisionRecord, OutcomeRecord, RecordedCall } from './record.js';
import { looksPartial } from './redaction.js';
import type { SessionOptions } from './sessionOptions.js';
import { frozenState } from './snapshot.js';
import type { ToolCall, ToolOutcome } from './toolCall.js';
import { type MadeCall, UnsettledHistory } from './unsettledHistory.js';

/** An observed state of the world. */
export type State = Readonly<Record<string, unknown>>;

/** The time of the clock, in seconds; empty if there is none. */
export type Clock = { readonly time?: number };

type WorldOptions = Pick<
  SessionOptions,
  'state' | 'time' | 'stateTimeoutMs' | 'guard' | 'judges' | 'rules' | 'replacements'
>;

const STATE_TIMEOUT_MS = 10_000;

/** What judges see of a world. */
export type SeenWorld = Pick<World, 'refresh' | 'observe' | 'clock'>;

/** The agent's world as a session observes it: by the given function, beside what follows from calls and their results. */
export class World {
  readonly #options: WorldOptions;
  readonly #detectors: Detectors;
  readonly #history: ToolHistory;
  /** The principal as a field of states; null if nobody is told. */
  readonly #principal: { readonly [PRINCIPAL]: Principal } | null;
  readonly #unsettled = new UnsettledHistory();
  /** Whether the calls' history stands beside the given state. */
  readonly #extends: boolean;
  /** What was observed since `refresh`; null if nothing was. */
  #observed: Promise<unknown> | null = null;
  #time: Clock | null = null;

  constructor(options: WorldOptions, tools: readonly string[], detectors: Detectors, principal?: Principal) {
    const fields = historyFields(options);
    this.#principal = principal === undefined ? null : Object.freeze({ [PRINCIPAL]: principal });
    this.#options = options;
    this.#detectors = detectors;
    this.#history = new ToolHistory(tools);
    this.#extends = fields.size > 0;
  }

  /** From now on the world is another: it is observed, and its clock read, anew. */
  refresh(): void {
    this.#observed = null;
    this.#time = null;
  }

  /**
   * Observes the world, once until `refresh`: all guards, their predicates, reactive rules and records see the same.
   * @throws any error of `state`; an Error if it takes too long
   */
  observe(): Promise<unknown> {
    this.#observed ??= this.#look();
    return this.#observed;
  }

  /** The world as it is, for questions: neither kept nor recorded. @throws as `observe` */
  peek(): Promise<unknown> {
    return this.#look();
  }

  /** The time of the clock as it is, for questions. @throws any error of `time` */
  peekClock(): Clock {
    const { time } = this.#options;
    return time === undefined ? {} : { time: (time() ?? null) as number };
  }

  async #look(): Promise<unknown> {
    const { state, stateTimeoutMs = STATE_TIMEOUT_MS } = this.#options;
    if (state === undefined) return this.#ofCalls();
    const began = performance.now();
    const given = state();
    const found = isPromise(given) ? await withTimeout(stateTimeoutMs, () => given) : given;
    // One that answers at once can only be told afterwards that it took too long.
    const took = performance.now() - began;
    if (took > stateTimeoutMs)
      throw new Error(`the state took ${Math.round(took)} ms; expected at most ${stateTimeoutMs}`);
    const frozen = frozenState(found);
    if (!isFields(frozen)) return frozen;
    if (Object.hasOwn(frozen, PRINCIPAL))
      throw new InvalidDataError(
        `the state has a field named ${PRINCIPAL}, which says who is asking and comes from the session alone; give createSession the option ${PRINCIPAL}, or rename the field`,
      );
    const whole = this.#principal === null ? frozen : beside(frozen, this.#principal);
    return this.#extends ? this.withHistory(whole) : whole;
  }

  /** A state with what follows from the calls by definition; its own fields come first. A state that is no record stays as it is. */
  protected withHistory(state: unknown): unknown {
    return isFields(state) ? beside(this.#ofCalls(), state) : state;
  }

  /**
   * Reads the clock, once until `refresh`. A missing reading becomes null, which is a fault like a value that is not a number, rather than a step without a time. @throws any error
   * of `time`
   */
  clock(): Clock {
    const { time } = this.#options;
    this.#time ??= time === undefined ? {} : { time: (time() ?? null) as number };
    return this.#time;
  }

  /** What the calls and their results show of the world, and who is asking. */
  #ofCalls(): State {
    const state = this.#unsettled.state(this.#history.state());
    return this.#principal === null ? state : beside(state, this.#principal);
  }

  /**
   * Records a call that has come back; returns when, in seconds, if there is a clock that can be read.
   *
   * @param number of the decision on it
   * @param found what detectors answered about its result
   */
  record(
    number: number,
    call: ToolCall,
    outcome: ToolOutcome,
    found?: RecordedDetected,
  ): { readonly at?: number } {
    const time = this.#now();
    const at = time !== undefined && Number.isFinite(time) ? { at: time } : {};
    if ('mayHaveRun' in outcome) {
      this.#unsettled.add(number, { ...madeOf(call, found), ...timeOf(at) });
      return at;
    }
    const made = this.#unsettled.came(number);
    const detected = together((made ?? call).detected, found);
    if (made === undefined) this.#history.record(call, outcome, { time, detected });
    else this.#recordMade({ ...made, ...withDetected(detected) }, outcome, time);
    return at;
  }

  /**
   * Records a call that came back before the run was resumed, as far as records tell: they hold no results, and not all arguments.
   */
  recall(decision: DecisionRecord, { outcome, at, detected, mayHaveRun }: OutcomeRecord): void {
    if (mayHaveRun) {
      const made = this.#madeBy(decision, detected);
      this.#unsettled.add(decision.number, { ...made, ...timeOf({ at }) });
      return;
    }
    const came = outcome === 'failed' ? { error: null } : { result: null };
    this.#unsettled.came(decision.number);
    this.#recordMade(this.#madeBy(decision, detected), came, at, ['result']);
  }

  /** A call was running when the run was interrupted. */
  cut(decision: DecisionRecord): void {
    this.#unsettled.add(decision.number, this.#madeBy(decision));
  }

  /** A call that was let through has not run, and will not. @param number of the decision on it */
  withdraw(number: number): void {
    this.#unsettled.drop(number);
  }

  /**
   * The call that a decision let through, as records tell. Those of earlier versions do not say what ran in place of a call: then it is what would run now.
   *
   * @param ofResult what records hold of detectors about its result
   */
  #madeBy(
    { call, instead, action, decision, detected: ofCall }: DecisionRecord,
    ofResult?: RecordedDetected,
  ): MadeCall {
    const { replacements = {} } = this.#options;
    const now = decision === 'replace' && instead === undefined ? replacements[action ?? ''] : undefined;
    const made = typeof now === 'object' ? { ...now } : (instead ?? call);
    // Of a call in its place, records hold no answers about arguments.
    const detected = this.#detectors.recalled(made.name, {
      ...(decision !== 'replace' && ofCall),
      ...ofResult,
    });
    return {
      name: made.name,
      ...(typeof now !== 'function' && isWhole(made) && { arguments: made.arguments ?? {} }),
      ...withDetected(detected),
    };
  }

  #recordMade(
    call: MadeCall,
    outcome: ToolOutcome,
    time: number | undefined,
    unknown: readonly 'result'[] = [],
  ): void {
    const without = call.arguments === undefined ? (['arguments', ...unknown] as const) : unknown;
    this.#history.record(call, outcome, { time, without, detected: call.detected });
  }

  /** The time of the clock; undefined if it cannot be read. */
  #now(): number | undefined {
    try {
      return this.#options.time?.();
    } catch {
      return undefined;
    }
  }
}

/** A call as it was made. @param found what detectors answered about its result */
function madeOf({ name, arguments: given, detected }: ToolCall, found?: RecordedDetected): MadeCall {
  return { name, arguments: given, ...withDetected(together(detected, found)) };
}

function timeOf({ at }: { readonly at?: number | undefined }): Pick<MadeCall, 'time'> {
  return at === undefined ? {} : { time: at };
}

function withDetected(detected: Detected | undefined): Pick<MadeCall, 'detected'> {
  return detected === undefined ? {} : { detected };
}

/** Whether a state is a record, which fields can stand beside. */
function isFields(state: unknown): state is State {
  return typeof state === 'object' && state !== null && isRecord(state);
}

/** Whether records have all arguments of a call: what is hidden or cut is not a value. Those of earlier versions show it by its placeholders alone. */
function isWhole({ arguments: given, cut, hidden }: Omit<RecordedCall, 'name'>): boolean {
  return cut !== true && hidden !== true && !looksPartial(given);
}

function isPromise(value: unknown): value is Promise<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
}
