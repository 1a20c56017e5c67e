import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Random } from '../../../bindings/base/random.js';
import { logGamma, logGammaRest } from '../../../bindings/estimation/pac/logMixture.js';
import {
  binomialSet,
  discoveredRadius,
  divergenceRadius,
  totalVariation,
  unseenMass,
} from '../../../bindings/estimation/pac/rowSet.js';

/** ln Γ at whole and half numbers, by products. */
function logGammaByProducts(twice: number): number {
  let sum = twice % 2 === 0 ? 0 : 0.5 * Math.log(Math.PI);
  for (let z = twice % 2 === 0 ? 1 : 0.5; 2 * z < twice; z++) sum += Math.log(z);
  return sum;
}

/** ln of the chance of one sequence with these counts under the mixture of all distributions, draw by draw (Krichevsky, Trofimov 1981). */
function logMixtureByDraws(counts: readonly number[], k: number): number {
  let sum = 0;
  let n = 0;
  for (const count of counts) for (let x = 0; x < count; x++) sum += Math.log((x + 0.5) / (n++ + k / 2));
  return sum;
}

const counts = fc.array(fc.nat(60), { minLength: 1, maxLength: 6 }).filter((xs) => xs.some((x) => x > 0));
const level = fc.double({ min: 1e-9, max: 0.5, noNaN: true });

describe('Gamma functions', () => {
  it('are those of products at whole and half numbers', () => {
    for (let twice = 1; twice < 300; twice++) {
      expect(logGamma(twice / 2)).toBeCloseTo(logGammaByProducts(twice), 10);
    }
  });

  it('leave a rest that vanishes as its argument grows', () => {
    expect(logGammaRest(0)).toBeCloseTo(-0.5 * Math.LN2, 14);
    expect(logGammaRest(1e9)).toBeCloseTo(-1 / 24e9, 20);
  });
});

describe('binomialSet', () => {
  it('is where the likelihood is at least level times the mixture over all probabilities', () => {
    fc.assert(
      fc.property(fc.nat(80), fc.nat(80), level, (x, others, atLevel) => {
        const n = x + others;
        const { lower, upper } = binomialSet(x, n, atLevel);
        const excess = (p: number): number =>
          (x === 0 ? 0 : x * Math.log(p)) +
          (others === 0 ? 0 : others * Math.log1p(-p)) -
          logMixtureByDraws([x, others], 2) -
          Math.log(atLevel);
        if (lower > 0) {
          expect(excess(lower)).toBeLessThan(1e-9);
          expect(excess(lower * (1 + 1e-9))).toBeGreaterThan(-1e-6);
        } else expect(x).toBe(0);
        if (upper < 1) {
          expect(excess(upper)).toBeLessThan(1e-9);
          expect(excess(upper - 1e-9)).toBeGreaterThan(-1e-4);
        } else expect(others).toBe(0);
        if (n > 0) expect(lower <= x / n && x / n <= upper).toBe(true);
      }),
    );
  });

  it('says nothing without a draw', () => {
    expect(binomialSet(0, 0, 0.05)).toEqual({ lower: 0, upper: 1 });
  });

  it('stays an interval around the frequency for counts in the billions', () => {
    const { lower, upper } = binomialSet(3e8, 1e9, 1e-6);
    expect(lower).toBeLessThan(0.3);
    expect(upper).toBeGreaterThan(0.3);
    expect(upper - lower).toBeLessThan(3e-4);
  });

  it.each([
    [2, 1, 0.05],
    [0.5, 1, 0.05],
    [-1, 1, 0.05],
    [1, 2, 0],
    [1, 2, 1],
    [1, 2, Number.NaN],
  ])('refuses %d of %d at level %d', (x, n, atLevel) => {
    expect(() => binomialSet(x, n, atLevel)).toThrow(/expected/);
  });
});

