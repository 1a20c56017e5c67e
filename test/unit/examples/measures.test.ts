import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { example } from './example.js';

const { dealFolds } = await example('measures/folds.mjs');
const { dataArgument } = await example('measures/dataArgument.mjs');

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
