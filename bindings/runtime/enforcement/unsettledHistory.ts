import { callArguments, type PastCall, type ToolState } from '../../observations/trace/index.js';
import type { Detected } from './detected.js';
import type { State } from './world.js';

/** A call that was made before the run was interrupted, as far as records tell. */
export interface MadeCall {
  readonly name: string;
  /** Missing if they were not recorded, or may have been hidden. */
  readonly arguments?: unknown;
  /** What is known of detectors about it. */
  readonly detected?: Detected;
  /** When its client went, in seconds; missing if nobody knows. */
  readonly time?: number;
}

interface Unsettled {
  readonly call: MadeCall;
  /** Number of calls that had come back when it was running last, as far as anyone knows. */
  after: number;
}

/**
 * Calls that were running when the run was interrupted, or when nobody waited for them any more, in the history of calls. Each may have run, or not, and states say no more than that:
 * - it was made, so it counts in `calls`, and stands in `history` after those that had come back by then;
 * - whether it failed and when it answered is not known: its entry lacks `failed` and `time`, and `failures` lacks its tool;
 * - until a later call comes back, nobody knows which was the last: the `last…` fields are missing.
 *
 * Predicates that read what is missing fail, whatever the truth is. So none takes such a call for one that never ran, or for one that has succeeded.
 */
export class UnsettledHistory {
  readonly #calls = new Map<number, Unsettled>();
  /** Number of calls that have come back. */
  #returned = 0;

  /** Adds a call that was running, unless it is there. @param number of the decision on it */
  add(number: number, call: MadeCall): void {
    if (!this.#calls.has(number)) this.#calls.set(number, { call, after: this.#returned });
  }

  /** A call has come back. Returns what records have of it, if it was one of these. */
  came(number: number): MadeCall | undefined {
    const one = this.#calls.get(number);
    this.#calls.delete(number);
    // It may have run before the others of these.
    if (one !== undefined)
      for (const other of this.#calls.values()) if (this.#mayBeLast(other)) other.after++;
    this.#returned++;
    return one?.call;
  }

  /** It has not run, and will not. */
  drop(number: number): void {
    this.#calls.delete(number);
  }

  #mayBeLast({ after }: Unsettled): boolean {
    return after === this.#returned;
  }

  /** The state with these calls. @param known the state by the calls that have come back */
  state(known: ToolState): State {
    const unsettled = [...this.#calls.values()].map(({ call, after }) => ({ call, after }));
    if (unsettled.length === 0) return known;
    const names = unsettled.map(({ call }) => call.name);
    const { lastTool, lastToolFailed, lastArguments, lastResult, lastDetected } = known;
    const last = {
      lastTool,
      lastToolFailed,
      ...(lastArguments !== undefined && { lastArguments }),
      ...(lastResult !== undefined && { lastResult }),
      ...(lastDetected !== undefined && { lastDetected }),
    };
    const state = {
      ...(!unsettled.some((one) => this.#mayBeLast(one)) && last),
      calls: plus(known.calls, names),
      failures: without(known.failures, names),
    };
    // Made when it is read, as the known one.
    return Object.defineProperty(state, 'history', {
      enumerable: true,
      get: () => merged(known.history, unsettled),
    });
  }
}

type Counts = Readonly<Record<string, number>>;

function plus(counts: Counts, names: readonly string[]): Counts {
  const times = (name: string): number => names.filter((one) => one === name).length;
  return Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, count + times(name)]));
}

function without(counts: Counts, names: readonly string[]): Counts {
  return Object.fromEntries(Object.entries(counts).filter(([name]) => !names.includes(name)));
}

function merged(
  history: readonly PastCall[],
  unsettled: readonly Readonly<Unsettled>[],
): (MadeCall | PastCall)[] {
  const known = history.map((call, i) => ({ call, after: i }));
  const made = unsettled.map(({ call, after }) => ({ call: entryOf(call), after: after - 0.5 }));
  return [...known, ...made].sort((a, b) => a.after - b.after).map(({ call }) => call);
}

function entryOf({ name, arguments: recorded, detected, time }: MadeCall): MadeCall {
  const given = recorded === undefined ? undefined : callArguments(recorded);
  return {
    name,
    ...(given !== undefined && { arguments: given }),
    ...(detected && { detected }),
    ...(time !== undefined && { time }),
  };
}
