import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidArgumentError } from '../../../bindings/base/errors.js';
import { clopperPearsonInterval, wilsonInterval } from '../../../bindings/study/evaluation/index.js';

/** P(X <= successes) for a binomial X, by summing its terms. */
function binomialDistribution(successes: number, trials: number, rate: number): number {
  let logChoose = 0;
  let sum = 0;
  for (let k = 0; k <= successes; k++) {
    if (k > 0) logChoose += Math.log((trials - k + 1) / k);
    sum += Math.exp(logChoose + k * Math.log(rate) + (trials - k) * Math.log1p(-rate));
  }
  return sum;
}

const counts = fc
  .tuple(fc.integer({ min: 1, max: 400 }), fc.nat(400))
  .map(([trials, successes]) => [Math.min(successes, trials), trials] as const);

describe('intervals of a rate', () => {
  // Newcombe, Two-sided confidence intervals for the single proportion, 1998, table I (to four decimals).
  const published = [
    { successes: 81, trials: 263, wilson: [0.2553, 0.3662], exact: [0.2527, 0.3676] },
    { successes: 15, trials: 148, wilson: [0.0624, 0.1605], exact: [0.0578, 0.1617] },
    { successes: 0, trials: 20, wilson: [0, 0.1611], exact: [0, 0.1684] },
    { successes: 1, trials: 29, wilson: [0.0061, 0.1718], exact: [0.0009, 0.1776] },
  ];
  for (const { successes, trials, wilson, exact } of published) {
    it(`of ${successes} in ${trials} are the published ones`, () => {
      const rounded = ({ confidenceLower, confidenceUpper }: ReturnType<typeof wilsonInterval>) =>
        [confidenceLower, confidenceUpper].map((bound) => Number(bound.toFixed(4)));
      expect(rounded(wilsonInterval(successes, trials))).toEqual(wilson);
      expect(rounded(clopperPearsonInterval(successes, trials))).toEqual(exact);
    });
  }

  it("Clopper and Pearson's ends leave half of the error probability on each side", () => {
    fc.assert(
      fc.property(counts, fc.constantFrom(0.5, 0.9, 0.95, 0.999), ([successes, trials], confidence) => {
        const { confidenceLower, confidenceUpper } = clopperPearsonInterval(successes, trials, confidence);
        const tail = (1 - confidence) / 2;
        const [outside, inside] = [1e-9, -1e-9];
        if (successes > 0) {
          const above = (rate: number) => 1 - binomialDistribution(successes - 1, trials, rate);
          expect(above(confidenceLower * (1 - outside))).toBeLessThanOrEqual(tail);
          expect(above(confidenceLower * (1 - inside))).toBeGreaterThanOrEqual(tail * (1 - 1e-9) - 1e-13);
        } else expect(confidenceLower).toBe(0);
        if (successes < trials) {
          const rest = 1 - confidenceUpper;
          expect(binomialDistribution(successes, trials, 1 - rest * (1 - outside))).toBeLessThanOrEqual(tail);
          expect(binomialDistribution(successes, trials, 1 - rest * (1 - inside))).toBeGreaterThanOrEqual(
            tail * (1 - 1e-9),
          );
        } else expect(confidenceUpper).toBe(1);
      }),
    );
  });

  it("Wilson's ends are the rates whose distance from the one seen is z of their own deviations", () => {
    const z = 1.959963984540054;
    fc.assert(
      fc.property(counts, ([successes, trials]) => {
        const { rate, confidenceLower, confidenceUpper } = wilsonInterval(successes, trials);
        expect(rate).toBe(successes / trials);
        for (const end of [confidenceLower, confidenceUpper].filter((end) => end > 0 && end < 1)) {
          const distance = (Math.abs(rate - end) * Math.sqrt(trials)) / Math.sqrt(end * (1 - end));
          expect(Math.abs(distance - z)).toBeLessThanOrEqual(1e-9);
        }
      }),
    );
  });

  it('say nothing without trials', () => {
    for (const interval of [wilsonInterval(0, 0), clopperPearsonInterval(0, 0)]) {
      expect(interval).toEqual({ rate: Number.NaN, confidenceLower: 0, confidenceUpper: 1 });
    }
  });

  it('refuse what is no rate', () => {
    for (const [successes, trials, confidence] of [
      [2, 1, 0.95],
      [-1, 1, 0.95],
      [0.5, 1, 0.95],
      [1, 2, 1],
      [1, 2, Number.NaN],
    ]) {
      expect(() => wilsonInterval(successes, trials, confidence)).toThrow(InvalidArgumentError);
      expect(() => clopperPearsonInterval(successes, trials, confidence)).toThrow(InvalidArgumentError);
    }
  });
});