describe('divergenceRadius', () => {
  it('is where the likelihood is at least level times the mixture over all distributions', () => {
    fc.assert(
      fc.property(counts, fc.nat(3), level, (xs, more, atLevel) => {
        const k = xs.length + more + 1;
        const n = xs.reduce((sum, x) => sum + x, 0);
        const best = xs.reduce((sum, x) => sum + (x === 0 ? 0 : x * Math.log(x / n)), 0);
        const exact = (best - logMixtureByDraws(xs, k) - Math.log(atLevel)) / n;
        const radius = divergenceRadius(xs, k, atLevel);
        expect(radius).toBeGreaterThanOrEqual(exact * (1 - 1e-12));
        expect(radius).toBeLessThan(exact * (1 + 1e-9) + 1e-9);
      }),
    );
  });

  it('is infinite without a draw, which allows every distance', () => {
    expect(divergenceRadius([], 3, 0.05)).toBe(Number.POSITIVE_INFINITY);
    expect(totalVariation(Number.POSITIVE_INFINITY)).toBe(1);
  });
});

describe('discoveredRadius', () => {
  it('is what the predictor of draws one by one leaves, outcomes in whatever order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 6 }),
        fc.double({ min: -5, max: 0, noNaN: true }),
        level,
        (xs, newOutcomes, atLevel) => {
          const n = xs.reduce((sum, x) => sum + x, 0);
          const rest = n - xs.length;
          if (rest === 0) {
            expect(discoveredRadius(xs, newOutcomes, atLevel)).toBe(Infinity);
            return;
          }
          // The first draw is new for certain; then what was seen x times in m draws has x/(m + ½), what was not ½/(m + ½).
          let predicted = 0;
          let m = 0;
          for (const count of xs) {
            for (let x = 0; x < count; x++, m++) {
              if (m > 0) predicted += Math.log((x === 0 ? 0.5 : x) / (m + 0.5));
            }
          }
          const best = xs.reduce((sum, x) => sum + (x === 1 ? 0 : (x - 1) * Math.log((x - 1) / rest)), 0);
          const exact = Math.max(0, best - predicted + newOutcomes - Math.log(atLevel)) / rest;
          const radius = discoveredRadius(xs, newOutcomes, atLevel);
          expect(radius).toBeGreaterThanOrEqual(exact * (1 - 1e-12));
          expect(radius).toBeLessThan(exact * (1 + 1e-9) + 1e-9);
        },
      ),
    );
  });

  it('leaves out the truth at hardly any number of draws, looked at after each', () => {
    const truth = [0.5, 0.25, 0.15, 0.1];
    const random = new Random(17);
    let outside = 0;
    for (let set = 0; set < 400; set++) {
      const counts = new Map<number, number>();
      const found: number[] = [];
      let missed = false;
      for (let n = 1; n <= 120; n++) {
        let u = random.next();
        const t = truth.findIndex((p) => (u -= p) < 0);
        if (!counts.has(t)) found.push(t);
        counts.set(t, (counts.get(t) ?? 0) + 1);
        if (n === found.length) continue;
        // What was new, exactly: the logarithms of what was left each time.
        let left = 1;
        let newOutcomes = 0;
        for (const one of found.slice(0, -1)) newOutcomes += Math.log((left -= truth[one]));
        const radius = discoveredRadius([...counts.values()], newOutcomes, 0.3);
        let divergence = 0;
        for (const [one, count] of counts) {
          const share = (count - 1) / (n - found.length);
          if (share > 0) divergence += share * Math.log(share / truth[one]);
        }
        missed ||= divergence > radius;
      }
      outside += Number(missed);
    }
    // At most 120 expected; 5 standard deviations more would be 166.
    expect(outside).toBeLessThan(166);
    expect(outside).toBeGreaterThan(0);
  });
});

describe('unseenMass', () => {
  it('is what stays unseen so long with probability level', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), level, (since, atLevel) => {
        const mass = unseenMass(since, atLevel);
        // Near 1 the double nearest to a mass is off by more than its rest allows to see.
        const rounding = (since * 2 ** -49) / Math.max(2 ** -52, 1 - mass);
        expect(since * Math.log1p(-mass)).toBeLessThanOrEqual(Math.log(atLevel) * (1 - 1e-12));
        expect(since * Math.log1p(-mass)).toBeGreaterThan(Math.log(atLevel) * (1 + 1e-9) - rounding);
      }),
    );
    expect(unseenMass(0, 0.05)).toBe(1);
  });
});
