/** A bound as text is a bound, too, but for the last digits of a double: rounded away from what it bounds. */

/** An upper bound, rounded up to so many digits after the point. */
export function upward(bound: number, digits: number): string {
  return rounded(bound, digits, 1);
}

/** A lower bound, rounded down to so many digits after the point. */
export function downward(bound: number, digits: number): string {
  return rounded(bound, digits, -1);
}

/** Digits after the point that write a number from 0 to 1 in so many significant ones. */
export function digitsFor(value: number, significant: number): number {
  if (value === 0) return significant - 1;
  return Math.min(MAX_DIGITS, Math.max(0, significant - 1 - Math.floor(Math.log10(Math.abs(value)))));
}

/** Relative. Bounds of a solver are wider than this where anything but rounding keeps them apart. */
const SOLVER_ROUNDING = 1e-9;
/** Of `toFixed`. */
const MAX_DIGITS = 100;

function rounded(bound: number, digits: number, direction: 1 | -1): string {
  const nearest = bound.toFixed(digits);
  const value = Number(nearest);
  // What solvers round stands for the number itself; but nothing that is above 0 or below 1 is told as 0 or 1.
  const slack = SOLVER_ROUNDING * Math.min(Math.abs(value), Math.abs(1 - value));
  if ((value - bound) * direction >= -slack) return nearest;
  const unit = 10 ** digits;
  return ((Math.round(Number(nearest) * unit) + direction) / unit).toFixed(digits);
}
