import { describe, expect, it } from 'vitest';
import { formatCount, formatNumber } from '../../../bindings/face/cli/terminal.js';

describe('numbers for people', () => {
  it.each([
    [0, '0'],
    [3, '3'],
    [1 / 3, '0.333333'],
    [-2.5, '-2.5'],
    [1.3302356e-6, '1.33024e-6'],
    [0.00012345678, '0.000123457'],
    [Infinity, 'Infinity'],
  ])('%s has up to 6 digits', (value, text) => expect(formatNumber(value)).toBe(text));

  it.each([
    [0, '0'],
    [9999.4, '9999'],
    [12_345, '12.3 thousand'],
    [1_254_000, '1.25 million'],
  ])('%s is counted in 3 digits', (count, text) => expect(formatCount(count)).toBe(text));
});
