import { InvalidArgumentError } from '../../base/errors.js';
import type { DecidedCall } from './decider.js';
import type { PolicyInput } from './policySet.js';

export const ARGUMENT = 'action.arguments.';
export const STATE = 'state.';

/** Reads an input of a call and the state; undefined if there is none. */
export type ReadInput = (call: DecidedCall, state: Readonly<Record<string, unknown>>) => unknown;

/** @throws InvalidArgumentError for a place that is none */
export function inputReader({ name, from }: PolicyInput): ReadInput {
  if (from === 'action.name') return (call) => call.name;
  if (from.startsWith(ARGUMENT)) {
    const path = from.slice(ARGUMENT.length).split('.');
    return (call) => valueAt(call.arguments, path);
  }
  if (!from.startsWith(STATE))
    throw new InvalidArgumentError(
      `input "${name}" is read from "${from}"; expected action.name, action.arguments.NAME or state.FIELD`,
    );
  const path = from.slice(STATE.length).split('.');
  return (_, state) => valueAt(state, path);
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
