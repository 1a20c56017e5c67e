import { leastCommonMultiple, Rational } from '../../../base/rational.js';
import type { Csr } from '../../kernel/index.js';

/** The value of each state, as far as known. */
export type ValueAt = (state: number) => Rational;

/** A distribution in whole numbers: P(s, t) is a weight over the row's total. */
export interface ExactRow {
  /** Targets of the moves that leave the state. */
  readonly targets: readonly number[];
  /** Their weights, positive. */
  readonly weights: readonly bigint[];
  /** The sum of the weights. */
  readonly exit: bigint;
  /** `exit` plus the weight of staying; a row whose entries off the diagonal sum to more than 1 is divided by that sum. */
  readonly total: bigint;
  /** The mean reward of the step. Default: none. */
  readonly gain?: Rational;
}

/**
 * Row `index` of a matrix, a choice of `state`, as fractions. The probability of staying is 1 minus the other entries, whatever
 * the diagonal says.
 *
 * @param fractions one per entry of the matrix; if undefined, the exact value of the double counts
 */
export function exactRow(
  { rowStart, columns, values }: Csr,
  index: number,
  state = index,
  fractions?: readonly (Rational | undefined)[],
): ExactRow {
  const targets: number[] = [];
  const entries: Rational[] = [];
  for (let i = rowStart[index]; i < rowStart[index + 1]; i++) {
    if (columns[i] === state || values[i] === 0) continue;
    targets.push(columns[i]);
    entries.push(fractions?.[i] ?? Rational.fromDouble(values[i]));
  }
  const one = leastCommonMultiple(entries.map(({ denominator }) => denominator));
  const weights = entries.map(({ numerator, denominator }) => numerator * (one / denominator));
  const exit = weights.reduce((sum, weight) => sum + weight, 0n);
  return { targets, weights, exit, total: exit > one ? exit : one };
}

/** The sum of weighted values, not in lowest terms. */
export function combination(weights: readonly bigint[], values: readonly Rational[]): Rational {
  const [first] = values;
  if (values.every(({ denominator }) => denominator === first.denominator)) {
    const sum = weights.reduce((total, weight, i) => total + weight * values[i].numerator, 0n);
    return new Rational(sum, first?.denominator ?? 1n);
  }
  const denominator = leastCommonMultiple(values.map((value) => value.denominator));
  let sum = 0n;
  for (const [i, value] of values.entries())
    sum += weights[i] * value.numerator * (denominator / value.denominator);
  return new Rational(sum, denominator);
}

/** The values of the successors plus the gain of a step, times `row.total`, without the part for staying. */
export function leavingMean({ targets, weights, total, gain }: ExactRow, valueAt: ValueAt): Rational {
  const values = targets.map(valueAt);
  return gain === undefined || gain.numerator === 0n
    ? combination(weights, values)
    : combination([...weights, total], [...values, gain]);
}
