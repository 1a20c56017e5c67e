import type { Subject } from '../../solvers/checker/index.js';
import type { VariableValue } from '../../solvers/model/index.js';

/** The values of a state's variables by name. */
export type StateValuation = Readonly<Record<string, VariableValue>>;

/** Returns a function that reads the variables of a model's states; undefined if the states have none. */
export function openValuations({
  model,
  variables,
}: Subject): ((state: number) => StateValuation) | undefined {
  if (variables !== undefined) {
    const values = new Float64Array(variables.variables.length);
    return (state) => {
      variables.read(state, values);
      return Object.fromEntries(
        variables.variables.map(({ name, type }, v) => [name, type === 'bool' ? values[v] !== 0 : values[v]]),
      );
    };
  }
  const { valuations } = model;
  if (valuations === undefined) return undefined;
  return (state) =>
    Object.fromEntries(
      valuations.variables.map(({ name, type }, v) => {
        const value = valuations.values[v][state];
        return [name, type === 'bool' ? Boolean(value) : value];
      }),
    );
}

/** A state as PRISM prints it, with names: `3:(s=1,done=false)`; only its number if it has no variables. */
export function stateText(state: number, valuation: StateValuation | undefined): string {
  if (valuation === undefined) return String(state);
  const values = Object.entries(valuation).map(([name, value]) => `${name}=${value}`);
  return `${state}:(${values.join(',')})`;
}
