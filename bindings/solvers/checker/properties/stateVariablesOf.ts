import type { Model, StateVariables, VariableValue } from '../../model/index.js';

/** The variables of a model read from a file, if its states have valuations; string variables are dropped. */
export function stateVariablesOf({ valuations }: Pick<Model, 'valuations'>): StateVariables | undefined {
  if (valuations === undefined) return undefined;
  const columns: ArrayLike<VariableValue>[] = [];
  const variables: StateVariables['variables'][number][] = [];
  valuations.variables.forEach(({ name, type }, index) => {
    if (type === 'string') return;
    variables.push({ name, type });
    columns.push(valuations.values[index]);
  });
  return {
    variables,
    read(state, into) {
      for (let v = 0; v < columns.length; v++) into[v] = Number(columns[v][state]);
    },
  };
}
