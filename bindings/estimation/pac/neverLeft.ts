import { BitSet } from '../../solvers/kernel/index.js';
import type { CertificateProblem } from './problem.js';

/**
 * Finds the nodes that the data cannot bound: for each node, an undrawn row that every observed path from there reaches before anything is
 * decided, or -1 if some observed path leads to a decision. From such nodes nothing bounds the probability.
 *
 * @returns Int32Array(nodes): the first such row met, breadth first
 */
export function neverLeft(problem: CertificateProblem): Int32Array {
  const { nodes, rows, rowGroupStart, rowStart, columns, source, entry, violated, safe } = problem;
  const seen = (row: number, i: number): boolean =>
    source[row] < 0 || (entry[i] >= 0 && rows.counts[entry[i]] > 0);
  const predecessors: number[][] = Array.from({ length: nodes }, () => []);
  const empty = new BitSet(nodes);
  const emptyRow = new Int32Array(nodes);
  for (let node = 0; node < nodes; node++) {
    for (let row = rowGroupStart[node]; row < rowGroupStart[node + 1]; row++) {
      if (source[row] >= 0 && rows.draws[source[row]] === 0) {
        empty.add(node);
        emptyRow[node] = source[row];
      }
      for (let i = rowStart[row]; i < rowStart[row + 1]; i++) {
        if (columns[i] !== node && seen(row, i)) predecessors[columns[i]].push(node);
      }
    }
  }
  const decided = spread(violated.union(safe), predecessors, (node) => node);
  const causes = spread(empty, predecessors, (node) => emptyRow[node]);
  return causes.map((row, node) => (decided[node] >= 0 ? -1 : row));
}

/** Labels seeds and all their predecessors with the label of the first seed met; -1 elsewhere. */
function spread(
  seeds: BitSet,
  predecessors: readonly (readonly number[])[],
  label: (seed: number) => number,
): Int32Array {
  const labels = new Int32Array(predecessors.length).fill(-1);
  const queue = [...seeds];
  for (const seed of queue) labels[seed] = label(seed);
  for (const node of queue) {
    for (const from of predecessors[node]) {
      if (labels[from] >= 0) continue;
      labels[from] = labels[node];
      queue.push(from);
    }
  }
  return labels;
}
