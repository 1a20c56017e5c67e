import { describe, expect, it } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import { Random } from '../../../bindings/base/random.js';
import {
  confidenceRows,
  drawsForEveryTransition,
  eventProblem,
  papersCriteria,
  papersDraws,
  secondCriterionEpsilon,
} from '../../../bindings/estimation/pac/index.js';
import { BitSet } from '../../../bindings/solvers/kernel/index.js';
import { type KnownChain, sampleRows } from './sampledRows.js';

/** start -> 1, which goes on to 2 or 3 or ends; 2 and 3 end. */
const small: KnownChain = [
  [[1, 1]],
  [
    [2, 0.3],
    [3, 0.3],
    [4, 0.4],
  ],
  [[4, 1]],
  [[4, 1]],
  [],
];

function problemOf(runs: number) {
  const source = new Random(7);
  const rows = sampleRows(small, runs, () => source.next());
  const problem = eventProblem(
    rows,
    5,
    { start: 0, end: 4 },
    {
      remain: BitSet.full(5),
      target: BitSet.of(5, [3]),
      from: 0,
    },
  );
  return { rows, problem };
}

describe("the papers' criteria", () => {
  it('ask for 1087.77 draws in Example 3.3 of the first paper', () => {
    expect(papersDraws([0.2, 0.1, 0.05], 10, 0.05, 0.01)).toBeCloseTo(1087.77, 2);
  });

  it('take the worst of the entries, where the formula as printed takes the best', () => {
    const asked = (frequencies: number[]): number => papersDraws(frequencies, 10, 0.05, 0.01);
    expect(asked([0.2, 0.01])).toBe(asked([0.2]));
    expect(asked([])).toBe(asked([0.5]));
    expect(asked([0.5])).toBeCloseTo((2 / 0.05 ** 2) * Math.log(2000) * 0.25, 9);
  });

  it('multiply by the square of 1.1 B, here one visit to a row of three successors', () => {
    const { rows, problem } = problemOf(500);
    const { amplification, first, second } = papersCriteria(problem, confidenceRows(rows, 0.05), 0.1);
    expect(amplification).toBeGreaterThanOrEqual(1);
    expect(amplification).toBeLessThan(1.001);
    expect(second[1]).toBeCloseTo((1.1 * amplification) ** 2 * first[1], 6);
    expect(first[4]).toBe(0);
  });

  it('are met from the error on that the data certify, and not much below it', () => {
    const { rows, problem } = problemOf(5000);
    const confidence = confidenceRows(rows, 0.05);
    const epsilon = secondCriterionEpsilon(problem, confidence);
    expect(papersCriteria(problem, confidence, epsilon).secondMet).toBe(true);
    expect(papersCriteria(problem, confidence, epsilon / 1.01).secondMet).toBe(false);
  });

  it.each([0, 1, -0.1, 1e-320, Number.NaN])('refuse epsilon %d', (epsilon) => {
    const { rows, problem } = problemOf(10);
    expect(() => papersCriteria(problem, confidenceRows(rows, 0.05), epsilon)).toThrow(
      /epsilon is .*expected/,
    );
    expect(() => drawsForEveryTransition(4, epsilon, 0.05)).toThrow(/epsilon is/);
  });

  it.each([0, 1, -0.1, Number.NaN])('refuse delta %d', (delta) => {
    expect(() => confidenceRows(problemOf(10).rows, delta)).toThrow(/delta is .*expected/);
  });

  it("ask for Hoeffding's number where every transition is to be right", () => {
    expect(drawsForEveryTransition(10, 0.05, 0.05)).toBe(Math.ceil(Math.log(400) / 0.005));
  });
});
