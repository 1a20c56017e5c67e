import { InvalidArgumentError } from '../../base/errors.js';
import type { DrawnRows } from './drawnRows.js';
import { binomialSet, discoveredRadius, divergenceRadius, totalVariation, unseenMass } from './rowSet.js';

/**
 * For every row a set of distributions such that, with probability at least 1 - delta, each row's true one is in its set, at all
 * numbers of draws at once: traces may be added and looked at as often as one likes, also until the sets are small enough.
 *
 * The set of row r: lower <= P <= upper entry by entry, at most `unseen` on all outcomes that are no entries together, at most
 * `distance` in total variation from the empirical distribution, and at most `divergence` from `centre`.
 */
export interface ConfidenceRows {
  readonly rows: DrawnRows;
  readonly delta: number;
  /** Float64Array(entries): count / draws; 0 in rows without a draw. */
  readonly empirical: Float64Array;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  /** Float64Array(rows): 0 where successors are known, 1 where nothing was drawn and they are not. */
  readonly unseen: Float64Array;
  /** Float64Array(rows): 1 where nothing was drawn. */
  readonly distance: Float64Array;
  /** Float64Array(entries): the distribution from which divergences are; 0 in rows without a draw. */
  readonly centre: Float64Array;
  /** Float64Array(rows): the largest KL(centre ‖ P), all that is no entry counting as one outcome of P; Infinity where nothing bounds it. */
  readonly divergence: Float64Array;
}

/**
 * Row sets that hold together. The j-th row discovered gets delta/(j(j+1)) of delta, so that more rows may be discovered for ever. With k known
 * successors delta_s/(2k) of that goes to each entry and the other half to the divergence of the whole row; else
 * delta_s/(3i(i+1)) to the i-th successor discovered, counted from the draw after its discovery (before it the draws were chosen
 * to lack it), as much to what is unseen after the i-th, and a third to the divergence.
 *
 * @param delta the chance that some row's truth is ever outside, above 0 and below 1.
 */
export function confidenceRows(rows: DrawnRows, delta: number): ConfidenceRows {
  requireDelta(delta);
  const entries = rows.columns.length;
  const count = rows.draws.length;
  const result = {
    rows,
    delta,
    empirical: new Float64Array(entries),
    lower: new Float64Array(entries),
    upper: new Float64Array(entries).fill(1),
    unseen: new Float64Array(count).fill(rows.known ? 0 : 1),
    distance: new Float64Array(count).fill(1),
    centre: new Float64Array(entries),
    divergence: new Float64Array(count).fill(Number.POSITIVE_INFINITY),
  };
  for (let row = 0; row < count; row++) {
    if (rows.draws[row] === 0) continue;
    const share = delta / (rows.rank[row] * (rows.rank[row] + 1));
    if (rows.known) setKnownRow(result, row, share);
    else setDiscoveredRow(result, row, share);
  }
  return result;
}

/** @throws InvalidArgumentError unless it is a probability above 0 and below 1 */
export function requireDelta(delta: number): void {
  if (delta > 0 && delta < 1) return;
  throw new InvalidArgumentError(
    `delta is ${delta}; expected the chance of a wrong certificate, above 0 and below 1, such as 0.05`,
  );
}

function setKnownRow(result: ConfidenceRows, row: number, share: number): void {
  const { rows, empirical, lower, upper } = result;
  const { rowStart, counts, draws } = rows;
  const [begin, end] = [rowStart[row], rowStart[row + 1]];
  const n = draws[row];
  const k = end - begin;
  if (k === 1) {
    empirical[begin] = lower[begin] = result.centre[begin] = 1;
    result.distance[row] = result.divergence[row] = 0;
    return;
  }
  const level = share / (2 * k);
  const never = binomialSet(0, n, level);
  for (let e = begin; e < end; e++) {
    const set = counts[e] === 0 ? never : binomialSet(counts[e], n, level);
    empirical[e] = result.centre[e] = counts[e] / n;
    lower[e] = set.lower;
    upper[e] = set.upper;
  }
  const seen = Array.from(counts.subarray(begin, end)).filter((x) => x > 0);
  result.divergence[row] = divergenceRadius(seen, k, share / 2);
  setDistance(result, row, totalVariation(result.divergence[row]));
}

function setDiscoveredRow(result: ConfidenceRows, row: number, share: number): void {
  const { rows, empirical, lower, upper, unseen } = result;
  const { rowStart, counts, firstDraws, draws, drawsSinceNew } = rows;
  const [begin, end] = [rowStart[row], rowStart[row + 1]];
  const n = draws[row];
  const order = Uint32Array.from({ length: end - begin }, (_, i) => begin + i).sort(
    (a, b) => firstDraws[a] - firstDraws[b],
  );
  for (const [i, e] of order.entries()) {
    const set = binomialSet(counts[e] - 1, n - firstDraws[e], share / (3 * (i + 1) * (i + 2)));
    empirical[e] = counts[e] / n;
    // Draws up to an entry's discovery are not counted, so its set may miss the empirical distribution, around which distances are.
    lower[e] = Math.min(set.lower, empirical[e]);
    upper[e] = Math.max(set.upper, empirical[e]);
  }
  const k = order.length;
  unseen[row] = unseenMass(drawsSinceNew[row], share / (3 * k * (k + 1)));
  // What was not among the first i, from above: by the sets of those that came after, and of what is unseen.
  let rest = unseen[row];
  let newOutcomes = 0;
  for (let i = k - 1; i > 0; i--) {
    rest += upper[order[i]];
    newOutcomes += Math.log(Math.min(1, rest));
  }
  const seen = Array.from(counts.subarray(begin, end));
  result.divergence[row] = discoveredRadius(seen, newOutcomes, share / 3);
  let moved = n === k ? 1 : 0;
  for (let e = begin; e < end && n > k; e++) {
    result.centre[e] = (counts[e] - 1) / (n - k);
    moved += Math.abs(empirical[e] - result.centre[e]) / 2;
  }
  setDistance(result, row, totalVariation(result.divergence[row]) + moved * (1 + 2 ** -40));
}

/** The smallest of the bounds on the distance of the truth from the empirical row. */
function setDistance(result: ConfidenceRows, row: number, most: number): void {
  const { rows, empirical, lower, upper, unseen, distance } = result;
  let above = unseen[row];
  let below = 0;
  for (let e = rows.rowStart[row]; e < rows.rowStart[row + 1]; e++) {
    above += Math.max(0, upper[e] - empirical[e]);
    below += Math.max(0, empirical[e] - lower[e]);
  }
  const rounding = 1 + (rows.rowStart[row + 1] - rows.rowStart[row] + 4) * 2 ** -52;
  distance[row] = Math.min(1, most, above * rounding, below * rounding);
}
