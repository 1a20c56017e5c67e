import type { Valuations } from './descriptions.js';
import type { StateVariables } from './model.js';

/**
 * Writes out the variables of explored states in the form that files keep: one typed array per variable (Int32Array,
 * Float64Array for doubles and large integers, Uint8Array of 0 and 1 for Booleans). Takes time and memory linear in states ×
 * variables.
 *
 * @param states the number of states to read, from state 0 on
 */
export function valuationsOf(source: StateVariables, states: number): Valuations {
  const { variables } = source;
  const columns = variables.map(({ type }) =>
    type === 'bool'
      ? new Uint8Array(states)
      : type === 'int'
        ? new Int32Array(states)
        : new Float64Array(states),
  );
  const values = new Float64Array(variables.length);
  for (let state = 0; state < states; state++) {
    source.read(state, values);
    for (let v = 0; v < columns.length; v++) {
      // Ranges beyond 32 bits are rare: the column is widened when the first such value comes.
      if (variables[v].type === 'int' && columns[v] instanceof Int32Array && values[v] !== (values[v] | 0))
        columns[v] = Float64Array.from(columns[v]);
      columns[v][state] = values[v];
    }
  }
  return { variables: variables.map(({ name, type }) => ({ name, type })), values: columns };
}
