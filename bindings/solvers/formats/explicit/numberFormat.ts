import { InvalidArgumentError } from '../../../base/errors.js';

/** Numbers with a smaller decimal exponent, or with one of at least `digits`, are written in exponential form. */
const LEAST_EXPONENT = -4;
const MAX_DIGITS = 17;

/**
 * Returns a function that writes numbers as PRISM does, like C's `%g` without trailing zeros: `0.1`, `1e-05`, `12345`, `1e+20`.
 *
 * @param digits significant digits, 1 to 17. Default: as many as the number needs to be read back exactly
 * @throws InvalidArgumentError if `digits` is not an integer from 1 to 17
 */
export function numberFormat(digits?: number): (value: number) => string {
  if (digits !== undefined && !(Number.isInteger(digits) && digits >= 1 && digits <= MAX_DIGITS)) {
    throw new InvalidArgumentError(`digits is ${digits}; expected an integer from 1 to ${MAX_DIGITS}`);
  }
  const limit = digits ?? MAX_DIGITS;
  return (value) => {
    if (!Number.isFinite(value)) return String(value);
    if (value === 0) return Object.is(value, -0) ? '-0' : '0';
    const scientific = digits === undefined ? value.toExponential() : value.toExponential(digits - 1);
    const [mantissa, power] = scientific.split('e');
    const exponent = Number(power);
    const significant = mantissa.replace(/^-/, '').replace('.', '').replace(/0+$/, '');
    const sign = value < 0 ? '-' : '';
    if (exponent < LEAST_EXPONENT || exponent >= limit) {
      const fraction = significant.slice(1);
      const size = String(Math.abs(exponent)).padStart(2, '0');
      return `${sign}${significant[0]}${fraction && `.${fraction}`}e${exponent < 0 ? '-' : '+'}${size}`;
    }
    if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${significant}`;
    const whole = significant.slice(0, exponent + 1).padEnd(exponent + 1, '0');
    const fraction = significant.slice(exponent + 1);
    return `${sign}${whole}${fraction && `.${fraction}`}`;
  };
}
