import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digitsFor, downward, upward } from '../../bindings/base/outward.js';

describe('bounds as text', () => {
  it('hold what they bound, and are the nearest that do', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 1, max: 9 }),
        (bound, digits) => {
          const [lower, upper] = [downward(bound, digits), upward(bound, digits)].map(Number);
          const slack = 1e-9 * Math.min(bound, 1 - bound) + 1e-17;
          expect(lower).toBeLessThanOrEqual(bound + 1.001 * slack);
          expect(upper).toBeGreaterThanOrEqual(bound - 1.001 * slack);
          expect(Math.round((upper - lower) * 10 ** digits)).toBe(lower === upper ? 0 : 1);
          const off = Math.abs(Number(bound.toFixed(digits)) - bound);
          if (off === 0) expect(lower).toBe(upper);
          if (off > 1.001 * slack) expect(lower).toBeLessThan(upper);
        },
      ),
    );
  });

  it('are those that have so few digits themselves, to the last unit', () => {
    for (let i = 0; i <= 10_000; i++) {
      const text = `${Math.floor(i / 10_000)}.${String(i % 10_000).padStart(4, '0')}`;
      expect([downward(Number(text), 4), upward(Number(text), 4)]).toEqual([text, text]);
    }
  });

  it('are never 0 where an upper bound is more, nor 1 where a lower one is less', () => {
    expect(upward(1e-300, 4)).toBe('0.0001');
    expect(downward(1 - 2 ** -53, 4)).toBe('0.9999');
    expect([upward(0, 4), downward(1, 4)]).toEqual(['0.0000', '1.0000']);
  });

  it('take the roundings of a solver for the number itself', () => {
    expect([downward(0.25 - 5e-17, 4), upward(0.25 + 6e-17, 4)]).toEqual(['0.2500', '0.2500']);
    expect([downward(0.25 - 1e-9, 4), upward(0.25 + 1e-9, 4)]).toEqual(['0.2499', '0.2501']);
  });

  it('have as many significant digits as are asked for', () => {
    for (const [value, digits] of [
      [0.25, 6],
      [1, 5],
      [0, 5],
      [0.00123, 8],
      [1e-200, 100],
      [1e9, 0],
    ])
      expect(digitsFor(value, 6)).toBe(digits);
    expect(upward(2 / 3, digitsFor(2 / 3, 6))).toBe('0.666667');
    expect(downward(2 / 3, digitsFor(2 / 3, 6))).toBe('0.666666');
  });
});
