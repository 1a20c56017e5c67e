import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Random } from '../../../bindings/base/random.js';
import {
  areaUnderCurve,
  areaUnderRoc,
  detection,
  type RunForecast,
  type Scored,
} from '../../../bindings/study/evaluation/index.js';
import { someRuns } from './someRuns.js';

describe('the area under the ROC curve of alarms', () => {
  const largest = ({ scores, violatedAt }: RunForecast) =>
    Math.max(...Array.from(scores).slice(0, violatedAt ?? scores.length));

  it('is how often a violated run has the larger score, pair by pair', () => {
    fc.assert(
      fc.property(someRuns, (runs) => {
        const violated = runs.filter((run) => run.violatedAt !== null).map(largest);
        const others = runs.filter((run) => run.violatedAt === null).map(largest);
        const wins = violated.flatMap((v) => others.map((o) => (v > o ? 1 : v === o ? 0.5 : 0)));
        const area = areaUnderCurve(runs);
        if (wins.length === 0) expect(area).toBeNaN();
        else expect(area).toBe(wins.reduce((sum: number, win) => sum + win, 0) / wins.length);
      }),
    );
  });

  it('is the area under detection rate against false alarm rate over all thresholds', () => {
    fc.assert(
      fc.property(someRuns, (runs) => {
        const area = areaUnderCurve(runs);
        if (Number.isNaN(area)) return;
        const points = [6, 5, 4, 3, 2, 1, 0, Number.NEGATIVE_INFINITY].map((threshold) => {
          const found = detection(runs, (score) => score >= threshold);
          return [found.falseAlarmRate.rate, found.detectionRate.rate];
        });
        // A violation at the very first step has no score before it: no threshold detects it.
        points.push([1, 1]);
        let sum = 0;
        for (let i = 1; i < points.length; i++) {
          sum += ((points[i][0] - points[i - 1][0]) * (points[i][1] + points[i - 1][1])) / 2;
        }
        expect(Math.abs(sum - area)).toBeLessThan(1e-12);
      }),
    );
  });
});

const scored = fc.array(
  fc.record({
    score: fc.integer({ min: 0, max: 5 }).map((n) => n / 5),
    happened: fc.boolean(),
    group: fc.constantFrom('a', 'b', 'c', 'd'),
    fold: fc.integer({ min: 0, max: 1 }),
  }),
  { maxLength: 30 },
);

/** By its definition: all pairs of one fold. */
function areaOfPairs(cases: readonly Scored[]): number {
  let wins = 0;
  let pairs = 0;
  for (const a of cases.filter(({ happened }) => happened)) {
    for (const b of cases.filter(({ happened, fold }) => !happened && fold === a.fold)) {
      pairs++;
      wins += a.score > b.score ? 1 : a.score === b.score ? 0.5 : 0;
    }
  }
  return wins / pairs;
}

describe('the area under the ROC curve of cases', () => {
  it('is the share of pairs in the right order, its interval a point where there is one group', () => {
    fc.assert(
      fc.property(scored, (cases) => {
        const { area, confidenceLower, confidenceUpper } = areaUnderRoc(cases, { draws: 20 });
        expect(confidenceLower).toBeLessThanOrEqual(confidenceUpper);
        const expected = areaOfPairs(cases);
        if (Number.isNaN(expected)) {
          expect([area, confidenceLower, confidenceUpper]).toEqual([Number.NaN, 0, 1]);
          return;
        }
        expect(Math.abs(area - expected)).toBeLessThan(1e-12);
        const one = areaUnderRoc(
          cases.map((each) => ({ ...each, group: 'a' })),
          { draws: 20 },
        );
        expect([one.confidenceLower, one.confidenceUpper]).toEqual([area, area]);
      }),
    );
  });

  it('has an interval that holds the true area about as often as it says, groups being independent', () => {
    // Scores of the two kinds are uniform on [0.25, 1.25] and [0, 1]: the first is larger with probability 1 - 0.75² / 2.
    const truth = 1 - 0.75 ** 2 / 2;
    const repetitions = 300;
    let held = 0;
    for (let stream = 0; stream < repetitions; stream++) {
      const random = new Random(7, stream);
      const cases = Array.from({ length: 80 }, () => {
        const happened = random.chance(0.4);
        return { score: random.next() + (happened ? 0.25 : 0), happened };
      });
      const { confidenceLower, confidenceUpper } = areaUnderRoc(cases, { draws: 200, confidence: 0.9 });
      if (confidenceLower <= truth && truth <= confidenceUpper) held++;
    }
    // Five standard deviations below, where it holds with probability 0.9.
    expect(held / repetitions).toBeGreaterThan(0.9 - 5 * Math.sqrt(0.09 / repetitions));
    expect(held).toBeLessThan(repetitions);
  });

  it('has a wider interval where cases of a group go together', () => {
    const cases = Array.from({ length: 60 }, (_, i) => ({
      score: Math.floor(i / 6) % 3,
      happened: Math.floor(i / 6) % 2 === 0,
      group: `task ${Math.floor(i / 6)}`,
    }));
    const width = ({ confidenceLower, confidenceUpper }: ReturnType<typeof areaUnderRoc>) =>
      confidenceUpper - confidenceLower;
    const alone = areaUnderRoc(cases.map(({ score, happened }) => ({ score, happened })));
    expect(width(areaUnderRoc(cases))).toBeGreaterThan(1.5 * width(alone));
  });

  it('refuses scores that are no numbers, no draws, and a confidence that is none', () => {
    expect(() => areaUnderRoc([{ score: Number.NaN, happened: true }])).toThrow('the score of case 0 is NaN');
    expect(() => areaUnderRoc([], { draws: 0 })).toThrow('0 draws');
    expect(() => areaUnderRoc([], { confidence: 1 })).toThrow('confidence is 1');
  });
});
