import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import { Random } from '../../../bindings/base/random.js';
import { Forecaster } from '../../../bindings/estimation/pac/errorForecast.js';
import { GrownRows } from '../../../bindings/estimation/pac/grownRows.js';
import {
  confidenceRows,
  type DrawnRows,
  eventProblem,
  intervalBounds,
} from '../../../bindings/estimation/pac/index.js';
import { RunVisits } from '../../../bindings/estimation/pac/runVisits.js';
import { planRuns } from '../../../bindings/estimation/pac/samplingPlan.js';
import { BitSet } from '../../../bindings/solvers/kernel/index.js';
import { type KnownChain, randomChain, sampleRows } from './sampledRows.js';

/** Reaching the last state before the end from the start, on some draws. */
function opened(rows: DrawnRows, horizonSteps: number | null = null) {
  const states = rows.draws.length;
  const event = { remain: BitSet.full(states), target: BitSet.of(states, [states - 2]), from: 0 };
  const problem = eventProblem(rows, states, { start: 0, end: states - 1 }, event);
  const confidence = confidenceRows(rows, 0.05);
  using forecaster = new Forecaster(problem, new GrownRows(confidence), { horizonSteps });
  const forecast = forecaster.at(problem.start);
  const { lower, upper } = intervalBounds(problem, confidence, { horizonSteps });
  return { problem, confidence, forecast, certified: (upper[problem.start] - lower[problem.start]) / 2 };
}

function sampled(seed: number, states: number, runs: number, known = false, steps?: number): DrawnRows {
  const source = new Random(seed);
  const random = () => source.next();
  return sampleRows(randomChain(states, Math.min(states, 3), random), runs, random, { known, steps });
}

/** How many of the runs came to the end: each took one draw that led there. */
function ended({ columns, counts, draws }: DrawnRows): number {
  return counts.reduce((sum, count, e) => sum + (columns[e] === draws.length - 1 ? count : 0), 0);
}

/** start begins in 1 or 2, rarely in 3; 1 and 2 end at once, 3 comes to the bad state 4 or ends. */
const rare: KnownChain = [
  [
    [1, 0.495],
    [2, 0.495],
    [3, 0.01],
  ],
  [[5, 1]],
  [[5, 1]],
  [
    [4, 0.5],
    [5, 0.5],
  ],
  [[5, 1]],
  [],
];

const chains = fc.record({
  seed: fc.nat(),
  states: fc.integer({ min: 2, max: 8 }),
  runs: fc.integer({ min: 5, max: 3000 }),
  known: fc.boolean(),
});

describe('forecasts of errors', () => {
  it.each([null, 3])(
    'are close to what is certified, now and with ten times the runs (horizon %o)',
    (horizon) => {
      for (const seed of [1, 2, 3, 4, 5]) {
        const few = opened(sampled(seed, 3 + seed, 2000), horizon);
        const many = opened(sampled(seed, 3 + seed, 20000), horizon);
        expect(few.forecast.error(few.problem.rows.draws) / few.certified).toBeGreaterThan(0.8);
        expect(few.forecast.error(few.problem.rows.draws) / few.certified).toBeLessThan(1.25);
        const foreseen = few.forecast.error(few.problem.rows.draws.map((drawn) => 10 * drawn));
        expect(foreseen / many.certified).toBeGreaterThan(0.7);
        expect(foreseen / many.certified).toBeLessThan(1.4);
      }
    },
  );

  it('fall with every row, by what a draw is said to gain or more slowly, and not for rows of what is decided', () => {
    fc.assert(
      fc.property(
        chains,
        fc.double({ min: 0, max: 30, noNaN: true }),
        ({ seed, states, runs, known }, doublings) => {
          const rows = sampled(seed, states, runs, known);
          const { forecast } = opened(rows);
          expect(forecast.rows).not.toContain(states);
          expect(forecast.rows).not.toContain(states + 1);
          for (const row of forecast.rows) {
            const draws = Math.max(1, rows.draws[row]) * 2 ** doublings;
            expect(forecast.share(row, draws)).toBeGreaterThanOrEqual(0);
            expect(forecast.share(row, 2 * draws)).toBeLessThanOrEqual(forecast.share(row, draws));
            const gain = forecast.gain(row, draws);
            expect(gain).toBeGreaterThanOrEqual(0);
            expect(gain * draws).toBeLessThanOrEqual(1.5 * forecast.share(row, draws));
          }
        },
      ),
      { numRuns: 25 },
    );
  });

  it('are half a share over the draws where errors fall with their square root', () => {
    const rows = sampled(3, 5, 100_000, true);
    const { forecast } = opened(rows);
    for (const row of forecast.rows) {
      const expected = forecast.share(row, rows.draws[row]) / (2 * rows.draws[row]);
      expect(forecast.gain(row, rows.draws[row]) / expected).toBeGreaterThan(0.8);
      expect(forecast.gain(row, rows.draws[row]) / expected).toBeLessThan(1.05);
    }
  });
});

