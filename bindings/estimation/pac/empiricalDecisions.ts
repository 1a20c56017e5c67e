import { BitSet, getKernel, type MdpMatrix } from '../../solvers/kernel/index.js';
import type { ConfidenceRows } from './confidenceRows.js';
import { type CertificateProblem, UNSEEN } from './problem.js';

/**
 * The empirical decision process of a problem, in which rows without data, and those of `lost`, lead to `unseen`. A chain is the special
 * case of one row per node.
 */
export function empiricalDecisions(
  { rowGroupStart, source, rowStart, columns, entry, unseen }: CertificateProblem,
  { rows, empirical }: ConfidenceRows,
  lost: BitSet = new BitSet(source.length),
): MdpMatrix {
  const start = new Uint32Array(rowStart.length);
  const kept: number[] = [];
  const values: number[] = [];
  for (let row = 0; row < source.length; row++) {
    const drawn = source[row];
    if (drawn < 0 || rows.draws[drawn] === 0 || lost.has(row)) {
      kept.push(drawn < 0 ? columns[rowStart[row]] : unseen);
      values.push(1);
    } else {
      for (let i = rowStart[row]; i < rowStart[row + 1]; i++) {
        if (entry[i] === UNSEEN || empirical[entry[i]] === 0) continue;
        kept.push(columns[i]);
        values.push(empirical[entry[i]]);
      }
    }
    start[row + 1] = kept.length;
  }
  return {
    rowGroupStart,
    rowStart: start,
    columns: Uint32Array.from(kept),
    values: Float64Array.from(values),
  };
}

/**
 * Computes upper bounds on the largest expected sum of weights over all policies until the event is decided. Float64Array(nodes); Infinity
 * for nodes from which a policy may stay undecided for ever.
 *
 * @param weights one per row of the problem.
 * @throws NotConvergedError as the kernel
 */
export function largestSum(
  problem: CertificateProblem,
  confidence: ConfidenceRows,
  weights: Float64Array,
): Float64Array {
  const { nodes, violated, safe, unseen } = problem;
  const decided = violated.union(safe).union(BitSet.of(nodes, [unseen]));
  using mdp = getKernel().mdp(empiricalDecisions(problem, confidence));
  return mdp.reachabilityReward('max', { rows: weights }, decided).upper;
}
