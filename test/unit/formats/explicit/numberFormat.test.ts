import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidArgumentError } from '../../../../bindings/base/errors.js';
import { numberFormat } from '../../../../bindings/solvers/formats/explicit/numberFormat.js';

describe('numberFormat', () => {
  it.each([
    [0.1, '0.1'],
    [0, '0'],
    [-0, '-0'],
    [1, '1'],
    [-2.5, '-2.5'],
    [100, '100'],
    [0.0001, '0.0001'],
    [0.00001, '1e-05'],
    [1.25e-7, '1.25e-07'],
    [1e16, '10000000000000000'],
    [1e17, '1e+17'],
    [1.5e300, '1.5e+300'],
    [0.1 + 0.2, '0.30000000000000004'],
    [Number.POSITIVE_INFINITY, 'Infinity'],
  ])('writes %d as %s', (value, text) => {
    expect(numberFormat()(value)).toBe(text);
  });

  it('rounds to the digits asked for', () => {
    const show = numberFormat(3);
    expect([0.8 * 0.8, 2 / 3, 1234, 999.9, 0.00012345].map(show)).toEqual([
      '0.64',
      '0.667',
      '1.23e+03',
      '1e+03',
      '0.000123',
    ]);
  });

  it('loses nothing without being asked', () => {
    const show = numberFormat();
    fc.assert(fc.property(fc.double({ noNaN: true }), (value) => Object.is(Number(show(value)), value)));
  });

  it('refuses digits that doubles do not have', () => {
    for (const digits of [0, 18, 1.5]) expect(() => numberFormat(digits)).toThrow(InvalidArgumentError);
  });
});
