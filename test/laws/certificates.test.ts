import fc from 'fast-check';
import '../../bindings/kernel/inline.js';
import { describe, expect, it } from 'vitest';
import { BitSet } from '../../bindings/kernel/index.js';
import {
  amplification,
  amplificationBounds,
  type Bounds,
  type ConfidenceRows,
  confidenceRows,
  eventProblem,
  intervalBounds,
} from '../../bindings/pac/index.js';
import { Random } from '../../bindings/random.js';
import { type KnownChain, randomChain, sampleRows } from '../unit/pac/sampledRows.js';

const cases = fc.record({
  seed: fc.nat(),
  states: fc.integer({ min: 2, max: 7 }),
  degree: fc.integer({ min: 1, max: 6 }),
  runs: fc.integer({ min: 1, max: 400 }),
  known: fc.boolean(),
  from: fc.constantFrom(0, 0, 2),
  /** Steps from `from` on; null is ever. */
  more: fc.constantFrom(null, null, 0, 1, 5),
});

/** The smallest sets of their kind that have the true rows inside: what is left of certificates is arithmetic. */
function smallestSets(chain: KnownChain, sets: ConfidenceRows): ConfidenceRows {
  const { rows, empirical, lower, upper, unseen, distance, centre, divergence } = sets;
  for (const [s, row] of chain.entries()) {
    if (rows.draws[s] === 0) continue;
    let rest = 1;
    let apart = 0;
    let diverged = 0;
    for (let e = rows.rowStart[s]; e < rows.rowStart[s + 1]; e++) {
      const p = row.find(([t]) => t === rows.columns[e])?.[1] ?? 0;
      lower[e] = Math.min(p, empirical[e]);
      upper[e] = Math.max(p, empirical[e]);
      rest -= p;
      apart += Math.abs(p - empirical[e]) / 2;
      if (centre[e] > 0) diverged += centre[e] * Math.log(centre[e] / p);
    }
    unseen[s] = rows.known ? 0 : Math.max(1e-12, rest);
    distance[s] = apart + Math.max(0, rest / 2) + 1e-12;
    if (divergence[s] < Number.POSITIVE_INFINITY) divergence[s] = Math.max(0, diverged) + 1e-12;
  }
  return sets;
}

/** P(F[from, from + more] target) of every state, step by step back; ever is ten thousand steps. */
function eventually(chain: KnownChain, target: number, from: number, more: number | null): number[] {
  const mean = (values: number[]): number[] =>
    chain.map((row, s) =>
      row.length === 0 ? values[s] : row.reduce((sum, [t, p]) => sum + p * values[t], 0),
    );
  let values = chain.map((_, s) => Number(s === target));
  for (let i = 0, before = Number.NaN; i < (more ?? 10_000); i++) {
    values = mean(values).map((value, s) => (s === target ? 1 : value));
    const sum = values.reduce((a, b) => a + b, 0);
    if (sum === before) break;
    before = sum;
  }
  for (let i = 0; i < from; i++) values = mean(values);
  return values;
}

describe('wherever all rows lie in their sets, however small these are,', () => {
  it('so does the truth in both certificates, in every state and at the start, ever and within windows', () => {
    fc.assert(
      fc.property(cases, ({ seed, states, degree, runs, known, from, more }) => {
        const source = new Random(seed);
        const random = () => source.next();
        const chain = randomChain(states, Math.min(states, degree), random);
        const end = states + 1;
        const rows = sampleRows(chain, runs, random, { known });
        const sets = smallestSets(chain, confidenceRows(rows, 0.5));
        const event = { remain: BitSet.full(states + 2), target: BitSet.of(states + 2, [states]), from };
        const problem = eventProblem(rows, states + 2, { start: 0, end }, event);
        const steps = { horizonSteps: more === null ? null : from + more };
        const truth = eventually(chain, states, from, more);
        const atStart = chain[0].reduce((sum, [t, p]) => sum + p * truth[t], 0);
        const hold = ({ lower, upper }: Bounds): void => {
          const inside = (p: number, node: number): void => {
            expect(lower[node]).toBeLessThanOrEqual(p + 1e-9);
            expect(upper[node]).toBeGreaterThanOrEqual(p - 1e-9);
          };
          for (let s = 1; s < end; s++) inside(truth[s], s);
          inside(atStart, problem.start);
        };
        hold(intervalBounds(problem, sets, steps));
        hold(amplificationBounds(amplification(problem, sets, steps)));
      }),
      { numRuns: Number(process.env.RUNS ?? 200) },
    );
  });
});
