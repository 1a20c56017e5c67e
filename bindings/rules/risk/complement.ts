import type { Bounds } from '../../base/bounds.js';
/**
 * Bounds on 1 − p from bounds on p, rounded outward where the subtraction rounds.
 */
export function complement({ lower, upper }: Bounds<number>): Bounds<number> {
  return {
    lower: isExact(upper) ? 1 - upper : (1 - upper) * (1 - 2 ** -52),
    upper: isExact(lower) ? 1 - lower : Math.min(1, (1 - lower) * (1 + 2 ** -52)),
  };
}

/** Whether 1 − p is a double, so that 1 − (1 − p) loses nothing. */
function isExact(p: number): boolean {
  return 1 - (1 - p) === p;
}
