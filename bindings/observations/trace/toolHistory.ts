import { callArguments, plainData } from './plainData.js';

/**
 * What calls and their results tell of an agent's world, every field present, since a missing one is an error in predicates:
 * - `lastTool`, `lastToolFailed`: the tool that answered last, and whether it failed; `""` and false before;
 * - `lastArguments`: its arguments; `{}` before;
 * - `lastResult`: its result as plain data (see `plainData`), of text that is JSON the data; null before, after a failure, and where there is none. Reading a
 *   field of null is an error: `lastTool == "search" && lastResult.hits > 0` asks first;
 * - `calls`, `failures`: answers and failures so far for each declared tool, 0 at first.
 *
 * `lastArguments` and `lastResult` are missing where they cannot be read (see `plainData`): no predicate that asks about them, by `has` or `!= null` either, takes them for nothing.
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
 * The state of the world that follows from an agent's calls and their results alone: the same while the agent runs and when traces of
 * it are learnt, so that what is learnt from recordings holds for the guard.
 */
export class ToolHistory {
  readonly #start: ToolState;
  #state: ToolState;

  /** @param tools the declared tools. Calls of others change what was last, and are not counted. */
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

  /** The state now. A later call gives a new one. */
  state(): ToolState {
    return this.#state;
  }

  /** Takes in a call that has run: `{ result }`, or `{ error }` where it failed. Nothing of either is kept: both are copied. */
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

  /** Back to before the first call. */
  reset(): void {
    this.#state = this.#start;
  }
}

function oneMore(counts: Readonly<Record<string, number>>, name: string): Readonly<Record<string, number>> {
  return Object.hasOwn(counts, name) ? { ...counts, [name]: counts[name] + 1 } : counts;
}
