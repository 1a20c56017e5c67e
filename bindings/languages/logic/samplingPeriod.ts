import { InvalidArgumentError } from '../../base/errors.js';
import { fractionToDouble } from '../../base/fraction.js';
import { type Fraction, fractionOf } from './decimal.js';

/**
 * The greatest denominator for which no decimal of ten digits is mistaken for a fraction. Two numbers with the same nearest double x differ
 * by at most 2^-52 x. A fraction p/q and a different decimal a/10^k differ by at least 1/(q 10^k). If both have the same nearest double,
 * then q >= 2^52/a, and a < 10^10 gives q > 2^52/10^10 = 450,359.96.
 */
const MAX_DENOMINATOR = 450_359;

/**
 * The exact number of seconds between steps.
 *
 * @param period Text is a decimal or a quotient of two (`0.1`, `1/30`, `1001/30000`). A number stands for the fraction with a denominator
 * up to 450,359 whose nearest double it is, so that 1 / 30 is a thirtieth; if there is none, for its shortest decimal. A decimal of up to
 * ten digits therefore means itself, as text and as a number.
 * @throws InvalidArgumentError if it is anything else, or not positive
 */
export function exactPeriod(period: number | string): Fraction {
  const fraction = fractionOf(typeof period === 'number' ? textOf(period) : period.trim());
  if (fraction !== null && fraction.numerator > 0n) return fraction;
  throw new InvalidArgumentError(
    `the sampling period is ${period}; expected a positive number of seconds, such as 0.1 or 1/30`,
  );
}

/** Seconds between steps, as the nearest double; arguments and errors are those of `exactPeriod`. */
export function periodInSeconds(period: number | string): number {
  const { numerator, denominator } = exactPeriod(period);
  return fractionToDouble(numerator, denominator);
}

/** Tries the convergents of the continued fraction, which approach the period with growing denominators. */
function textOf(period: number): string {
  let [before, denominatorBefore] = [1, 0];
  let [numerator, denominator] = [Math.floor(period), 1];
  let rest = period - numerator;
  while (denominator <= MAX_DENOMINATOR && numerator <= Number.MAX_SAFE_INTEGER) {
    if (numerator / denominator === period) return `${numerator}/${denominator}`;
    const next = Math.floor(1 / rest);
    rest = 1 / rest - next;
    [before, numerator] = [numerator, next * numerator + before];
    [denominatorBefore, denominator] = [denominator, next * denominator + denominatorBefore];
  }
  return String(period);
}
