import { InvalidArgumentError } from '../../base/errors.js';
import type { DrawnRows } from './drawnRows.js';
import { binomialSet, discoveredRadius, divergenceRadius, totalVariation, unseenMass } from './rowSet.js';

/**
 * Confidence sets of distributions, one per row. With probability at least 1 - delta, each row's true distribution is in its set, at all
 * numbers of draws at once. Traces may therefore be added and looked at any number of times, also until the sets are small enough.
 *
 * The set of row r: lower <= P <= upper entry by entry, total mass at most `unseen` on all outcomes that are not entries, at most
 * `distance` in total variation from the empirical distribution, and at most `divergence` from `centre`.
 */
export interface ConfidenceRows {
  readonly rows: DrawnRows;
  readonly delta: number;
  /** Float64Array(entries): count / draws; 0 in rows without a draw. */
  readonly empirical: Float64Array;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  /** Float64Array(rows): 0 if successors are known; 1 if nothing was drawn and they are unknown. */
  readonly unseen: Float64Array;
  /** Float64Array(rows): 1 if nothing was drawn. */
  readonly distance: Float64Array;
  /** Float64Array(entries): the distribution that divergences are measured from; 0 in rows without a draw. */
  readonly centre: Float64Array;
  /** Float64Array(rows): the largest KL(centre ‖ P), with all outcomes that are not entries counted as one outcome of P; Infinity if there is no bound. */
  readonly divergence: Float64Array;
}

/**
 * Computes row sets that hold simultaneously. The j-th row discovered gets delta_s = delta/(j(j+1)), so any number of rows may be
 * discovered. With k known successors, delta_s/(2k) goes to each entry and the other half to the divergence of the whole row. Otherwise
 * delta_s/(3i(i+1)) goes to the i-th successor discovered, counted from the draw after its discovery (the draws before were selected to
 * lack it), as much to the unseen mass after the i-th, and a third to the divergence.
 *
 * @param delta the probability that any row's true distribution is ever outside its set, above 0 and below 1.
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

/** @throws InvalidArgumentError unless delta is a probability above 0 and below 1 */
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
    // Draws up to an entry's discovery are not counted, so its set may miss the empirical distribution, which is the centre of distances.
    lower[e] = Math.min(set.lower, empirical[e]);
    upper[e] = Math.max(set.upper, empirical[e]);
  }
  const k = order.length;
  unseen[row] = unseenMass(drawsSinceNew[row], share / (3 * k * (k + 1)));
  // An upper bound on the mass outside the first i successors: from the sets of those discovered later, and from the unseen mass.
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

/** Sets the smallest of the bounds on the distance between the true and the empirical row. */
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
