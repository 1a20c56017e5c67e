import { InvalidModelError } from '../errors.js';
import type { PrismModel } from '../formats/index.js';
import { compileCondition, type Scope } from '../logic/index.js';
import type { ExploredVariable } from './variables.js';

/** Valuations that `init … endinit` may ask to look through. */
const MAX_VALUATIONS = 100_000_000;

/** The values of the variables in each initial state. */
export function initialStates(
  model: PrismModel,
  scope: Scope,
  variables: readonly ExploredVariable[],
): Float64Array[] {
  if (model.initial === null) return [Float64Array.from(variables, ({ initial }) => initial)];
  const holds = compileCondition(model.initial, scope);
  const total = variables.reduce((product, { low, high }) => product * (high - low + 1), 1);
  if (total > MAX_VALUATIONS) {
    throw new InvalidModelError(
      `${model.name}: init asks for all of ${total} valuations; give variables smaller ranges, or initial values`,
    );
  }
  const values = Float64Array.from(variables, ({ low }) => low);
  const found: Float64Array[] = [];
  for (let v = 0; v >= 0; ) {
    if (holds(values)) found.push(values.slice());
    // The last variable counts fastest, as in PRISM's order of states.
    for (v = variables.length - 1; v >= 0 && values[v] === variables[v].high; v--)
      values[v] = variables[v].low;
    if (v >= 0) values[v]++;
  }
  if (found.length === 0) throw new InvalidModelError(`${model.name}: no state satisfies init`);
  return found;
}
