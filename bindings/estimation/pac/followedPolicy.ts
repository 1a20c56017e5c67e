import type { Bounds } from '../../base/bounds.js';
import type { Direction } from '../../solvers/kernel/index.js';
import type { ConfidenceRows } from './confidenceRows.js';
import type { CertificateProblem } from './problem.js';
import { greatestMean } from './rowSpread.js';

/** How one policy chooses in a decision process, and the chain that it makes of it: the same nodes, one row each. */
export interface FollowedPolicy {
  /** Float64Array(rows of the problem): how often each row is chosen of all times that its node is left. */
  readonly weights: Float64Array;
  readonly chain: CertificateProblem;
  /** Sets of the chain's rows. */
  readonly confidence: ConfidenceRows;
}

/**
 * The agent as it acted.
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

/** Float64Array(rows): how often each row was drawn from of all times that its state was left; 1 where it never was, for it has one row. */
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
 * The policy that the far bound rests on: in each node the row that may be worst, given the upper bounds of a greatest probability, or may be best, given the
 * lower bounds of a least one. While it is followed, the width is at most that of its own probability.
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

/** Means so close count as equal: bounds are no closer to what they bound. */
const TIE = 1e-3;

/**
 * Per node one of its best rows. Where play can go round for ever all rows seem as good, so those come first that lead on to where something is
 * decided, nearest first.
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
    // Settled together after each round, or the first node of a circle would be settled by chance.
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

/** Float64Array(rows of the problem): the greatest mean that the set of each allows. */
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

/** The problem with one row a node. */
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
