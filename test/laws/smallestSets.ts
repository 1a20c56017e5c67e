import type { ConfidenceRows } from '../../bindings/estimation/pac/index.js';
import type { KnownChain } from '../unit/pac/sampledRows.js';

/**
 * The smallest sets of their kind that have the true rows inside: what is left of certificates is arithmetic.
 *
 * @param truth row by row; of rows without a draw it says nothing.
 */
export function smallestSets(truth: KnownChain, sets: ConfidenceRows): ConfidenceRows {
  const { rows, empirical, lower, upper, unseen, distance, centre, divergence } = sets;
  for (const [r, row] of truth.entries()) {
    if (rows.draws[r] === 0) continue;
    let rest = 1;
    let apart = 0;
    let diverged = 0;
    for (let e = rows.rowStart[r]; e < rows.rowStart[r + 1]; e++) {
      const p = row.find(([t]) => t === rows.columns[e])?.[1] ?? 0;
      lower[e] = Math.min(p, empirical[e]);
      upper[e] = Math.max(p, empirical[e], 1e-12);
      rest -= p;
      apart += Math.abs(p - empirical[e]) / 2;
      if (centre[e] > 0) diverged += centre[e] * Math.log(centre[e] / p);
    }
    unseen[r] = rows.known ? 0 : Math.max(1e-12, rest);
    distance[r] = apart + Math.max(0, rest / 2) + 1e-12;
    if (divergence[r] < Number.POSITIVE_INFINITY) divergence[r] = Math.max(0, diverged) + 1e-12;
  }
  return sets;
}
