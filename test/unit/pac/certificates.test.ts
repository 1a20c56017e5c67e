import fc from 'fast-check';
import '../../../bindings/solvers/kernel/inline.js';
import { describe, expect, it } from 'vitest';
import { Random } from '../../../bindings/base/random.js';
import {
  amplification,
  amplificationBounds,
  confidenceRows,
  eventProblem,
  intervalBounds,
} from '../../../bindings/estimation/pac/index.js';
import { BitSet } from '../../../bindings/solvers/kernel/index.js';
import { randomChain, reachProbability, sampleRows } from './sampledRows.js';

const chains = fc.record({
  seed: fc.nat(),
  states: fc.integer({ min: 2, max: 8 }),
  runs: fc.integer({ min: 1, max: 3000 }),
  known: fc.boolean(),
});

describe('certificates of reaching a state', () => {
  it('have the truth inside, the interval chain inside the amplified error, on chains that are known', () => {
    let outside = 0;
    fc.assert(
      fc.property(chains, ({ seed, states, runs, known }) => {
        const source = new Random(seed);
        const random = () => source.next();
        const chain = randomChain(states, Math.min(states, 3), random);
        const end = states + 1;
        const rows = sampleRows(chain, runs, random, { known });
        const target = BitSet.of(states + 2, [states]);
        const problem = eventProblem(
          rows,
          states + 2,
          { start: 0, end },
          {
            remain: BitSet.full(states + 2),
            target,
            from: 0,
          },
        );
        const confidence = confidenceRows(rows, 0.001);
        const narrow = intervalBounds(problem, confidence);
        const wide = amplificationBounds(amplification(problem, confidence));
        const truth = reachProbability(chain, new Set(target));
        for (let s = 1; s < end; s++) {
          if (narrow.lower[s] > truth[s] || narrow.upper[s] < truth[s]) outside++;
          expect(narrow.lower[s]).toBeGreaterThanOrEqual(wide.lower[s] - 3e-6);
          expect(narrow.upper[s]).toBeLessThanOrEqual(wide.upper[s] + 3e-6);
        }
      }),
      { numRuns: 150 },
    );
    expect(outside).toBe(0);
  });

  it('are true where so little was seen that rows may stay almost for ever', () => {
    const source = new Random(769939248);
    const random = () => source.next();
    const chain = randomChain(7, 3, random);
    const rows = sampleRows(chain, 3, random);
    const event = { remain: BitSet.full(9), target: BitSet.of(9, [7]), from: 0 };
    const problem = eventProblem(rows, 9, { start: 0, end: 8 }, event);
    const { lower, upper } = intervalBounds(problem, confidenceRows(rows, 0.001));
    const truth = reachProbability(chain, new Set([7]));
    for (let s = 1; s < 8; s++) expect(lower[s] <= truth[s] && truth[s] <= upper[s]).toBe(true);
  });
});
