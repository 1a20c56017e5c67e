import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chiSquareTail } from '../../../bindings/study/diagnosis/chiSquare.js';
import {
  chiSquareValue,
  degreesOfFreedom,
  likelihoodRatio,
  meanVariation,
  pooled,
  smallestExpected,
} from '../../../bindings/study/diagnosis/contingency.js';
import { holm } from '../../../bindings/study/diagnosis/holm.js';

const tables = fc
  .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 }))
  .chain(([rows, columns]) =>
    fc.array(fc.array(fc.nat(9), { minLength: columns, maxLength: columns }), {
      minLength: rows,
      maxLength: rows,
    }),
  );

describe('the chi-square distribution', () => {
  it('has the tails of printed tables', () => {
    const printed = [
      [3.841458820694124, 1, 0.05],
      [6.634896601021213, 1, 0.01],
      [5.991464547107979, 2, 0.05],
      [18.307038053275146, 10, 0.05],
      [124.34211340400407, 100, 0.05],
    ];
    for (const [x, degrees, tail] of printed) {
      expect(Math.abs(chiSquareTail(x, degrees) / tail - 1)).toBeLessThan(1e-11);
    }
  });

  it('is a sum of Poisson probabilities for an even number of degrees, far out too', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 30 }),
        fc.double({ min: 0.01, max: 700, noNaN: true }),
        (half, x) => {
          let term = Math.exp(-x / 2);
          let sum = term;
          for (let j = 1; j < half; j++) {
            term *= x / 2 / j;
            sum += term;
          }
          expect(Math.abs(chiSquareTail(x, 2 * half) / sum - 1)).toBeLessThan(1e-10);
        },
      ),
    );
  });
});

describe('a table of histories and outcomes', () => {
  it('has the likelihood ratio of two products of frequencies', () => {
    // (3/4)^3 (1/4) (1/2)^2 (1/2)^2 against (5/8)^5 (3/8)^3.
    const exact = 2 * Math.log(((3 / 4) ** 3 * (1 / 4) * (1 / 2) ** 4) / ((5 / 8) ** 5 * (3 / 8) ** 3));
    const G = likelihoodRatio([
      [3, 1],
      [2, 2],
    ]);
    expect(Math.abs(G - exact)).toBeLessThan(1e-12);
    expect(
      degreesOfFreedom([
        [3, 1, 0],
        [2, 2, 0],
        [0, 0, 0],
      ]),
    ).toBe(1);
    expect(
      likelihoodRatio([
        [2, 4],
        [3, 6],
      ]),
    ).toBeLessThan(1e-12);
    // Williams' factor of this table, by hand: 1 + (8(1/4 + 1/4) − 1)(8(1/5 + 1/3) − 1) / (6 · 8).
    const factor = 1 + (3 * (8 * (1 / 5 + 1 / 3) - 1)) / 48;
    expect(
      chiSquareValue([
        [3, 1],
        [2, 2],
      ]),
    ).toBe(chiSquareTail(G / factor, 1));
  });

  it('keeps its sum when rare rows and columns are put together, and expects enough or is trivial', () => {
    fc.assert(
      fc.property(tables, (table) => {
        const result = pooled(table, 5);
        const sum = (of: readonly (readonly number[])[]): number => of.flat().reduce((a, b) => a + b, 0);
        expect(sum(result)).toBe(sum(table));
        const trivial = degreesOfFreedom(result) === 0;
        expect(trivial || smallestExpected(result) >= 5).toBe(true);
        expect(likelihoodRatio(result)).toBeLessThanOrEqual(likelihoodRatio(table) + 1e-9);
      }),
    );
  });

  it('is as far apart as chance says where chance alone is at work', () => {
    expect(
      meanVariation([
        [30, 10],
        [10, 30],
      ]),
    ).toMatchObject({ variation: 0.25 });
    // The mean of |x − 1/2| for a binomial share of 40 that are half of 80: sqrt(2/π · 1/4 · (1/40 − 1/80)).
    const { byChance } = meanVariation([
      [20, 20],
      [20, 20],
    ]);
    expect(byChance).toBeCloseTo(Math.sqrt((2 / Math.PI) * 0.25 * (1 / 80)), 12);
  });
});

describe("Holm's correction", () => {
  it('multiplies the smallest by all, the next by one less, and never falls', () => {
    expect(holm([0.01, 0.04, 0.03, 0.005])).toEqual(
      [0.03, 0.06, 0.06, 0.02].map((x) => expect.closeTo(x, 12)),
    );
    expect(holm([0.5, 0.9])).toEqual([1, 1]);
    expect(holm([])).toEqual([]);
  });
});
