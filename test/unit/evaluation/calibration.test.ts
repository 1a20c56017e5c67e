import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidArgumentError } from '../../../bindings/base/errors.js';
import {
  brierScore,
  clopperPearsonInterval,
  type RunForecast,
  reliability,
} from '../../../bindings/study/evaluation/index.js';
import { Random } from '../../../worlds/src/index.js';

const risk = fc.double({ min: 0, max: 1, noNaN: true });
const someRuns = (score: fc.Arbitrary<number>) =>
  fc.array(
    fc.record({
      scores: fc.array(score, { minLength: 1, maxLength: 8 }),
      violatedAt: fc.option(fc.integer({ min: 1, max: 8 }), { nil: null }),
    }),
    { minLength: 1, maxLength: 20 },
  );

/** A fair walk from the middle to 0, where it ends, or to `top`, where it is violated: the risk at i is i / top. */
function walk(random: Random, top: number): RunForecast {
  const scores: number[] = [];
  let place = top / 2;
  while (place > 0 && place < top) {
    scores.push(place / top);
    place += random.chance(0.5) ? 1 : -1;
  }
  scores.push(place / top);
  return { scores, violatedAt: place === top ? scores.length - 1 : null };
}

describe('a reliability diagram', () => {
  it('counts a run once in a bin, at the first risk there before its violation', () => {
    const bins = reliability(
      [
        { scores: [0.1, 0.6, 0.2, 0.9, 1], violatedAt: 4 },
        { scores: [0.3, 0.5], violatedAt: null },
        { scores: [1], violatedAt: 0 },
      ],
      { bins: 2 },
    );
    expect(bins).toEqual([
      {
        from: 0,
        to: 0.5,
        runs: 2,
        violations: 1,
        meanRisk: (0.1 + 0.3) / 2,
        observed: clopperPearsonInterval(1, 2),
      },
      {
        from: 0.5,
        to: 1,
        runs: 2,
        violations: 1,
        meanRisk: (0.6 + 0.5) / 2,
        observed: clopperPearsonInterval(1, 2),
      },
    ]);
  });

  it('puts every risk between the borders it reports', () => {
    fc.assert(
      fc.property(risk, fc.integer({ min: 1, max: 60 }), (score, bins) => {
        const used = reliability([{ scores: [score], violatedAt: null }], { bins }).filter(
          ({ runs }) => runs > 0,
        );
        expect(used).toHaveLength(1);
        expect(score).toBeGreaterThanOrEqual(used[0].from);
        if (used[0].to < 1) expect(score).toBeLessThan(used[0].to);
      }),
    );
    for (let bins = 1; bins <= 60; bins++) {
      for (let bin = 0; bin < bins; bin++) {
        const counts = reliability([{ scores: [bin / bins], violatedAt: null }], { bins });
        expect(counts.findIndex(({ runs }) => runs > 0)).toBe(bin);
      }
    }
  });

  it('of exact risks holds them within its confidence, long runs or short', () => {
    const random = new Random(20);
    const runs = Array.from({ length: 3000 }, () => walk(random, 20));
    const bins = reliability(runs, { confidence: 1 - 1e-6 });
    expect(bins.filter((bin) => bin.runs > 300)).toHaveLength(10);
    for (const { meanRisk, observed } of bins) {
      expect(observed.confidenceLower).toBeLessThanOrEqual(meanRisk);
      expect(observed.confidenceUpper).toBeGreaterThanOrEqual(meanRisk);
    }
  });

  it('of risks that are twice too large does not', () => {
    const random = new Random(21);
    const runs = Array.from({ length: 3000 }, () => {
      const { scores, violatedAt } = walk(random, 20);
      return { scores: Array.from(scores, (score) => Math.min(1, 2 * score)), violatedAt };
    });
    const outside = reliability(runs, { confidence: 1 - 1e-6 }).filter(
      ({ meanRisk, observed }) => meanRisk > observed.confidenceUpper,
    );
    expect(outside.length).toBeGreaterThanOrEqual(5);
  });

  it('refuses what is no probability, and no number of bins', () => {
    for (const score of [Number.NaN, -0.1, 1.1]) {
      expect(() => reliability([{ scores: [0.5, score], violatedAt: null }])).toThrow(/step 1 is/);
    }
    for (const bins of [0, 1.5, Number.NaN]) {
      expect(() => reliability([], { bins })).toThrow(InvalidArgumentError);
      expect(() => brierScore([], { bins })).toThrow(InvalidArgumentError);
    }
  });
});

describe('the Brier score', () => {
  it('is the mean square over the steps before a violation', () => {
    const found = brierScore(
      [
        { scores: [0.5, 0.75, 1], violatedAt: 2 },
        { scores: [0.25, 0], violatedAt: null },
      ],
      { bins: 4 },
    );
    // Steps 0.5 and 0.75 of a violated run, 0.25 and 0 of one that is not; each alone in its bin.
    expect(found).toEqual({
      steps: 4,
      score: (0.25 + 0.0625 + 0.0625) / 4,
      calibration: (0.25 + 0.0625 + 0.0625) / 4,
      refinement: 0,
      uncertainty: 0.25,
      resolution: 0.25,
      withinBins: 0,
      skill: 1 - 0.09375 / 0.25,
    });
  });

  it('is calibration plus refinement where a bin has one risk, and refinement is uncertainty less resolution', () => {
    const oneABin = fc.integer({ min: 0, max: 9 }).map((bin) => (bin + 0.5) / 10);
    fc.assert(
      fc.property(someRuns(oneABin), (runs) => {
        const found = brierScore(runs);
        expect(Math.abs(found.withinBins)).toBeLessThan(1e-12);
        expect(Math.abs(found.refinement - (found.uncertainty - found.resolution))).toBeLessThan(1e-12);
      }),
    );
  });

  it('has parts that are no less than 0 and no bin can improve', () => {
    fc.assert(
      fc.property(someRuns(risk), fc.integer({ min: 1, max: 12 }), (runs, bins) => {
        const found = brierScore(runs, { bins });
        expect(found.calibration).toBeGreaterThanOrEqual(0);
        expect(found.refinement).toBeGreaterThanOrEqual(0);
        expect(found.refinement).toBeLessThanOrEqual(found.uncertainty + 1e-12);
        expect(brierScore(runs, { bins: 3 * bins }).score).toBe(found.score);
      }),
    );
  });

  it('of the overall frequency has no skill, of the truth a skill of 1', () => {
    const outcomes = [null, 1, null, null];
    const always = outcomes.map((violatedAt) => ({ scores: [0.25], violatedAt }));
    expect(brierScore(always)).toMatchObject({ score: 0.1875, skill: 0, calibration: 0 });
    const known = outcomes.map((violatedAt) => ({ scores: [violatedAt === null ? 0 : 1], violatedAt }));
    expect(brierScore(known)).toMatchObject({ score: 0, skill: 1 });
  });

  it('says nothing without steps', () => {
    expect(brierScore([{ scores: [1], violatedAt: 0 }])).toMatchObject({ steps: 0, score: Number.NaN });
  });
});
