import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gcd, leastCommonMultiple, Rational } from '../../bindings/base/rational.js';
import { Rational as Reduced } from '../oracle/rational.js';

const natural = fc.oneof(fc.bigInt(0n, 100n), fc.bigInt(0n, 2n ** 200n), fc.bigInt(0n, 2n ** 1500n));

describe('fractions of whole numbers', () => {
  it('are the numbers that doubles are', () => {
    fc.assert(
      fc.property(fc.double({ min: 2 ** -1074, max: 2 ** 60, noNaN: true }), (value) => {
        expect(`${Rational.fromDouble(value)}`).toBe(`${Reduced.fromDouble(value)}`);
      }),
    );
    expect(`${Rational.fromDouble(0)}`).toBe('0');
    expect(`${Rational.fromDouble(1)}`).toBe('1');
    expect(`${Rational.fromDouble(0.375).complement()}`).toBe('5/8');
  });

  it('compare as fractions do, in lowest terms or not', () => {
    const fraction = fc.tuple(
      natural,
      natural.map((n) => n + 1n),
    );
    fc.assert(
      fc.property(fraction, fraction, (a, b) => {
        const expected = new Reduced(...a).compare(new Reduced(...b));
        expect(new Rational(...a).compare(new Rational(...b))).toBe(expected);
      }),
    );
    expect(new Rational(3n, 6n).compare(new Rational(1n, 2n))).toBe(0);
  });

  it('have the greatest common divisor that Euclid found', () => {
    const euclid = (a: bigint, b: bigint): bigint => (b === 0n ? a : euclid(b, a % b));
    fc.assert(
      fc.property(natural, natural, fc.nat(80), (a, b, shift) => {
        const [x, y] = [a << BigInt(shift), b << BigInt(shift >> 1)];
        expect(gcd(x, y)).toBe(euclid(x, y));
      }),
    );
    // Neighbours in Fibonacci's sequence take the most steps; powers less one have long factors in common.
    let [a, b] = [0n, 1n];
    for (let i = 0; i < 3000; i++) [a, b] = [b, a + b];
    expect(gcd(a, b)).toBe(1n);
    expect(gcd(a * 3n ** 500n, b * 3n ** 400n * 5n)).toBe(3n ** 400n * gcd(5n, a) * gcd(b, 3n ** 100n));
    expect(gcd(3n ** 700n - 1n, 3n ** 525n - 1n)).toBe(3n ** 175n - 1n);
    // Biases of decision processes are negative as often as not.
    for (const [one, other] of [
      [-a, b],
      [a, -b],
      [-a, -b],
    ])
      expect(gcd(one * 3n, other * 3n)).toBe(3n);
    expect(gcd(0n, -(2n ** 80n))).toBe(2n ** 80n);
    expect(leastCommonMultiple([4n, 6n, 4n])).toBe(12n);
    expect(leastCommonMultiple([])).toBe(1n);
  });
});
