import { callArguments, plainData } from './plainData.js';

/**
 * The state of an agent's world as its calls and their results show it. Every field is present, because predicates fail on a missing one:
 * - `lastTool`, `lastToolFailed`: the tool that answered last, and whether it failed; `""` and false before;
 * - `lastArguments`: its arguments; `{}` before;
 * - `lastResult`: its result as plain data (see `plainData`; text that is JSON is parsed); null before, after a failure, and if there
 *   is none. Reading a field of null is an error, so test first: `lastTool == "search" && lastResult.hits > 0`;
 * - `lastDetected`: what detectors answered about that call; missing if none was asked;
 * - `calls`, `failures`: answers and failures so far for each declared tool, 0 at first;
 * - `history`: the calls that have answered, the oldest first.
 *
 * `lastArguments` and `lastResult` are missing if they cannot be read (see `plainData`), so that no predicate, not even `has` or `!= null`,
 * takes unreadable data for empty.
 */
export type ToolState = {
  readonly lastTool: string;
  readonly lastToolFailed: boolean;
  readonly lastArguments?: Readonly<Record<string, unknown>>;
  readonly lastResult?: unknown;
  /** What detectors answered about its arguments and its result, by their names; missing if none was asked. */
  readonly lastDetected?: Readonly<Record<string, unknown>>;
  readonly calls: Readonly<Record<string, number>>;
  readonly failures: Readonly<Record<string, number>>;
  readonly history: readonly PastCall[];
};

/** A call that has answered. */
export interface PastCall {
  readonly name: string;
  /** Missing if they cannot be read, or were not recorded. */
  readonly arguments?: Readonly<Record<string, unknown>>;
  readonly failed: boolean;
  /** What detectors answered about its arguments and its result, by their names; missing if none was asked. */
  readonly detected?: Readonly<Record<string, unknown>>;
  /** When it answered, in seconds; missing if nobody knows. */
  readonly time?: number;
}

/** What is known of a call beside its outcome. */
export interface RecordedCall {
  /** When it answered, in seconds. */
  readonly time?: number | undefined;
  /** What nobody knows of it: predicates that read it fail. */
  readonly without?: readonly ('arguments' | 'result')[];
  /** What detectors answered about it. */
  readonly detected?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Derives a `ToolState` from an agent's calls and their results alone. Guards and learning use the same states, so a model learnt from
 * recordings applies to the guard.
 */
export class ToolHistory {
  readonly #start: ToolState;
  #state: ToolState;
  /** All calls; a state shows those before it, so that states share one list. */
  #calls: PastCall[] = [];

  readonly #lists: boolean;

  /**
   * @param tools the declared tools. Calls of other tools change the `last…` fields but are not counted.
   * @param lists whether states have `history`; default true
   */
  constructor(tools: readonly string[], lists = true) {
    this.#lists = lists;
    const none = Object.fromEntries(tools.map((name) => [name, 0]));
    this.#start = this.#after({
      lastTool: '',
      lastToolFailed: false,
      lastArguments: {},
      lastResult: null,
      calls: none,
      failures: none,
    });
    this.#state = this.#start;
  }

  /** The current state. Each later call creates a new object. */
  state(): ToolState {
    return this.#state;
  }

  /**
   * Records a call that has run: `{ result }`, or `{ error }` if it failed. Both are copied; no reference is kept.
   *
   * @param more when it answered, and what nobody knows of it
   */
  record(
    call: { readonly name: string; readonly arguments?: unknown },
    outcome: { readonly result: unknown } | { readonly error: unknown },
    { time, without = [], detected }: RecordedCall = {},
  ): void {
    const { calls, failures } = this.#state;
    const past = pastCall(call, outcome, { time, without, detected });
    const { name, arguments: given, failed } = past;
    const result =
      'error' in outcome ? null : without.includes('result') ? undefined : plainData(outcome.result);
    this.#calls.push(past);
    this.#state = this.#after({
      lastTool: name,
      lastToolFailed: failed,
      ...(given !== undefined && { lastArguments: given }),
      ...(result !== undefined && { lastResult: result }),
      ...(detected !== undefined && { lastDetected: detected }),
      calls: oneMore(calls, name),
      failures: failed ? oneMore(failures, name) : failures,
    });
  }

  /** The state after the calls so far; its list of them is made when it is read. */
  #after(state: Omit<ToolState, 'history'>): ToolState {
    const calls = this.#calls;
    const count = calls.length;
    if (!this.#lists) return state as ToolState;
    return Object.defineProperty(state, 'history', {
      enumerable: true,
      get: () => calls.slice(0, count),
    }) as ToolState;
  }

  /** Returns to the state before the first call. */
  reset(): void {
    this.#calls = [];
    this.#state = this.#start;
  }
}

/** A call that has answered, as `history` lists it. */
export function pastCall(
  { name, arguments: found }: { readonly name: string; readonly arguments?: unknown },
  outcome: { readonly result: unknown } | { readonly error: unknown },
  { time, without = [], detected }: RecordedCall = {},
): PastCall {
  const given = without.includes('arguments') ? undefined : callArguments(found ?? {});
  return {
    name,
    ...(given !== undefined && { arguments: given }),
    failed: 'error' in outcome,
    ...(detected !== undefined && { detected }),
    ...(time !== undefined && Number.isFinite(time) && { time }),
  };
}

function oneMore(counts: Readonly<Record<string, number>>, name: string): Readonly<Record<string, number>> {
  return Object.hasOwn(counts, name) ? { ...counts, [name]: counts[name] + 1 } : counts;
}

/** Puts the fields of a state beside others, which take precedence. No field is read. */
export function beside(state: object, others: object): Record<string, unknown> {
  return Object.defineProperties(
    {},
    {
      ...Object.getOwnPropertyDescriptors(state),
      ...Object.getOwnPropertyDescriptors(others),
    },
  );
}
