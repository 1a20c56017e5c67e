import { BitSet, getKernel } from '../../../kernel/index.js';
import type { Communicating, ComponentBounds } from './communicating.js';

/**
 * First bounds on the mean gain of each component: what its rows gain least and most. Where one can keep for ever to rows that gain
 * the most, that is the mean.
 */
export function keptRows(problem: Communicating): ComponentBounds {
  const { rowGroupStart, rowStart, gains, componentOf, count } = problem;
  const states = componentOf.length;
  const lower = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
  const upper = new Float64Array(count).fill(Number.NEGATIVE_INFINITY);
  for (let s = 0; s < states; s++) {
    const c = componentOf[s];
    for (let row = rowGroupStart[s]; row < rowGroupStart[s + 1]; row++) {
      lower[c] = Math.min(lower[c], gains[row]);
      upper[c] = Math.max(upper[c], gains[row]);
    }
  }
  // All other rows lead to a state of their own, which is to be avoided.
  const columns: number[] = [];
  const values: number[] = [];
  const starts = [0];
  for (let s = 0; s < states; s++) {
    for (let row = rowGroupStart[s]; row < rowGroupStart[s + 1]; row++) {
      const kept = gains[row] === upper[componentOf[s]];
      if (!kept) {
        columns.push(states);
        values.push(1);
      }
      for (let e = rowStart[row]; kept && e < rowStart[row + 1]; e++) {
        columns.push(problem.columns[e]);
        values.push(problem.values[e]);
      }
      starts.push(columns.length);
    }
  }
  columns.push(states);
  values.push(1);
  using graph = getKernel().mdp({
    rowGroupStart: Uint32Array.from([...rowGroupStart, starts.length]),
    rowStart: Uint32Array.from([...starts, columns.length]),
    columns: Uint32Array.from(columns),
    values: Float64Array.from(values),
  });
  for (const s of graph.prob0E(BitSet.full(states + 1), BitSet.of(states + 1, [states]))) {
    lower[componentOf[s]] = upper[componentOf[s]];
  }
  return { lower, upper };
}
