import { describe, expect, it } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import {
  confidenceRows,
  type DrawnRows,
  eventProblem,
  intervalBounds,
  neverLeft,
  papersCriteria,
  policyAmplification,
} from '../../../bindings/estimation/pac/index.js';
import { BitSet } from '../../../bindings/solvers/kernel/index.js';

/** [action's outcomes as successor and count] per state; what was seen is drawn in that order, rows in the order given. */
function drawn(states: readonly (readonly (readonly [number, number])[])[][]): DrawnRows {
  const rows = states.flat();
  const starts = (sizes: readonly number[]): Uint32Array =>
    Uint32Array.from(
      [0, ...sizes].map(
        (
          (sum) => (size: number) =>
            (sum += size)
        )(0),
      ),
    );
  const sum = (row: (typeof rows)[number]): number => row.reduce((all, [, count]) => all + count, 0);
  return {
    rowGroupStart: starts(states.map(({ length }) => length)),
    rowStart: starts(rows.map(({ length }) => length)),
    columns: Uint32Array.from(rows.flat(), ([t]) => t),
    counts: Float64Array.from(rows.flat(), ([, count]) => count),
    firstDraws: Float64Array.from(rows.flatMap((row) => row.map((_, i) => i + 1))),
    draws: Float64Array.from(rows, sum),
    drawsSinceNew: Float64Array.from(rows, (row) => Math.max(0, sum(row) - row.length)),
    rank: Float64Array.from(rows, (row, i) => (sum(row) > 0 ? i + 1 : 0)),
    known: false,
  };
}

/** Reaching state `target` of a process whose last state is the end. */
function reaching(rows: DrawnRows, target: number) {
  const states = (rows.rowGroupStart?.length ?? 0) - 1;
  const event = { remain: BitSet.full(states), target: BitSet.of(states, [target]), from: 0 };
  return eventProblem(rows, states, { start: 0, end: states - 1 }, event);
}

/** start -> 1; 1 goes on to 2 (bad), to the end, or, by another action, back to itself. */
const circling = drawn([
  [[[1, 1000]]],
  [
    [
      [2, 100],
      [3, 900],
    ],
    [[1, 500]],
  ],
  [[[3, 100]]],
  [[]],
]);

describe('policyAmplification', () => {
  it('bounds the least risk where a policy may stay for ever, and lets the greatest be 1 there', () => {
    const problem = reaching(circling, 2);
    const confidence = confidenceRows(circling, 0.05);
    const [least, greatest] = (['min', 'max'] as const).map((scheduler) =>
      policyAmplification(problem, confidence, { scheduler }),
    );
    const [row] = confidence.distance.subarray(1);
    // One step of the first action, and nothing of the second, whose chance to lead elsewhere may add up.
    expect(least.upper[1]).toBeGreaterThanOrEqual(0.1 + row);
    expect(least.upper[1]).toBeLessThan(0.1 + row + 1e-9);
    expect(least.lower[1]).toBe(0);
    expect(greatest.upper[1]).toBe(1);
    expect(greatest.lower[1]).toBeLessThanOrEqual(0.1 - row);
    expect(greatest.lower[1]).toBeGreaterThan(0.1 - row - 1e-9);
  });

  it('adds an error for each step within a horizon, and none for the move from the start', () => {
    const problem = reaching(circling, 2);
    const confidence = confidenceRows(circling, 0.05);
    const [start, go, stay] = confidence.distance;
    const within = (horizonSteps: number) => policyAmplification(problem, confidence, { horizonSteps });
    expect(within(0).upper[1]).toBe(0);
    expect(within(1).upper[1]).toBeCloseTo(0.1 + go, 12);
    expect(within(3).upper[1]).toBeCloseTo(0.1 + go + 2 * stay, 12);
    expect(within(1).upper[problem.start]).toBeCloseTo(0.1 + go + start, 12);
    expect(within(1).lower[1]).toBeCloseTo(0.1 - go, 12);
    for (const steps of [1, 3]) {
      const interval = intervalBounds(problem, confidence, { horizonSteps: steps });
      expect(interval.upper[1]).toBeLessThanOrEqual(within(steps).upper[1]);
      expect(interval.lower[1]).toBeGreaterThanOrEqual(within(steps).lower[1]);
    }
  });

  it('counts the largest visits over policies in the second criterion, which none meets that may stay for ever', () => {
    const confidence = confidenceRows(circling, 0.05);
    expect(papersCriteria(reaching(circling, 2), confidence, 0.1).amplification).toBe(
      Number.POSITIVE_INFINITY,
    );
    const leaving = drawn([
      [[[1, 1000]]],
      [
        [
          [2, 100],
          [3, 900],
        ],
        [
          [1, 250],
          [3, 250],
        ],
      ],
      [[[3, 100]]],
      [[]],
    ]);
    const { amplification } = papersCriteria(reaching(leaving, 2), confidenceRows(leaving, 0.05), 0.1);
    // The second action always: two visits in the mean, each counting half of two successors.
    expect(amplification).toBeGreaterThanOrEqual(2);
    expect(amplification).toBeLessThan(2 + 1e-5);
  });

  it('names a state that was never left only where every action seen comes to one', () => {
    const cut = drawn([[[[1, 10]]], [[[2, 5]], [[3, 5]]], [[]], [[[4, 5]]], [[]]]);
    expect([...neverLeft(reaching(cut, 3))].slice(0, 4)).toEqual([-1, -1, 3, -1]);
    const all = drawn([[[[1, 10]]], [[[2, 5]], [[2, 5]]], [[]], [[]], [[]]]);
    expect([...neverLeft(reaching(all, 3))].slice(1, 3)).toEqual([3, 3]);
    const { lower, upper } = policyAmplification(reaching(all, 3), confidenceRows(all, 0.05));
    expect([lower[1], upper[1]]).toEqual([0, 1]);
  });
});
