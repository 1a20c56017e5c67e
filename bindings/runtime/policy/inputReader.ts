import { InvalidArgumentError } from '../../base/errors.js';
import type { DecidedCall } from './decider.js';
import type { PolicyInput } from './policySet.js';

export const ARGUMENT = 'action.arguments.';
export const STATE = 'state.';
/** Where answers about the call are, which were asked for before it is decided. */
export const DETECTED = 'action.detected.';

/** Reads an input of a call and the state; undefined if there is none. */
export type ReadInput = (call: DecidedCall, state: Readonly<Record<string, unknown>>) => unknown;

/** @throws InvalidArgumentError for a place that is none */
export function inputReader({ name, from }: PolicyInput): ReadInput {
  if (from === 'action.name') return (call) => call.name;
  if (from.startsWith(ARGUMENT)) {
    const path = from.slice(ARGUMENT.length).split('.');
    return (call) => valueAt(call.arguments, path);
  }
  if (from.startsWith(DETECTED)) return answerReader(from.slice(DETECTED.length));
  if (!from.startsWith(STATE))
    throw new InvalidArgumentError(
      `input "${name}" is read from "${from}"; expected action.name, action.arguments.NAME, state.FIELD or action.detected.NAME`,
    );
  const path = from.slice(STATE.length).split('.');
  return (_, state) => valueAt(state, path);
}

/** Reads an answer; one that there is none of throws when it is read, and is absent here. */
function answerReader(name: string): ReadInput {
  return ({ detected }) => {
    try {
      return detected !== undefined && Object.hasOwn(detected, name) ? detected[name] : undefined;
    } catch {
      return undefined;
    }
  };
}

function valueAt(root: unknown, path: readonly string[]): unknown {
  let value = root;
  for (let i = 0; i < path.length; i++) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, path[i])) return undefined;
    value = (value as Record<string, unknown>)[path[i]];
  }
  return value;
}

/** The value of an input of a call and the state; undefined if there is none. */
export function readInput(
  input: PolicyInput,
  call: DecidedCall,
  state: Readonly<Record<string, unknown>>,
): unknown {
  return inputReader(input)(call, state);
}
