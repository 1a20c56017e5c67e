import type { Bounds } from '../../base/bounds.js';
import type { Direction } from '../../solvers/kernel/index.js';
import type { ConfidenceRows } from './confidenceRows.js';
import type { CertificateProblem } from './problem.js';
import { greatestMean } from './rowSpread.js';

/** The choices of one policy in a decision process, and the chain that they induce: the same nodes, one row each. */
export interface FollowedPolicy {
  /** Float64Array(rows of the problem): the fraction of times that each row is chosen when its node is left. */
  readonly weights: Float64Array;
  readonly chain: CertificateProblem;
  /** Confidence sets of the chain's rows. */
  readonly confidence: ConfidenceRows;
}

/**
 * The agent's own policy.
 * @param chain the problem on `mixed`, the rows of `agentRows`; its nodes are those of `problem`.
 */
export function agentPolicy(
  { source, rows }: CertificateProblem,
  chain: CertificateProblem,
  mixed: ConfidenceRows,
): FollowedPolicy {
  const shares = sharesOfRows(rows);
  return {
    weights: Float64Array.from(source, (row) => (row < 0 ? 1 : shares[row])),
    chain,
    confidence: mixed,
  };
}

/** Float64Array(rows): the share of each row among the draws of its state; 1 if the state was never left, because it then has one row. */
export function sharesOfRows({ rowGroupStart, draws }: CertificateProblem['rows']): Float64Array {
  const shares = new Float64Array(draws.length).fill(1);
  for (let s = 0; rowGroupStart !== undefined && s + 1 < rowGroupStart.length; s++) {
    const ofState = draws.subarray(rowGroupStart[s], rowGroupStart[s + 1]);
    const left = ofState.reduce((sum, drawn) => sum + drawn, 0);
    if (left > 0)
      shares.set(
        ofState.map((drawn) => drawn / left),
        rowGroupStart[s],
      );
  }
  return shares;
}

/**
 * The policy that the far bound rests on. In each node it takes the row that may be worst, given the upper bounds of a maximal probability,
 * or that may be best, given the lower bounds of a minimal one. The width of the bounds is at most the width for the probability of this
 * policy.
 */
export function extremePolicy(
  problem: CertificateProblem,
  confidence: ConfidenceRows,
  { lower, upper }: Bounds,
  scheduler: Direction,
): FollowedPolicy {
  const { source } = problem;
  const worth = scheduler === 'max' ? upper : lower.map((value) => 1 - value);
  const chosen = choose(problem, meansOfRows(problem, confidence, worth));
  const weights = new Float64Array(source.length);
  for (const row of chosen) weights[row] = 1;
  return { weights, chain: withRows(problem, chosen), confidence };
}

/** Means this close count as equal, because bounds are no closer to the values they bound. */
const TIE = 1e-3;

/**
 * Chooses one of the best rows of each node. If play can cycle for ever, all rows seem equally good, so rows that lead on to a decided node
 * come first, nearest first.
 */
function choose(problem: CertificateProblem, means: Float64Array): Uint32Array {
  const { nodes, rowGroupStart, rowStart, columns, entry, source, rows } = problem;
  const chosen = new Uint32Array(nodes);
  const settled = new Uint8Array(nodes);
  const best = new Float64Array(nodes);
  for (let node = 0; node < nodes; node++) {
    const all = means.subarray(rowGroupStart[node], rowGroupStart[node + 1]);
    best[node] = all.reduce((a, b) => Math.max(a, b));
    chosen[node] = rowGroupStart[node] + all.indexOf(best[node]);
    settled[node] = Number(source[rowGroupStart[node]] < 0);
  }
  const leadsOn = (row: number): boolean => {
    for (let i = rowStart[row]; i < rowStart[row + 1]; i++) {
      if (entry[i] >= 0 && rows.counts[entry[i]] > 0 && settled[columns[i]]) return true;
    }
    return false;
  };
  for (let moved = true; moved; ) {
    moved = false;
    // Settled together after each round; otherwise the first node of a cycle would be settled by chance.
    const found: number[] = [];
    for (let node = 0; node < nodes; node++) {
      if (settled[node]) continue;
      for (let row = rowGroupStart[node]; row < rowGroupStart[node + 1]; row++) {
        if (means[row] < best[node] - TIE || !leadsOn(row)) continue;
        chosen[node] = row;
        found.push(node);
        break;
      }
    }
    for (const node of found) settled[node] = 1;
    moved = found.length > 0;
  }
  return chosen;
}

/** Float64Array(rows of the problem): the largest mean that the set of each row allows. */
function meansOfRows(
  { source, rowStart, columns, rows }: CertificateProblem,
  confidence: ConfidenceRows,
  worth: Float64Array,
): Float64Array {
  return Float64Array.from(source, (drawn, row) => {
    if (drawn < 0) return worth[columns[rowStart[row]]];
    const entries = rows.rowStart[drawn + 1] - rows.rowStart[drawn];
    const successors = columns.subarray(rowStart[row], rowStart[row] + entries);
    return greatestMean(
      confidence,
      drawn,
      Float64Array.from(successors, (to) => worth[to]),
    );
  });
}

/** The problem with one row per node. */
function withRows(problem: CertificateProblem, chosen: Uint32Array): CertificateProblem {
  const { rowStart, columns, entry, source, nodes } = problem;
  const starts = new Uint32Array(nodes + 1);
  const kept: number[] = [];
  for (const [node, row] of chosen.entries()) {
    for (let i = rowStart[row]; i < rowStart[row + 1]; i++) kept.push(i);
    starts[node + 1] = kept.length;
  }
  return {
    ...problem,
    rowGroupStart: Uint32Array.from({ length: nodes + 1 }, (_, node) => node),
    source: Int32Array.from(chosen, (row) => source[row]),
    rowStart: starts,
    columns: Uint32Array.from(kept, (i) => columns[i]),
    entry: Int32Array.from(kept, (i) => entry[i]),
  };
}
