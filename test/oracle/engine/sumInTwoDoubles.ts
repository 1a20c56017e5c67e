import { lostInSum } from '../../../bindings/solvers/kernel/twoSum.js';

/** A sum and what its roundings lost; exact if nothing was lost. */
export function sumInTwoDoubles(terms: Iterable<number>): { sum: number; error: number; exact: boolean } {
  let [sum, error, exact] = [0, 0, true];
  for (const term of terms) {
    const lost = lostInSum(sum, term);
    if (lost !== 0) exact = false;
    error += lost;
    sum += term;
  }
  return { sum, error, exact };
}
