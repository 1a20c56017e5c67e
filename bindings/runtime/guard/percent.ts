import { threeDigits } from '../../base/digits.js';

/** A probability in percent, with three significant digits. */
export function percent(probability: number): string {
  return `${threeDigits(100 * probability)} %`;
}
