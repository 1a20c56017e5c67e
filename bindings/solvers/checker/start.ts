import type { Bounds } from '../../base/bounds.js';
import { BitSet, type Csr } from '../kernel/index.js';
import { rowMean, someSuccessor } from './backward.js';

/**
 * Bounds whose entry at the virtual start is replaced by the mean over its row.
 *
 * @param largest an upper limit of the values; default 1, as for probabilities; infinity for rewards
 */
export function boundsWithStart(rows: Csr, bounds: Bounds, start: number | undefined, largest = 1): Bounds {
  if (start === undefined) return bounds;
  const { lower, upper } = { lower: bounds.lower.slice(), upper: bounds.upper.slice() };
  // A mean lies between the smallest and the largest of its values; clamping undoes rounding, so that the mean of ones is 1.
  const behind = rows.columns.subarray(rows.rowStart[start], rows.rowStart[start + 1]);
  const least = behind.reduce((min, t) => Math.min(min, bounds.lower[t]), largest);
  const most = behind.reduce((max, t) => Math.max(max, bounds.upper[t]), 0);
  // A run never stays in the start: what rounding leaves of its row counts as a further first state.
  lower[start] = least;
  upper[start] = most;
  const [low, high] = rowMean(rows, start, { lower, upper }, largest);
  lower[start] = Math.max(low, least);
  upper[start] = Math.min(high, most);
  return { lower, upper };
}

/** A set of states in which the virtual start is iff all states of its row are. */
export function allWithStart(rows: Csr, set: BitSet, start: number | undefined): BitSet {
  return start === undefined ? set : supportWithStart(rows, set.complement(), start).complement();
}

/** The graph part of `boundsWithStart`. */
export function supportWithStart(rows: Csr, set: BitSet, start: number | undefined): BitSet {
  if (start === undefined) return set;
  const result = set.difference(BitSet.of(set.size, [start]));
  if (someSuccessor(rows, start, set)) result.add(start);
  return result;
}
