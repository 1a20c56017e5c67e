/** Prints bounds so that the text is a bound too, up to the last digits of a double: rounded away from the bounded value. */

/** Prints an upper bound, rounded up to `digits` digits after the point. */
export function upward(bound: number, digits: number): string {
  return rounded(bound, digits, 1);
}

/** Prints a lower bound, rounded down to `digits` digits after the point. */
export function downward(bound: number, digits: number): string {
  return rounded(bound, digits, -1);
}

/** The number of digits after the point that show a number from 0 to 1 with `significant` significant digits. */
export function digitsFor(value: number, significant: number): number {
  if (value === 0) return significant - 1;
  return Math.min(MAX_DIGITS, Math.max(0, significant - 1 - Math.floor(Math.log10(Math.abs(value)))));
}

/** Relative rounding error of solvers. Bounds that differ for any other reason are further apart. */
const SOLVER_ROUNDING = 1e-9;
/** Limit of `toFixed`. */
const MAX_DIGITS = 100;

function rounded(bound: number, digits: number, direction: 1 | -1): string {
  const nearest = bound.toFixed(digits);
  const value = Number(nearest);
  // A rounding error of a solver does not change the printed number, but a number above 0 or below 1 is never printed as 0 or 1.
  const slack = SOLVER_ROUNDING * Math.min(Math.abs(value), Math.abs(1 - value));
  if ((value - bound) * direction >= -slack) return nearest;
  const unit = 10 ** digits;
  return ((Math.round(Number(nearest) * unit) + direction) / unit).toFixed(digits);
}
