import type { Bounds } from '../../base/bounds.js';
import type { BitSet, Csr } from '../kernel/index.js';

const UNIT_ROUNDOFF = 2 ** -53;

/** Below it products may lose digits to underflow; upper bounds that are not 0 never go below. */
const SMALLEST = 2 ** -960;

/**
 * Bounds on the mean of a value over the successors of one state, rounded outward.
 *
 * The chain is defined by the entries off the diagonal; the probability to stay is what they leave of 1. Their sum is
 * taken with compensation, so that what is left is right to a relative 2^-50 or so, and a row that sums to 1 leaves 0.
 *
 * @param most What no value exceeds; default 1, as of probabilities.
 */
export function rowMean(
  { rowStart, columns, values }: Csr,
  s: number,
  { lower, upper }: Bounds,
  most = 1,
): [number, number] {
  let low = 0;
  let high = 0;
  let sum = 0;
  let compensation = 0;
  for (let i = rowStart[s]; i < rowStart[s + 1]; i++) {
    const t = columns[i];
    if (t === s) continue;
    const p = values[i];
    low += p * lower[t];
    high += p * upper[t];
    const next = sum + p;
    compensation += sum >= p ? sum - next + p : p - next + sum;
    sum = next;
  }
  const stay = Math.max(0, 1 - sum - compensation);
  low += stay * lower[s];
  high += stay * upper[s];
  const total = Math.max(1, sum + compensation);
  const error = (rowStart[s + 1] - rowStart[s] + 12) * UNIT_ROUNDOFF;
  low = (low / total) * (1 - error);
  return [
    low < SMALLEST ? 0 : low,
    high === 0 ? 0 : Math.max(SMALLEST, Math.min(most, (high / total) * (1 + error))),
  ];
}

/** Whether some successor of a state is in a set. */
export function someSuccessor({ rowStart, columns }: Csr, s: number, set: BitSet): boolean {
  for (let i = rowStart[s]; i < rowStart[s + 1]; i++) if (set.has(columns[i])) return true;
  return false;
}

/**
 * The graph's side of taking values back step by step, which the kernel does: the states whose value is positive, given those
 * where it is at the end.
 */
export function supportBackward(rows: Csr, active: BitSet, set: BitSet, steps: number, others = set): BitSet {
  let current = set;
  for (let step = 0; step < steps; step++) {
    const next = others.difference(active);
    for (const s of active) if (someSuccessor(rows, s, current)) next.add(s);
    if (step > 0 && next.equals(current)) break;
    current = next;
  }
  return current;
}
