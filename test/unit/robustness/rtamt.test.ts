import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parseFormula } from '../../../bindings/languages/logic/index.js';
import { robustnessSignal } from '../../../bindings/study/robustness/index.js';

/**
 * Made by RTAMT 0.4.10 (D. Ničković, T. Yamaguchi, ATVA 2020, doi:10.1007/978-3-030-59152-6_34), offline, in discrete time: nested
 * formulas on two signals, at the positions whose windows lie inside of the trace.
 */
const { x, y, cases } = JSON.parse(readFileSync(new URL('rtamt.json', import.meta.url), 'utf8')) as {
  x: number[];
  y: number[];
  cases: { formula: string; robustness: (number | string)[] }[];
};

it('robustness is what RTAMT computes, where both speak of the same positions', () => {
  expect(cases).toHaveLength(40);
  for (const { formula, robustness } of cases) {
    const found = [...robustnessSignal(parseFormula(formula), { x, y })];
    expect(robustness.length, formula).toBeGreaterThan(7);
    expect(found.slice(0, robustness.length), formula).toEqual(robustness.map(Number));
  }
});
