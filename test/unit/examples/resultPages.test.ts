import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sharedPath } from '../../shared.js';
import { runMain } from './example.js';

const page = (name: string): string[] =>
  readFileSync(new URL(`../../../docs/results/${name}.md`, import.meta.url), 'utf8').split('\n');

/** Two programs of half a minute each: `RESULT_PAGES=1` runs them. */
const isAsked = process.env.RESULT_PAGES === '1';

describe.skipIf(!isAsked)('the tables of pages of results (RESULT_PAGES=1)', () => {
  it.each(['policies', 'workflows'])(
    '%s are those that the program prints',
    { timeout: 1_200_000 },
    async (name) => {
      const { output, exitCode } = await runMain(`${name}/main.mjs`, ['--data', sharedPath('')]);
      expect(exitCode).toBe(0);
      const printed = output.split('\n').filter((line) => line.startsWith('| '));
      expect(printed.length).toBeGreaterThan(30);
      const known = new Set(page(name));
      expect(printed.filter((line) => !known.has(line))).toEqual([]);
    },
  );
});
