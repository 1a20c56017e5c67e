import { BitSet, getKernel } from '../../kernel/index.js';
import type { GraphRows } from './graph.js';

/** States from which some choices keep to `allowed` rows for ever, whatever the probabilities. */
export function alwaysWithin(
  { rowGroupStart, rowStart, columns }: Required<GraphRows>,
  allowed: (row: number, state: number) => boolean,
): BitSet {
  const states = rowGroupStart.length - 1;
  // All other rows lead to an extra state, which must be avoided.
  const targets: number[] = [];
  const values: number[] = [];
  const starts = [0];
  for (let s = 0; s < states; s++) {
    for (let row = rowGroupStart[s]; row < rowGroupStart[s + 1]; row++) {
      const [start, end] = allowed(row, s) ? [rowStart[row], rowStart[row + 1]] : [0, 0];
      if (start === end) {
        targets.push(states);
        values.push(1);
      }
      for (let e = start; e < end; e++) {
        targets.push(columns[e]);
        values.push(1 / (end - start));
      }
      starts.push(targets.length);
    }
  }
  const groups = new Uint32Array(states + 2);
  groups.set(rowGroupStart);
  groups[states + 1] = starts.length;
  using graph = getKernel().mdp({
    rowGroupStart: groups,
    rowStart: Uint32Array.from([...starts, targets.length + 1]),
    columns: Uint32Array.from([...targets, states]),
    values: Float64Array.from([...values, 1]),
  });
  const kept = graph.prob0E(BitSet.full(states + 1), BitSet.of(states + 1, [states]));
  return BitSet.where(states, (s) => kept.has(s));
}
