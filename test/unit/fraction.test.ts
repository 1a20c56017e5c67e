import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fractionToDouble } from '../../bindings/base/fraction.js';

/** The exact value of a finite double, as a fraction. */
function exact(value: number): [bigint, bigint] {
  let denominator = 1n;
  let scaled = value;
  while (!Number.isInteger(scaled)) {
    scaled *= 2;
    denominator *= 2n;
  }
  return [BigInt(scaled), denominator];
}

function distance([n, d]: [bigint, bigint], value: number): [bigint, bigint] {
  const [m, e] = exact(value);
  const difference = n * e - m * d;
  return [difference < 0n ? -difference : difference, d * e];
}

describe('fractionToDouble', () => {
  it('gives a double that no neighbour is nearer than', () => {
    const big = fc.bigInt({ min: 1n, max: 2n ** 200n });
    fc.assert(
      fc.property(big, big, (n, d) => {
        const value = fractionToDouble(n, d);
        const [error, unit] = distance([n, d], value);
        for (const neighbour of [value * (1 + 2 ** -52), value * (1 - 2 ** -53)]) {
          const [other, otherUnit] = distance([n, d], neighbour);
          expect(error * otherUnit <= other * unit).toBe(true);
        }
      }),
    );
  });

  it('keeps the sign and divides small integers as doubles do', () => {
    expect(fractionToDouble(-1n, 3n)).toBe(-1 / 3);
    expect(fractionToDouble(0n, 5n)).toBe(0);
    expect(fractionToDouble(-(2n ** 80n), 3n * 2n ** 80n)).toBe(-1 / 3);
    expect(fractionToDouble(1n, 10n ** 320n)).toBe(1e-320);
  });
});
