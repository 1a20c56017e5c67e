import { InvalidArgumentError } from '../errors.js';

/** The value of `--precision`. */
export function parsePrecision(text: string): number {
  const precision = Number(text);
  if (precision > 0 && precision < 1) return precision;
  throw new InvalidArgumentError(
    `--precision is "${text}"; expected a number above 0 and below 1, such as 1e-6`,
  );
}
