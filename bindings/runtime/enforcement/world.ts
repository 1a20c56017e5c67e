import { isRecord } from '../../base/objectKind.js';
import { withTimeout } from '../../base/withTimeout.js';
import { beside, ToolHistory } from '../../observations/trace/index.js';
import { historyFields } from './historyFields.js';
import type { DecisionRecord, OutcomeRecord } from './record.js';
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
  'state' | 'time' | 'stateTimeoutMs' | 'guard' | 'judges' | 'rules' | 'replacements' | 'redact'
>;

const STATE_TIMEOUT_MS = 10_000;

/** The agent's world as a session observes it: by the given function, beside what follows from calls and their results. */
export class World {
  readonly #options: WorldOptions;
  readonly #history: ToolHistory;
  readonly #unsettled = new UnsettledHistory();
  /** Whether the calls' history stands beside the given state. */
  readonly #extends: boolean;
  /** What was observed since `refresh`; null if nothing was. */
  #observed: Promise<unknown> | null = null;
  #time: Clock | null = null;

  constructor(options: WorldOptions, tools: readonly string[]) {
    const fields = historyFields(options);
    this.#options = options;
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

  async #look(): Promise<unknown> {
    const { state, stateTimeoutMs = STATE_TIMEOUT_MS } = this.#options;
    if (state === undefined) return this.#ofCalls();
    const began = performance.now();
    const given = state();
    const found = isPromise(given) ? await withTimeout(stateTimeoutMs, () => given) : given;
    // One that answers at once can only be told afterwards that it took too long.
    const took = performance.now() - began;
    if (took > stateTimeoutMs)
      throw new Error(`the state came after ${Math.round(took)} ms; expected it within ${stateTimeoutMs}`);
    const frozen = frozenState(found);
    return this.#extends ? this.withHistory(frozen) : frozen;
  }

  /** A state with what follows from the calls by definition; its own fields come first. A state that is no record stays as it is. */
  protected withHistory(state: unknown): unknown {
    return typeof state === 'object' && state !== null && isRecord(state)
      ? beside(this.#ofCalls(), state)
      : state;
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

  /** What the calls and their results show of the world. */
  #ofCalls(): State {
    return this.#unsettled.state(this.#history.state());
  }

  /**
   * Records a call that has come back; returns when, in seconds, if there is a clock that can be read.
   *
   * @param number of the decision on it
   */
  record(number: number, call: ToolCall, outcome: ToolOutcome): { readonly at?: number } {
    const time = this.#now();
    const made = this.#unsettled.came(number);
    if (made === undefined) this.#history.record(call, outcome, { time });
    else this.#recordMade(made, outcome, time);
    return time !== undefined && Number.isFinite(time) ? { at: time } : {};
  }

  /**
   * Records a call that came back before the run was resumed, as far as records tell: they hold no results, and arguments only if nothing may be hidden.
   */
  recall(decision: DecisionRecord, { outcome, at }: OutcomeRecord): void {
    const came = outcome === 'failed' ? { error: null } : { result: null };
    this.#unsettled.came(decision.number);
    this.#recordMade(this.#madeBy(decision), came, at, ['result']);
  }

  /** A call was running when the run was interrupted. */
  cut(decision: DecisionRecord): void {
    this.#unsettled.add(decision.number, this.#madeBy(decision));
  }

  /** A call that was let through has not run, and will not. @param number of the decision on it */
  withdraw(number: number): void {
    this.#unsettled.drop(number);
  }

  /** The call that a decision let through, as records tell. Those of earlier versions do not say what ran in place of a call: then it is what would run now. */
  #madeBy({ call, instead, action, decision }: DecisionRecord): MadeCall {
    const { replacements = {}, redact = [] } = this.#options;
    const now = decision === 'replace' ? replacements[action ?? ''] : undefined;
    const {
      name,
      arguments: given,
      cut,
    } = instead ?? (typeof now === 'object' ? { ...now, cut: false } : call);
    const isWhole = !cut && (instead !== undefined || typeof now !== 'function');
    return { name, ...(redact.length === 0 && isWhole && { arguments: given ?? {} }) };
  }

  #recordMade(
    call: MadeCall,
    outcome: ToolOutcome,
    time: number | undefined,
    unknown: readonly 'result'[] = [],
  ): void {
    const without = call.arguments === undefined ? (['arguments', ...unknown] as const) : unknown;
    this.#history.record(call, outcome, { time, without });
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

function isPromise(value: unknown): value is Promise<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
}