describe('expected draws of a run', () => {
  it('are those that were made where every run ended, and earn what they are worth', () => {
    fc.assert(
      fc.property(chains, ({ seed, states, runs }) => {
        const rows = sampled(seed, states, runs, false, 20_000);
        fc.pre(ended(rows) === runs);
        using visits = new RunVisits(confidenceRows(rows, 0.05));
        const each = visits.from(null);
        rows.draws.forEach((drawn, row) => {
          // Visits are solved to 1e-6, relatively above one.
          expect(Math.abs(each[row] - drawn / runs)).toBeLessThan(1e-5 * Math.max(1, drawn / runs));
        });
        const weights = Float64Array.from(rows.draws, (_, row) => (row * 7) % 5);
        const beginnings = [null, 1, states];
        const earned = visits.earned(weights, beginnings);
        beginnings.forEach((beginning, i) => {
          const sum = visits.from(beginning).reduce((total, draws, row) => total + draws * weights[row], 0);
          expect(Math.abs(earned[i] - sum)).toBeLessThan(1e-4 * Math.max(1, sum));
        });
      }),
      // In the example's chain a run takes more than 200 steps.
      { numRuns: 20, examples: [[{ seed: 2130706404, states: 3, runs: 228, known: false }]] },
    );
  });

  it('count on after draws of runs that were cut, as if these had gone on', () => {
    const rows = sampled(2130706404, 3, 228);
    expect(ended(rows)).toBe(227);
    using visits = new RunVisits(confidenceRows(rows, 0.05));
    const each = visits.from(null);
    const total = (values: Iterable<number>) => [...values].reduce((sum, value) => sum + value);
    expect(total(each)).toBeGreaterThan(total(rows.draws) / 228);
  });
});

