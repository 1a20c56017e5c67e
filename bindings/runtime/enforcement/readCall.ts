import { wordsOf } from './messages.js';
import { createRedaction } from './redaction.js';
import { frozenJson } from './snapshot.js';
import type { ToolCall } from './toolCall.js';

/** A call as it was when it was proposed, which nobody can change any more. */
export interface ReadCall {
  readonly call: ToolCall;
  /** Why its arguments are none; null where they are plain data. Of refused arguments the call has what can be shown. */
  readonly fault: string | null;
  /** The arguments as they were given; what shadow mode lets run where they are none. */
  readonly given: unknown;
}

const shown = createRedaction([]);
const known = new WeakMap<ToolCall, ReadCall>();

/**
 * Reads a call, whatever it is, once: all that is judged, recorded and run of it is what was read here. One that was read before stays as it is.
 *
 * @param mostArguments characters of the arguments' JSON beyond which they are refused
 */
export function readCall(proposed: ToolCall, mostArguments: number): ReadCall {
  const before = known.get(proposed);
  if (before !== undefined) return before;
  let [id, name, given]: [unknown, unknown, unknown] = ['', undefined, null];
  let asGiven: unknown = null;
  let fault: string | null = null;
  try {
    ({ id, name, arguments: given } = proposed);
    asGiven = given;
    if (typeof given !== 'object' || given === null || Array.isArray(given))
      fault = `expected an object, found ${Array.isArray(given) ? 'a list' : wordsOf(given)}`;
    else given = frozenJson(given, mostArguments);
  } catch (error) {
    fault = wordsOf(error);
  }
  const call = Object.freeze({
    id: plain(id),
    name: plain(name),
    arguments: fault === null ? given : shown(given),
  }) as ToolCall;
  const read = { call, fault, given: asGiven };
  known.set(call, read);
  return read;
}

/** Ids and names are text; of what is none only its kind is kept. */
function plain(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? {} : value;
}
