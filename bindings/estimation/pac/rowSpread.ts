import type { ConfidenceRows } from './confidenceRows.js';
import { ballMaximum } from './divergenceBall.js';

/**
 * Computes the width of the range of the mean of `values` over the set of a row. Unseen outcomes have value 1 for the largest mean and 0
 * for the smallest.
 *
 * @param values of the row's entries, between 0 and 1.
 * @param ascending indices of `values`, in ascending order of value.
 */
export function rowSpread(
  confidence: ConfidenceRows,
  row: number,
  values: Float64Array,
  ascending: Uint32Array,
): number {
  const above = mostAdded(confidence, row, ascending.toReversed(), values);
  const below = mostAdded(
    confidence,
    row,
    ascending,
    values.map((value) => 1 - value),
  );
  return above + below;
}

/** The largest mean of `values` over the set of a row, with value 1 for unseen outcomes. */
export function greatestMean(confidence: ConfidenceRows, row: number, values: Float64Array): number {
  const { rows, empirical } = confidence;
  if (rows.draws[row] === 0) return 1;
  const places = Uint32Array.from(values.keys()).sort((a, b) => values[b] - values[a]);
  const mean = values.reduce((sum, value, i) => sum + empirical[rows.rowStart[row] + i] * value, 0);
  return mean + mostAdded(confidence, row, places, values);
}

/** The difference between the largest mean over the set and the empirical mean. */
function mostAdded(
  confidence: ConfidenceRows,
  row: number,
  places: Uint32Array,
  worth: Float64Array,
): number {
  const { rows, empirical, centre, divergence, unseen } = confidence;
  const moved = mostMoved(confidence, row, places, worth);
  if (divergence[row] === Number.POSITIVE_INFINITY) return moved;
  const begin = rows.rowStart[row];
  const most = unseen[row] > 0 ? 1 : worth[places[0]];
  const mean = worth.reduce((sum, value, i) => sum + empirical[begin + i] * value, 0);
  const within = centre.subarray(begin, begin + worth.length);
  return Math.max(0, Math.min(moved, ballMaximum(within, worth, worth.length, most, divergence[row]) - mean));
}

/** The largest gain over the empirical mean by moving mass within the set: from the smallest values to the largest, as long as it pays. */
function mostMoved(
  { rows, empirical, lower, upper, unseen, distance }: ConfidenceRows,
  row: number,
  places: Uint32Array,
  worth: Float64Array,
): number {
  const begin = rows.rowStart[row];
  const room = (i: number): number => upper[begin + places[i]] - empirical[begin + places[i]];
  const spare = (i: number): number => empirical[begin + places[i]] - lower[begin + places[i]];
  // Unseen outcomes have value 1 and receive mass first.
  let taker = -1;
  let free = unseen[row];
  let giver = places.length - 1;
  let given = spare(giver);
  let added = 0;
  for (let budget = distance[row]; budget > 0; ) {
    const difference = (taker < 0 ? 1 : worth[places[taker]]) - worth[places[giver]];
    if (!(difference > 0)) break;
    const moved = Math.max(0, Math.min(budget, free, given));
    added += moved * difference;
    budget -= moved;
    free -= moved;
    given -= moved;
    if (given <= 0) {
      if (--giver < 0) break;
      given = spare(giver);
    }
    if (free <= 0) {
      if (++taker === places.length) break;
      free = room(taker);
    }
  }
  return added;
}
