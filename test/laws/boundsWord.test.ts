import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidArgumentError } from '../../bindings/base/errors.js';
import { Rational } from '../../bindings/base/rational.js';
import { isBoundsWord, lowerOf, packBounds, upperOf } from '../../bindings/runtime/guard/boundsWord.js';

const probability = fc.oneof(
  fc.constantFrom(
    0,
    5e-324,
    1e-21,
    1e-16,
    9.999995e-16,
    1e-15,
    0.1,
    0.3,
    0.4,
    0.5,
    0.999999,
    1 - 2 ** -53,
    1,
  ),
  fc.double({ min: 0, max: 1, noNaN: true }),
  fc.integer({ min: 0, max: 1_000_000 }).map((parts) => parts / 1_000_000),
  fc
    .tuple(fc.integer({ min: 1, max: 999_999 }), fc.integer({ min: 0, max: 30 }))
    .map(([m, e]) => m * 10 ** -(6 + e)),
);
const bounds = fc
  .tuple(probability, probability)
  .map(([one, other]) => [Math.min(one, other), Math.max(one, other)] as const);
/** Bounds as a solver leaves them. */
const narrow = fc
  .tuple(probability, fc.integer({ min: 0, max: 300 }))
  .map(([upper, e]) => [Math.max(0, upper - upper * 2 ** -(e / 4)), upper] as const);

/** A unit in the sixth digit, or in the 21st decimal place. */
function unitOf(value: number): number {
  const digits = value === 0 ? 15 : Math.min(15, -Math.floor(Math.log10(value)) - 1);
  return Number(`1e-${6 + Math.max(0, digits)}`) * 1.000001;
}

describe('bounds in 32 bits', () => {
  it('contain the bounds they were made of, and are hardly wider', () => {
    fc.assert(
      fc.property(fc.oneof(bounds, narrow), ([lower, upper]) => {
        const word = packBounds(lower, upper);
        expect(Number.isInteger(word) && word >= 0 && word < 2 ** 32).toBe(true);
        expect(isBoundsWord(word)).toBe(true);
        const [low, high] = [lowerOf(word), upperOf(word)];
        expect(low).toBeLessThanOrEqual(lower);
        expect(high).toBeGreaterThanOrEqual(upper);
        expect(high).toBeLessThanOrEqual(1);
        const unit = unitOf(high);
        expect(high - upper).toBeLessThanOrEqual(unit);
        expect(lower - low).toBeLessThanOrEqual((upper - lower) / 16 + 1.2 * unit);
      }),
      { numRuns: 5000 },
    );
  });

  it('keep decimals of six digits as they are, to the double, alone and as bounds that are equal', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999 }), fc.integer({ min: 0, max: 15 }), (digits, zeros) => {
        const decimal = Number(`${digits}e-${6 + zeros}`);
        const word = packBounds(decimal, decimal);
        expect([lowerOf(word), upperOf(word)]).toEqual([decimal, decimal]);
      }),
    );
    for (const whole of [0, 1]) {
      const word = packBounds(whole, whole);
      expect([lowerOf(word), upperOf(word)]).toEqual([whole, whole]);
    }
  });

  it('are the doubles next to the decimals that they stand for, in fractions', () => {
    fc.assert(
      fc.property(fc.nat({ max: 2 ** 32 - 1 }), (word) => {
        fc.pre(isBoundsWord(word));
        const upper = upperOf(word);
        expect(upper >= 0 && upper <= 1 && lowerOf(word) >= 0 && lowerOf(word) <= upper).toBe(true);
        const decimal = Rational.fromInteger((word >>> 8) & 0xfffff).dividedBy(
          Rational.fromInteger(10n ** BigInt(21 - (word >>> 28))),
        );
        const error = decimal.minus(Rational.fromDouble(upper));
        const half = Rational.fromDouble(upper).times(Rational.fromDouble(2 ** -53));
        expect(error.compare(half)).toBeLessThanOrEqual(0);
        expect(error.compare(half.negated())).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it('order by their upper bounds: words that are larger in their first 24 bits mean no less', () => {
    fc.assert(
      fc.property(probability, probability, (one, other) => {
        const [low, high] = [Math.min(one, other), Math.max(one, other)];
        expect(packBounds(low, low) >>> 8).toBeLessThanOrEqual(packBounds(high, high) >>> 8);
      }),
    );
  });

  it.each([
    [Number.NaN, 0.5],
    [0, Number.NaN],
    [-0.1, 0.5],
    [0.5, 1.1],
    [0.5, 0.4],
  ])('are not made of %s and %s', (lower, upper) => {
    expect(() => packBounds(lower, upper)).toThrow(InvalidArgumentError);
  });
});
