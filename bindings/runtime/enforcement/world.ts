import { withTimeout } from '../../base/withTimeout.js';
import { ToolHistory } from '../../observations/trace/index.js';
import type { SessionOptions } from './sessionOptions.js';
import { frozenState } from './snapshot.js';
import type { ToolCall, ToolOutcome } from './toolCall.js';

/** An observed state of the world. */
export type State = Readonly<Record<string, unknown>>;

/** The time of the clock, in seconds; empty if there is none. */
export type Clock = { readonly time?: number };

const STATE_TIMEOUT_MS = 10_000;

/** The agent's world as a session observes it: by the given function, or derived from calls and their results. */
export class World {
  readonly #options: Pick<SessionOptions, 'state' | 'time' | 'stateTimeoutMs'>;
  readonly #history: ToolHistory | null;
  /** What was observed since `refresh`; null if nothing was. */
  #observed: Promise<unknown> | null = null;
  #time: Clock | null = null;

  constructor(options: Pick<SessionOptions, 'state' | 'time' | 'stateTimeoutMs'>, tools: readonly string[]) {
    this.#options = options;
    this.#history = options.state === undefined ? new ToolHistory(tools) : null;
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
    if (this.#history !== null) return this.#history.state();
    const began = performance.now();
    const given = state?.();
    const found = isPromise(given) ? await withTimeout(stateTimeoutMs, () => given) : given;
    // One that answers at once can only be told afterwards that it took too long.
    const took = performance.now() - began;
    if (took > stateTimeoutMs)
      throw new Error(`the state came after ${Math.round(took)} ms; expected it within ${stateTimeoutMs}`);
    return frozenState(found);
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

  /** Records a call that has come back. */
  record(call: ToolCall, outcome: ToolOutcome): void {
    this.#history?.record(call, outcome);
  }
}

function isPromise(value: unknown): value is Promise<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
}
