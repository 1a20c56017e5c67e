import type { Bounds } from '../../base/bounds.js';
import { BitSet, type Csr } from '../kernel/index.js';
import { rowMean, someSuccessor } from './backward.js';

/** Bounds whose entry at the virtual start is replaced by the mean over its row. */
export function boundsWithStart(rows: Csr, bounds: Bounds, start: number | undefined): Bounds {
  if (start === undefined) return bounds;
  const { lower, upper } = { lower: bounds.lower.slice(), upper: bounds.upper.slice() };
  const [low, high] = rowMean(rows, start, bounds);
  // A mean lies between the smallest and the largest of its values; clamping undoes rounding, so that the mean of ones is 1.
  const behind = rows.columns.subarray(rows.rowStart[start], rows.rowStart[start + 1]);
  const least = behind.reduce((min, t) => Math.min(min, bounds.lower[t]), 1);
  const most = behind.reduce((max, t) => Math.max(max, bounds.upper[t]), 0);
  lower[start] = Math.max(low, least);
  upper[start] = Math.min(high, most);
  return { lower, upper };
}

/** The graph part of `boundsWithStart`. */
export function supportWithStart(rows: Csr, set: BitSet, start: number | undefined): BitSet {
  if (start === undefined) return set;
  const result = set.difference(BitSet.of(set.size, [start]));
  if (someSuccessor(rows, start, set)) result.add(start);
  return result;
}