describe('plans', () => {
  it('take just as many runs as bring the forecast down to the error wanted, and no more than without favouring', () => {
    fc.assert(
      fc.property(
        chains,
        fc.double({ min: 0.02, max: 0.3, noNaN: true }),
        ({ seed, states, runs }, epsilon) => {
          const rows = sampled(seed, states, runs);
          const { confidence, forecast } = opened(rows);
          using visits = new RunVisits(confidence);
          const beginnings = Array.from({ length: states }, (_, i) => i + 1);
          const {
            asAgent,
            favoured,
            begun,
            rows: worst,
          } = planRuns(rows, visits, [{ forecast, epsilon }], beginnings);
          const errorAfter = (count: number) =>
            forecast.error(rows.draws.map((drawn, row) => drawn + count * visits.from(null)[row]));
          expect(favoured).toBeLessThanOrEqual(asAgent);
          if (forecast.error(rows.draws) <= epsilon) {
            expect([asAgent, favoured, begun, worst]).toEqual([0, 0, [], []]);
            return;
          }
          if (asAgent < Number.POSITIVE_INFINITY) {
            expect(errorAfter(asAgent)).toBeLessThanOrEqual(epsilon);
            expect(errorAfter(asAgent - 1)).toBeGreaterThan(epsilon);
          }
          if (favoured < Number.POSITIVE_INFINITY) {
            const draws = begun.reduce(
              (sum, run) => sum.map((drawn, row) => drawn + run.runs * visits.from(run.beginning)[row]),
              Float64Array.from(rows.draws),
            );
            expect(forecast.error(draws)).toBeLessThanOrEqual(epsilon * (1 + 1e-9));
          }
          const needed = Float64Array.from(rows.draws);
          for (const one of worst) {
            expect(one.needed).toBeGreaterThanOrEqual(one.draws);
            needed[one.row] = one.needed;
          }
          if (!needed.includes(Number.POSITIVE_INFINITY)) {
            expect(forecast.error(needed)).toBeLessThanOrEqual(epsilon * (1 + 1e-9));
          }
        },
      ),
      { numRuns: 25 },
    );
  });

  it('begin runs where the risk is open, and there alone', () => {
    const source = new Random(11);
    const rows = sampleRows(rare, 3000, () => source.next(), { known: true });
    const event = { remain: BitSet.full(6), target: BitSet.of(6, [4]), from: 0 };
    const problem = eventProblem(rows, 6, { start: 0, end: 5 }, event);
    const confidence = confidenceRows(rows, 0.05);
    using forecaster = new Forecaster(problem, new GrownRows(confidence));
    using visits = new RunVisits(confidence);
    const {
      begun,
      asAgent,
      favoured,
      rows: worst,
    } = planRuns(rows, visits, [{ forecast: forecaster.at(3), epsilon: 0.05 }], [1, 2, 3]);
    expect(begun).toEqual([{ beginning: 3, runs: favoured }]);
    expect(asAgent).toBeGreaterThan(50 * favoured);
    expect(worst.map(({ row }) => row)).toEqual([3]);
  });

  it('put rows without a draw first, and say where no run can help', () => {
    // Five runs were cut in state 2.
    const rows: DrawnRows = {
      rowStart: Uint32Array.of(0, 2, 3, 3, 3),
      columns: Uint32Array.of(1, 2, 3),
      counts: Float64Array.of(5, 5, 5),
      firstDraws: Float64Array.of(1, 2, 1),
      draws: Float64Array.of(10, 5, 0, 0),
      drawsSinceNew: Float64Array.of(8, 4, 0, 0),
      rank: Float64Array.of(1, 2, 3, 0),
      known: false,
    };
    const event = { remain: BitSet.full(4), target: new BitSet(4), from: 0 };
    const problem = eventProblem(rows, 4, { start: 0, end: 3 }, event);
    const confidence = confidenceRows(rows, 0.05);
    using forecaster = new Forecaster(problem, new GrownRows(confidence));
    using visits = new RunVisits(confidence);
    const { rows: worst, asAgent } = planRuns(
      rows,
      visits,
      [{ forecast: forecaster.at(problem.start), epsilon: 0.1 }],
      [],
    );
    expect(worst[0]).toMatchObject({ row: 2, draws: 0 });
    expect(worst[0].needed).toBeGreaterThan(1);
    expect(asAgent).toBeGreaterThan(10);
    // Runs begin in 1 and end there: none comes to 2, where the error is.
    const apart = { ...rows, rowStart: Uint32Array.of(0, 1, 2, 2, 2), columns: Uint32Array.of(1, 3) };
    const cut = {
      ...apart,
      counts: Float64Array.of(10, 10),
      firstDraws: Float64Array.of(1, 1),
      draws: Float64Array.of(10, 10, 0, 0),
      drawsSinceNew: Float64Array.of(9, 9, 0, 0),
    };
    const other = confidenceRows(cut, 0.05);
    using alone = new Forecaster(eventProblem(cut, 4, { start: 0, end: 3 }, event), new GrownRows(other));
    using otherVisits = new RunVisits(other);
    expect(planRuns(cut, otherVisits, [{ forecast: alone.at(2), epsilon: 0.1 }], []).asAgent).toBe(
      Number.POSITIVE_INFINITY,
    );
    expect(planRuns(cut, otherVisits, [{ forecast: alone.at(2), epsilon: 0.1 }], [2]).favoured).toBeLessThan(
      10_000,
    );
  });
});
