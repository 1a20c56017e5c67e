import { InvalidModelError } from '../../base/errors.js';
import { compileCondition } from '../../languages/logic/index.js';
import { located, type System } from './system.js';

/** The largest number of valuations to search for `init … endinit`. */
const MAX_VALUATIONS = 100_000_000;

/**
 * The values of the variables in each initial state, one after the other in the same array, because there may be more than
 * memory holds before the limit of states stops them.
 */
export function* initialStates(system: System): Generator<Float64Array, void> {
  const { model, scope, variables } = system;
  if (model.initial === null) {
    yield Float64Array.from(variables, ({ initial }) => initial);
    return;
  }
  const condition = compileCondition(model.initial, scope);
  const holds = (state: Float64Array): boolean => {
    try {
      return condition(state);
    } catch (error) {
      throw located(error, system, state);
    }
  };
  const total = variables.reduce((product, { low, high }) => product * (high - low + 1), 1);
  if (total > MAX_VALUATIONS) {
    throw new InvalidModelError(
      `${model.name}: init asks for all of ${total} valuations; give variables smaller ranges, or initial values`,
    );
  }
  const values = Float64Array.from(variables, ({ low }) => low);
  let found = false;
  for (let v = 0; v >= 0; ) {
    if (holds(values)) {
      found = true;
      yield values;
    }
    // The last variable counts fastest, as in PRISM's order of states.
    for (v = variables.length - 1; v >= 0 && values[v] === variables[v].high; v--)
      values[v] = variables[v].low;
    if (v >= 0) values[v]++;
  }
  if (!found) throw new InvalidModelError(`${model.name}: no state satisfies init`);
}
