import type { Bounds } from '../../base/bounds.js';
import type { BitSet, Csr } from '../kernel/index.js';

const UNIT_ROUNDOFF = 2 ** -53;

/** Products below this may lose digits to underflow; non-zero upper bounds never go below it. */
const SMALLEST = 2 ** -960;

/**
 * Bounds on the mean of a value over the successors of one state, rounded outward.
 *
 * The entries off the diagonal define the chain; the probability of staying is 1 minus their sum. The sum is compensated, so
 * that the remainder has a relative error of about 2^-50, and is 0 for a row that sums to 1.
 *
 * @param most an upper limit of the values; default 1, as for probabilities.
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
  // Infinite values are possible, as of rewards: nothing of them is nothing.
  if (stay > 0) {
    low += stay * lower[s];
    high += stay * upper[s];
  }
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
 * The graph part of stepping values backward, whose numbers the kernel computes: the states whose value is positive, given
 * those whose final value is positive.
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
