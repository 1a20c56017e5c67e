import { callArguments, plainData } from './plainData.js';

/**
 * The state of an agent's world as its calls and their results show it. Every field is present, because predicates fail on a missing one:
 * - `lastTool`, `lastToolFailed`: the tool that answered last, and whether it failed; `""` and false before;
 * - `lastArguments`: its arguments; `{}` before;
 * - `lastResult`: its result as plain data (see `plainData`; text that is JSON is parsed); null before, after a failure, and if there
 *   is none. Reading a field of null is an error, so test first: `lastTool == "search" && lastResult.hits > 0`;
 * - `calls`, `failures`: answers and failures so far for each declared tool, 0 at first.
 *
 * `lastArguments` and `lastResult` are missing if they cannot be read (see `plainData`), so that no predicate, not even `has` or `!= null`,
 * takes unreadable data for empty.
 */
export type ToolState = {
  readonly lastTool: string;
  readonly lastToolFailed: boolean;
  readonly lastArguments?: Readonly<Record<string, unknown>>;
  readonly lastResult?: unknown;
  readonly calls: Readonly<Record<string, number>>;
  readonly failures: Readonly<Record<string, number>>;
};

/**
 * Derives a `ToolState` from an agent's calls and their results alone. Guards and learning use the same states, so a model learnt from
 * recordings applies to the guard.
 */
export class ToolHistory {
  readonly #start: ToolState;
  #state: ToolState;

  /** @param tools the declared tools. Calls of other tools change the `last…` fields but are not counted. */
  constructor(tools: readonly string[]) {
    const none = Object.fromEntries(tools.map((name) => [name, 0]));
    this.#start = {
      lastTool: '',
      lastToolFailed: false,
      lastArguments: {},
      lastResult: null,
      calls: none,
      failures: none,
    };
    this.#state = this.#start;
  }

  /** The current state. Each later call creates a new object. */
  state(): ToolState {
    return this.#state;
  }

  /** Records a call that has run: `{ result }`, or `{ error }` if it failed. Both are copied; no reference is kept. */
  record(
    call: { readonly name: string; readonly arguments?: unknown },
    outcome: { readonly result: unknown } | { readonly error: unknown },
  ): void {
    const { name } = call;
    const { calls, failures } = this.#state;
    const failed = 'error' in outcome;
    const given = callArguments(call.arguments ?? {});
    const result = failed ? null : plainData(outcome.result);
    this.#state = {
      lastTool: name,
      lastToolFailed: failed,
      ...(given !== undefined && { lastArguments: given }),
      ...(result !== undefined && { lastResult: result }),
      calls: oneMore(calls, name),
      failures: failed ? oneMore(failures, name) : failures,
    };
  }

  /** Returns to the state before the first call. */
  reset(): void {
    this.#state = this.#start;
  }
}

function oneMore(counts: Readonly<Record<string, number>>, name: string): Readonly<Record<string, number>> {
  return Object.hasOwn(counts, name) ? { ...counts, [name]: counts[name] + 1 } : counts;
}
