import { BitSet, type Csr } from '../kernel/index.js';
import type { Dtmc } from '../model/index.js';
import { type Bounds, rowMean, someSuccessor } from './backward.js';

/**
 * The virtual state before step 0 of a learnt chain, undefined in other models. It is no position of a path: a property has
 * there the mean over its row of the values from step 0.
 */
export function virtualStart({ labels, parameters, initial }: Dtmc): number | undefined {
  const learnt = typeof parameters === 'object' && parameters !== null && 'foreguard' in parameters;
  return learnt && initial.length === 1 && labels.get('start')?.has(initial[0]) ? initial[0] : undefined;
}

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
