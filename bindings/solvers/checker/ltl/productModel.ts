import { BitSet } from '../../kernel/index.js';
import type { Model, Rewards } from '../../model/index.js';
import { NO_ORIGIN, type StateProduct } from './multiply.js';

/** Self-loops below this count as rounding. */
const SMALLEST_PROBABILITY = 2 ** -500;

/**
 * The product as a model of the same type, without labels.
 *
 * When the model stays in a state, the product may still move, because the automaton does. The probability of staying is 1
 * minus the other entries of the row. A remainder due to rounding in a row without a self-loop does not create one.
 */
export function productModel(model: Model, product: StateProduct): Model {
  const { states, rowGroupStart, rowStart, columns, entryOf, modelState } = product;
  const parts = { states, initial: [], labels: new Map<string, BitSet>(), rowStart, columns };
  /** Copies numbers of entries or rows; those of final states get `alone`. */
  const copy = (values: Float64Array, alone: number, origins = entryOf) =>
    Float64Array.from(origins, (origin) => (origin === NO_ORIGIN ? alone : values[origin]));
  if (model.type === 'dtmc') {
    const values = copy(withExactLoops(model), 1);
    const { unknown } = model;
    if (unknown === undefined) return { type: 'dtmc', ...parts, values };
    // Final states have a self-loop, even for states without data.
    const withoutData = BitSet.where(
      states,
      (p) => unknown.has(modelState[p]) && rowStart[p] === rowStart[p + 1],
    );
    return { type: 'dtmc', ...parts, values, unknown: withoutData };
  }
  if (model.type === 'mdp') {
    return { type: 'mdp', ...parts, rowGroupStart, values: copy(withExactLoops(model), 1) };
  }
  const { lower, upper, centre, radius } = model;
  const intervals = {
    ...parts,
    lower: copy(lower, 1),
    upper: copy(upper, 1),
    ...(centre && { centre: copy(centre, 1) }),
    ...(radius && { radius: copy(radius, 0, product.rowOf) }),
  };
  return model.type === 'idtmc'
    ? { type: 'idtmc', ...intervals }
    : { type: 'imdp', ...intervals, rowGroupStart };
}

/** The rewards of a model, transferred to its product. */
export function productRewards({ name, states, choices, branches }: Rewards, product: StateProduct): Rewards {
  const copy = (values: Float64Array, origins: Uint32Array) =>
    Float64Array.from(origins, (origin) => (origin === NO_ORIGIN ? 0 : values[origin]));
  return {
    name,
    ...(states && { states: copy(states, product.modelState) }),
    ...(choices && { choices: copy(choices, product.rowOf) }),
    ...(branches && { branches: copy(branches, product.entryOf) }),
  };
}

/** The probabilities of a model, with each self-loop set to 1 minus the other entries of its row. */
function withExactLoops({
  rowStart,
  columns,
  values,
  ...model
}: Extract<Model, { type: 'dtmc' | 'mdp' }>): Float64Array {
  const exact = values.slice();
  const groups = model.type === 'mdp' ? model.rowGroupStart : undefined;
  for (let s = 0; s < model.states; s++) {
    const end = groups === undefined ? s + 1 : groups[s + 1];
    for (let row = groups === undefined ? s : groups[s]; row < end; row++) {
      let loop = -1;
      // Summed with compensation, so that a small remainder keeps its digits.
      let rest = 1;
      let compensation = 0;
      for (let e = rowStart[row]; e < rowStart[row + 1]; e++) {
        if (columns[e] === s) {
          loop = e;
          continue;
        }
        const less = rest - values[e];
        compensation += rest - less - values[e];
        rest = less;
      }
      if (loop >= 0 && rest + compensation >= SMALLEST_PROBABILITY) exact[loop] = rest + compensation;
    }
  }
  return exact;
}
