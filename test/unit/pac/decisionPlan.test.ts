import { describe, expect, it } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import { Random } from '../../../bindings/base/random.js';
import {
  agentPolicy,
  agentRows,
  confidenceRows,
  eventProblem,
  extremePolicy,
  Forecaster,
  GrownRows,
  intervalBounds,
  planRuns,
  RunVisits,
} from '../../../bindings/estimation/pac/index.js';
import { BitSet } from '../../../bindings/solvers/kernel/index.js';
import { randomMdp, sampleDecisions } from './sampledDecisions.js';

function drawn(seed: number, states: number, runs: number) {
  const source = new Random(seed);
  const random = (): number => source.next();
  const mdp = randomMdp(states, 3, random);
  const rows = sampleDecisions(mdp, runs, random, (path) =>
    Math.floor(random() * mdp[path[path.length - 1]].length),
  );
  const event = { remain: BitSet.full(states + 2), target: BitSet.of(states + 2, [states]), from: 0 };
  const place = { start: 0, end: states + 1 };
  const confidence = confidenceRows(rows, 0.05);
  const mixed = agentRows(confidence);
  const problem = eventProblem(rows, states + 2, place, event);
  const chain = eventProblem(mixed.rows, states + 2, place, event);
  return { rows, confidence, mixed, problem, chain };
}

describe('forecasts of errors in decision processes', () => {
  it('are close to what is certified, under the least, the greatest and the agent’s own policy', () => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const { rows, confidence, mixed, problem, chain } = drawn(seed, 4, 20_000);
      const grown = new GrownRows(confidence);
      for (const scheduler of ['min', 'max', null] as const) {
        const bounds =
          scheduler === null
            ? intervalBounds(chain, mixed)
            : intervalBounds(problem, confidence, { scheduler });
        const policy =
          scheduler === null
            ? agentPolicy(problem, chain, mixed)
            : extremePolicy(problem, confidence, bounds, scheduler);
        using forecaster = new Forecaster(problem, grown, { policy });
        const error = forecaster.at(problem.start).error(rows.draws);
        const certified = (bounds.upper[problem.start] - bounds.lower[problem.start]) / 2;
        expect(error / certified).toBeGreaterThan(0.7);
        expect(error / certified).toBeLessThan(1.5);
      }
    }
  });

  it('come from actions that the policy takes, and are visited as often as the agent takes them', () => {
    const { rows, confidence, problem } = drawn(7, 5, 3000);
    const bounds = intervalBounds(problem, confidence, { scheduler: 'max' });
    const policy = extremePolicy(problem, confidence, bounds, 'max');
    using forecaster = new Forecaster(problem, new GrownRows(confidence), { policy });
    using visits = new RunVisits(confidence);
    visits.from(null).forEach((each, row) => {
      expect(each).toBeCloseTo(rows.draws[row] / 3000, 4);
    });
    const forecast = forecaster.at(problem.start);
    const taken = new Set(
      [...policy.weights.keys()].filter((i) => policy.weights[i] > 0).map((i) => problem.source[i]),
    );
    for (const row of forecast.rows) expect(taken).toContain(row);
    const { rows: worst, asAgent } = planRuns(rows, visits, [{ forecast, epsilon: 0.03 }], []);
    expect(asAgent).toBeGreaterThan(0);
    expect(worst.length).toBeGreaterThan(2);
    const grown = rows.draws.map((draws, row) => draws + asAgent * visits.from(null)[row]);
    expect(forecast.error(grown)).toBeLessThanOrEqual(0.03);
    const groups = new Set(
      worst.map(({ row }) => rows.rowGroupStart!.findLastIndex((first) => first <= row)),
    );
    expect(groups.size).toBe(worst.length);
  });
});
