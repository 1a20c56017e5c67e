import { ForeguardError, NotConvergedError } from '../../../base/errors.js';
import type { Direction, OptimalSolution } from '../../kernel/index.js';
import type { ChoicesOf } from './exactMatrix.js';
import type { ExactRow } from './exactRow.js';

/** Sweeps after which the solve in doubles is abandoned. */
export const GUESSING_SWEEPS = 20_000;

/** The choice of a state to start from, by its index among the given choices. */
export type Guess = (state: number, among: readonly ExactRow[]) => number;

/**
 * The best choices in doubles: the scheduler that the solve found or, if it did not finish, the best choices by the bounds
 * reached. Any guess is a valid start.
 */
export function guessByDoubles(
  direction: Direction,
  choicesOf: ChoicesOf,
  firstRow: (state: number) => number,
  solve: () => OptimalSolution,
): Guess {
  try {
    const { scheduler } = solve();
    return (s, among) => Math.max(0, among.indexOf(choicesOf(s)[scheduler[s] - firstRow(s)]));
  } catch (error) {
    if (!(error instanceof ForeguardError)) throw error;
    if (!(error instanceof NotConvergedError)) return () => 0;
    const values = direction === 'max' ? error.lower : error.upper;
    return (_, among) => bestBy(values, direction, among);
  }
}

function bestBy(values: Float64Array, direction: Direction, rows: readonly ExactRow[]): number {
  const means = rows.map(({ targets, weights, exit, total, gain }) => {
    let sum = gain === undefined ? 0 : Number(total) * gain.toNumber();
    for (let k = 0; k < targets.length; k++) sum += Number(weights[k]) * values[targets[k]];
    return sum / Number(exit);
  });
  const isBetter = (a: number, b: number): boolean => (direction === 'max' ? a > b : a < b);
  return means.reduce((best, mean, i) => (isBetter(mean, means[best]) ? i : best), 0);
}
