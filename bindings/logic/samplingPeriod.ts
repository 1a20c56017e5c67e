import { InvalidArgumentError } from '../errors.js';
import { fractionToDouble } from '../fraction.js';
import { type Fraction, fractionOf } from './decimal.js';

/** Denominators up to this are told apart from decimals of ten digits by the doubles nearest to them. */
const MOST_DENOMINATOR = 1_000_000;

/**
 * Seconds between steps, exactly.
 *
 * @param period Text is a decimal or a quotient of two (`0.1`, `1/30`, `1001/30000`). A number stands for the fraction with a denominator up to a
 * million that it is the nearest double to, so that 1 / 30 is a thirtieth; where there is none, for its shortest decimal.
 * @throws InvalidArgumentError where it is anything else, or not positive
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

/** Convergents of the continued fraction come nearer and nearer with denominators that grow. */
function textOf(period: number): string {
  let [before, denominatorBefore] = [1, 0];
  let [numerator, denominator] = [Math.floor(period), 1];
  let rest = period - numerator;
  while (denominator <= MOST_DENOMINATOR && numerator <= Number.MAX_SAFE_INTEGER) {
    if (numerator / denominator === period) return `${numerator}/${denominator}`;
    const next = Math.floor(1 / rest);
    rest = 1 / rest - next;
    [before, numerator] = [numerator, next * numerator + before];
    [denominatorBefore, denominator] = [denominator, next * denominator + denominatorBefore];
  }
  return String(period);
}
