import type { Bounds } from '../../../../base/bounds.js';
import { alwaysWithin } from '../alwaysWithin.js';
import type { Communicating } from './communicating.js';

/**
 * First bounds on the mean gain of each component: the least and the greatest gain of its rows. If a scheduler can keep for
 * ever to rows of greatest gain, that gain is the mean.
 */
export function keptRows(problem: Communicating): Bounds {
  const { rowGroupStart, gains, componentOf, count } = problem;
  const lower = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
  const upper = new Float64Array(count).fill(Number.NEGATIVE_INFINITY);
  componentOf.forEach((c, s) => {
    for (let row = rowGroupStart[s]; row < rowGroupStart[s + 1]; row++) {
      lower[c] = Math.min(lower[c], gains[row]);
      upper[c] = Math.max(upper[c], gains[row]);
    }
  });
  for (const s of alwaysWithin(problem, (row, state) => gains[row] === upper[componentOf[state]]))
    lower[componentOf[s]] = upper[componentOf[s]];
  return { lower, upper };
}
