import { wordsOf } from './messages.js';
import { createRedaction } from './redaction.js';
import { frozenJson } from './snapshot.js';
import type { ToolCall } from './toolCall.js';

/** A call as it was when it was proposed, which can no longer change. */
export interface ReadCall {
  readonly call: ToolCall;
  /** The fault of its arguments; null if they are plain data. If they are refused, the call holds the part that can be shown. */
  readonly fault: string | null;
  /** The arguments as they were given; shadow mode runs the call with them if they are refused. */
  readonly given: unknown;
}

const shown = createRedaction([]);
const known = new WeakMap<ToolCall, ReadCall>();

/**
 * Reads a call once, whatever it holds: only this reading is judged, recorded and run. A call that was read before is returned unchanged.
 *
 * @param mostArguments maximum number of characters of the arguments' JSON
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

/** Ids and names are text; an object in their place becomes an empty one. */
function plain(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? {} : value;
}
