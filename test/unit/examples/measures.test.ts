import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { example } from './example.js';

interface Scored {
  score: number;
  happened: boolean;
  group: string;
  fold: number;
}

const { dealFolds } = await example('measures/folds.mjs');
const { areaUnderCurve } = await example('measures/areaUnderCurve.mjs');
const { dataArgument } = await example('measures/dataArgument.mjs');

const scored: fc.Arbitrary<Scored[]> = fc.array(
  fc.record({
    score: fc.integer({ min: 0, max: 5 }).map((n) => n / 5),
    happened: fc.boolean(),
    group: fc.constantFrom('a', 'b', 'c', 'd'),
    fold: fc.integer({ min: 0, max: 1 }),
  }),
  { maxLength: 30 },
);

/** By its definition: all pairs of one fold. */
function areaOfPairs(cases: Scored[]): number {
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

describe('folds', () => {
  it('hold every group once, in sizes that differ by at most one, whatever the order', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.string(), { minLength: 5, maxLength: 40 }),
        fc.integer(),
        (groups, seed) => {
          const folds: Map<string, number> = dealFolds([...groups, ...groups], 5, seed);
          expect(new Set(folds.keys())).toEqual(new Set(groups));
          const sizes = [0, 1, 2, 3, 4].map(
            (fold) => [...folds.values()].filter((one) => one === fold).length,
          );
          expect(sizes.reduce((sum, size) => sum + size)).toBe(groups.length);
          expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
          expect(dealFolds(groups.toReversed(), 5, seed)).toEqual(folds);
        },
      ),
    );
  });

  it('are refused where there are more of them than groups', () => {
    expect(() => dealFolds(['a', 'b'], 5, 1)).toThrow('2 tasks cannot be dealt to 5 folds');
  });
});

describe('the area under the ROC curve', () => {
  it('is the share of pairs in the right order, its interval a point where there is one group', () => {
    fc.assert(
      fc.property(scored, (cases) => {
        const { area, confidenceLower, confidenceUpper } = areaUnderCurve(cases, { draws: 20 });
        expect(confidenceLower).toBeLessThanOrEqual(confidenceUpper);
        const expected = areaOfPairs(cases);
        if (Number.isNaN(expected)) {
          expect([area, confidenceLower, confidenceUpper]).toEqual([Number.NaN, 0, 1]);
          return;
        }
        expect(Math.abs(area - expected)).toBeLessThan(1e-12);
        const one = areaUnderCurve(
          cases.map((each) => ({ ...each, group: 'a' })),
          { draws: 20 },
        );
        expect([one.confidenceLower, one.confidenceUpper]).toEqual([area, area]);
      }),
    );
  });
});

describe('the argument --data', () => {
  const usage = 'npm run example -- --data FOLDER';
  const needed = (folder: string) => [`${folder}/absent.jsonl`];

  it('is asked for with a usage line where it is missing', () => {
    expect(() => dataArgument(usage, needed, [])).toThrow(`--data is missing.\nUsage: ${usage}`);
  });

  it('is refused where a file is absent, and where an option is misspelt', () => {
    expect(() => dataArgument(usage, needed, ['--data', '/nowhere'])).toThrow('no /nowhere/absent.jsonl');
    expect(() => dataArgument(usage, needed, ['--dta', '/nowhere'])).toThrow(/--dta.*[\s\S]*Usage: /);
  });
});
