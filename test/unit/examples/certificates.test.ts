import { describe, expect, it } from 'vitest';
import { sharedData, sharedPath } from '../../shared.js';
import { example, runMain } from './example.js';

const { drawnRowsOf, readPublished, scenarios } = await example('certificates/publishedChains.mjs');

sharedData('pro2guard/autonomous_vehicle', (folder) => {
  it('recovers whole counts from published fractions: as many as smoothing with 1 leaves of each row', () => {
    for (const name of scenarios(folder)) {
      const chain = readPublished(`${folder}/${name}`);
      const rows = drawnRowsOf(chain);
      for (const [s, counts] of (chain.counts as number[][]).entries()) {
        expect(counts.every((count) => Number.isSafeInteger(count) && count >= 0)).toBe(true);
        expect(rows.draws[s]).toBe(counts.reduce((sum, count) => sum + count, 0));
      }
    }
  });

  it('finds 28 drives that come to one end of s3 and 30 that come to the other', () => {
    const { states, counts } = readPublished(`${folder}/s3`) as { states: string[]; counts: number[][] };
    const into = (code: string): number => {
      const t = states.findIndex((state) => state.startsWith(code));
      return counts.reduce((sum, row, s) => (s === t ? sum : sum + row[t]), 0);
    };
    expect([into('010'), into('100')]).toEqual([28, 30]);
  });
});

describe('the example on certificates', () => {
  sharedData('tau-bench/gpt-4o-airline.json', () => {
    it('says what recordings and published chains support', async () => {
      const { output, exitCode } = await runMain('certificates/main.mjs', [
        '--data',
        sharedPath('').slice(0, -1),
      ]);
      expect(exitCode).toBe(0);
      expect(output).toMatch(/ends in failure +150 +59/);
      expect(output).toMatch(/s3 +rule38_1 +rule broken +19 +5/);
    });
  });

  it('names the data that it needs', async () => {
    const { errors, exitCode } = await runMain('certificates/main.mjs', ['--data', 'no-such-folder']);
    expect(exitCode).toBe(2);
    expect(errors).toContain('There is no no-such-folder/safeagentbench');
  });
});
