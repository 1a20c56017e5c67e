import type { ConfidenceRows } from './confidenceRows.js';
import { ballMaximum } from './divergenceBall.js';

/**
 * How far apart the set of a row allows the mean of `values` to be, where what was never seen has value 1 for the greatest mean and 0 for the
 * least.
 *
 * @param values of the row's entries, between 0 and 1.
 * @param ascending places of `values`, in the order of their size.
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

/** The greatest mean of `values` over the set of a row, where what was never seen has value 1. */
export function greatestMean(confidence: ConfidenceRows, row: number, values: Float64Array): number {
  const { rows, empirical } = confidence;
  if (rows.draws[row] === 0) return 1;
  const places = Uint32Array.from(values.keys()).sort((a, b) => values[b] - values[a]);
  const mean = values.reduce((sum, value, i) => sum + empirical[rows.rowStart[row] + i] * value, 0);
  return mean + mostAdded(confidence, row, places, values);
}

/** What the greatest mean over the set is above the empirical one. */
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

/** What moving mass within the set adds to the empirical mean at most: from what is worth least to what is worth most, as long as it pays. */
function mostMoved(
  { rows, empirical, lower, upper, unseen, distance }: ConfidenceRows,
  row: number,
  places: Uint32Array,
  worth: Float64Array,
): number {
  const begin = rows.rowStart[row];
  const room = (i: number): number => upper[begin + places[i]] - empirical[begin + places[i]];
  const spare = (i: number): number => empirical[begin + places[i]] - lower[begin + places[i]];
  // What was never seen is worth 1 and takes first.
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
