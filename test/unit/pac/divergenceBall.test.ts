import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ballMaximum } from '../../../bindings/estimation/pac/divergenceBall.js';

const weights = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2, maxLength: 6 });
const normalised = (xs: readonly number[]): number[] => {
  const sum = xs.reduce((a, b) => a + b, 0);
  return xs.map((x) => x / sum);
};
const divergence = (centre: readonly number[], p: readonly number[]): number =>
  centre.reduce((sum, c, i) => sum + (c === 0 ? 0 : c * Math.log(c / p[i])), 0);

describe('the greatest mean over a divergence ball', () => {
  it('is at least that of every distribution in it', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(
            fc.double({ min: 0, max: 1, noNaN: true }),
            fc.double({ min: 1e-3, max: 1, noNaN: true }),
            fc.double({ min: 0, max: 1, noNaN: true }),
          ),
          { minLength: 2, maxLength: 6 },
        ),
        (entries) => {
          const weighted = entries.map(([c]) => (c < 0.2 ? 0 : c));
          fc.pre(weighted.some((c) => c > 0));
          const centre = normalised(weighted);
          const p = normalised(entries.map(([, weight]) => weight));
          const values = Float64Array.from(entries, ([, , v]) => v);
          const most = Math.max(...values);
          const mean = p.reduce((sum, share, i) => sum + share * values[i], 0);
          const bound = ballMaximum(
            Float64Array.from(centre),
            values,
            values.length,
            most,
            divergence(centre, p),
          );
          expect(bound).toBeGreaterThanOrEqual(mean - 1e-15);
          expect(bound).toBeLessThanOrEqual(most);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('is that of a distribution at the edge of it, of those that have the shape of the best', () => {
    fc.assert(
      fc.property(weights, weights, fc.double({ min: 1e-3, max: 3, noNaN: true }), (shares, vs, lambda) => {
        const k = Math.min(shares.length, vs.length);
        const centre = normalised(shares.slice(0, k).map((c) => c + 0.01));
        const values = Float64Array.from(vs.slice(0, k));
        const most = Math.max(...values);
        // The best ones are proportional to centre / (λ − v).
        const p = normalised(centre.map((c, i) => c / (most + lambda - values[i])));
        const mean = p.reduce((sum, share, i) => sum + share * values[i], 0);
        const radius = Math.max(0, divergence(centre, p));
        const bound = ballMaximum(Float64Array.from(centre), values, k, most, radius);
        expect(bound).toBeGreaterThanOrEqual(mean - 1e-12);
        expect(bound).toBeLessThan(mean + 1e-3 * Math.sqrt(radius) + 1e-9);
      }),
    );
  });

  it('is the most there is where nothing bounds the divergence', () => {
    expect(ballMaximum(Float64Array.of(1), Float64Array.of(0.2), 1, 0.7, Infinity)).toBe(0.7);
  });
});
