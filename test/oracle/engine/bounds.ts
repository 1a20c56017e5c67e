import type { Bounds } from '../../../bindings/base/bounds.js';
import { SMALLEST_PROBABILITY } from '../../../bindings/solvers/kernel/invalidModel.js';

/** Covers the at most k + 4 roundings of a row with k entries; even, so that 1 - outward(k) and 1 + outward(k) are doubles. */
export function outward(k: number): number {
  return ((k + 6) & ~1) * 2 ** -53;
}

/** Narrows the bounds of a state with a positive value to those given; returns whether anything moved. */
export function tighten(bounds: Bounds, s: number, lower: number, upper: number): boolean {
  const safeLower = lower < SMALLEST_PROBABILITY ? 0 : lower;
  const safeUpper = Math.max(upper, SMALLEST_PROBABILITY);
  const moved = safeLower > bounds.lower[s] || safeUpper < bounds.upper[s];
  if (safeLower > bounds.lower[s]) bounds.lower[s] = safeLower;
  if (safeUpper < bounds.upper[s]) bounds.upper[s] = safeUpper;
  return moved;
}

/**
 * How far bounds are apart, absolutely up to 1 and relative to the lower one above, or always: then a positive upper bound is
 * infinitely far from a lower one of 0.
 */
export function gapOf(bounds: Bounds, s: number, relative: boolean): number {
  const width = bounds.upper[s] - bounds.lower[s];
  return width > 0 ? width / (relative ? bounds.lower[s] : Math.max(1, bounds.lower[s])) : width;
}
