import { BitSet, type Csr } from '../kernel/index.js';
import { type Bounds, rowMean, someSuccessor } from './backward.js';

/** Bounds with the mean over its row put in at the virtual start. */
export function boundsWithStart(rows: Csr, bounds: Bounds, start: number | undefined): Bounds {
  if (start === undefined) return bounds;
  const { lower, upper } = { lower: bounds.lower.slice(), upper: bounds.upper.slice() };
  [lower[start], upper[start]] = rowMean(rows, start, bounds);
  return { lower, upper };
}

/** The graph's side of `boundsWithStart`. */
export function supportWithStart(rows: Csr, set: BitSet, start: number | undefined): BitSet {
  if (start === undefined) return set;
  const result = set.difference(BitSet.of(set.size, [start]));
  if (someSuccessor(rows, start, set)) result.add(start);
  return result;
}
