import type { Bounds } from '../../base/bounds.js';
import { BitSet, type Csr } from '../kernel/index.js';
import { rowMean, someSuccessor } from './backward.js';

/** Bounds with the mean over its row put in at the virtual start. */
export function boundsWithStart(rows: Csr, bounds: Bounds, start: number | undefined): Bounds {
  if (start === undefined) return bounds;
  const { lower, upper } = { lower: bounds.lower.slice(), upper: bounds.upper.slice() };
  const [low, high] = rowMean(rows, start, bounds);
  // A mean is among the values that it is of, whatever rounding makes of it: where all are 1, it is 1.
  const behind = rows.columns.subarray(rows.rowStart[start], rows.rowStart[start + 1]);
  const least = behind.reduce((min, t) => Math.min(min, bounds.lower[t]), 1);
  const most = behind.reduce((max, t) => Math.max(max, bounds.upper[t]), 0);
  lower[start] = Math.max(low, least);
  upper[start] = Math.min(high, most);
  return { lower, upper };
}

/** The graph's side of `boundsWithStart`. */
export function supportWithStart(rows: Csr, set: BitSet, start: number | undefined): BitSet {
  if (start === undefined) return set;
  const result = set.difference(BitSet.of(set.size, [start]));
  if (someSuccessor(rows, start, set)) result.add(start);
  return result;
}
