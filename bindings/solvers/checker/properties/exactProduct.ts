import { Rational } from '../../../base/rational.js';
import type { BitSet } from '../../kernel/index.js';
import type { Model, Rewards } from '../../model/index.js';
import type { ExactSubject } from '../exact/index.js';
import type { LtlReachability } from '../ltl/index.js';
import { NO_ORIGIN } from '../ltl/multiply.js';
import { productRewards } from '../ltl/productModel.js';
import type { Solved } from './solver.js';

/** The product of a model and an automaton for exact arithmetic: its transitions have the fractions of the model's transitions. */
export function exactProduct(
  subject: ExactSubject,
  { model, product }: Pick<LtlReachability, 'model' | 'product'>,
  rewards?: Rewards,
): ExactSubject {
  const fractions = fractionsOf(subject);
  const exactValues = Array.from(product.entryOf, (origin) =>
    origin === NO_ORIGIN ? Rational.ONE : fractions[origin],
  );
  if (rewards === undefined) return { model, exactValues };
  const own = subject.exactRewards?.[subject.model.rewards?.indexOf(rewards) ?? -1];
  const copy = (values: readonly (Rational | undefined)[] | undefined, origins: Uint32Array) =>
    values && Array.from(origins, (origin) => (origin === NO_ORIGIN ? Rational.ZERO : values[origin]));
  const states = copy(own?.states, product.modelState);
  const choices = copy(own?.choices, product.rowOf);
  return {
    model: { ...model, rewards: [productRewards(rewards, product)] },
    exactValues,
    exactRewards: [{ ...(states && { states }), ...(choices && { choices }) }],
  };
}

/**
 * The fractions of all transitions. If the model's probability of staying is 1 minus its other transitions, a product
 * transition made of it is not necessarily a double.
 */
function fractionsOf({ model, exactValues = [] }: ExactSubject): readonly Rational[] {
  if (!('values' in model)) return [];
  const { rowStart, columns, values } = model;
  const fractions = Array.from(values, (value, e) => exactValues[e] ?? Rational.fromDouble(value));
  forEachRow(model, (s, row) => {
    let loop = -1;
    let rest = Rational.ONE;
    for (let e = rowStart[row]; e < rowStart[row + 1]; e++) {
      if (columns[e] === s) loop = e;
      else rest = rest.minus(fractions[e]);
    }
    if (loop >= 0 && exactValues[loop] === undefined && rest.numerator > 0n) fractions[loop] = rest;
  });
  return fractions;
}

function forEachRow(model: Model, visit: (state: number, row: number) => void): void {
  const groups = 'rowGroupStart' in model ? model.rowGroupStart : undefined;
  for (let s = 0; s < model.states; s++) {
    const end = groups ? groups[s + 1] : s + 1;
    for (let row = groups ? groups[s] : s; row < end; row++) visit(s, row);
  }
}

/** Maps a product's solution to the model; states that are not seeds are unknown. */
export function ofSeeds(
  problem: Pick<LtlReachability, 'stateOf'>,
  { lower, upper, exact, ...rest }: Solved,
  states: number,
  seeds: BitSet,
): Solved {
  const least = new Float64Array(states);
  const greatest = new Float64Array(states).fill(Number.POSITIVE_INFINITY);
  const fractions: Solved['exact'] = Array.from({ length: states }, (_, s) =>
    seeds.has(s) ? exact?.[problem.stateOf(s)] : undefined,
  );
  for (const s of seeds) {
    const p = problem.stateOf(s);
    least[s] = lower[p];
    greatest[s] = upper[p];
  }
  return { ...rest, lower: least, upper: greatest, exact: fractions };
}
