import type { StateVariables } from '../../model/index.js';
import type { Subject } from './context.js';
import { stateVariablesOf } from './stateVariablesOf.js';

/**
 * States in PRISM's order: by the values of their variables (the first declared variable is most significant, and false comes
 * before true), or by number without variables. State numbers depend on the order of exploration, which users should not need
 * to know.
 */
export function statesInOrder(
  states: Iterable<number>,
  { model, variables = stateVariablesOf(model) }: Subject,
): number[] {
  if (variables === undefined) return [...states].sort((a, b) => a - b);
  const read = valuesOf(variables);
  return Array.from(states, (state) => ({ state, values: read(state).slice() }))
    .sort((a, b) => compare(a.values, b.values) || a.state - b.state)
    .map(({ state }) => state);
}

/** The first of the states in that order; -1 for no states. */
export function firstInOrder(states: Iterable<number>, variables: StateVariables | undefined): number {
  const read = variables && valuesOf(variables);
  let first = -1;
  let least: Float64Array | undefined;
  for (const state of states) {
    const values = read?.(state);
    if (first >= 0 && !(values && least && compare(values, least) < 0)) continue;
    first = state;
    least = values?.slice();
  }
  return first;
}

/** Reads states one by one into the same array. */
function valuesOf(variables: StateVariables): (state: number) => Float64Array {
  const values = new Float64Array(variables.variables.length);
  return (state) => {
    variables.read(state, values);
    return values;
  };
}

function compare(a: Float64Array, b: Float64Array): number {
  for (let v = 0; v < a.length; v++) if (a[v] !== b[v]) return a[v] - b[v];
  return 0;
}
