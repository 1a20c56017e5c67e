import fc from 'fast-check';
import type { Bounds } from '../../bindings/solvers/checker/index.js';
import '../../bindings/solvers/kernel/inline.js';
import { describe, expect, it } from 'vitest';
import { Random } from '../../bindings/base/random.js';
import {
  agentRows,
  amplification,
  amplificationBounds,
  confidenceRows,
  eventProblem,
  intervalBounds,
  policyAmplification,
} from '../../bindings/estimation/pac/index.js';
import { rowsOf } from '../../bindings/estimation/pac/problem.js';
import { BitSet } from '../../bindings/solvers/kernel/index.js';
import {
  asAgent,
  greatest,
  type KnownMdp,
  least,
  randomMdp,
  sampleDecisions,
} from '../unit/pac/sampledDecisions.js';
import { smallestSets } from './smallestSets.js';

const cases = fc.record({
  seed: fc.nat(),
  states: fc.integer({ min: 2, max: 6 }),
  runs: fc.integer({ min: 1, max: 200 }),
  known: fc.boolean(),
  from: fc.constantFrom(0, 0, 2),
  /** Steps from `from` on; null is ever. */
  more: fc.constantFrom(null, null, 0, 1, 4),
});

type Rows = ReturnType<typeof sampleDecisions>;
type Best = (values: readonly number[], weights: readonly number[]) => number;

/**
 * P(F[from, from + more] target) of every state, step by step back, the last before the first step; ever is twenty thousand steps. Actions that were drawn are
 * taken as `best` says, any in states where none was.
 */
function eventually(
  mdp: KnownMdp,
  rows: Rows,
  target: number,
  from: number,
  more: number | null,
  best: Best,
): number[] {
  const back = (values: number[]): number[] =>
    mdp.map((choices, s) => {
      if (choices.length === 0) return values[s];
      const mean = (action: number): number =>
        choices[action].reduce((sum, [t, p]) => sum + p * values[t], 0);
      const [first, end] = rowsOf(rows, s);
      if (rows.actions[first] === null)
        return best(
          choices.map((_, action) => mean(action)),
          choices.map(() => 1 / choices.length),
        );
      const draws = Array.from(rows.draws.subarray(first, end));
      const all = draws.reduce((a, b) => a + b, 0);
      return best(
        rows.actions.slice(first, end).map((action) => mean(action ?? 0)),
        draws.map((n) => n / all),
      );
    });
  let values = mdp.map((_, s) => Number(s === target));
  for (let i = 0, before = Number.NaN; i < (more ?? 20_000); i++) {
    values = back(values).map((value, s) => (s === target ? 1 : value));
    const sum = values.reduce((a, b) => a + b, 0);
    if (sum === before) break;
    before = sum;
  }
  for (let i = 0; i < from; i++) values = back(values);
  return [...values, mdp[0][0].reduce((sum, [t, p]) => sum + p * values[t], 0)];
}

describe('wherever all rows of states and actions lie in their sets, however small these are,', () => {
  it('so do the least, the greatest and the agent’s own risk in both certificates, in every state and at the start, ever and within windows', () => {
    fc.assert(
      fc.property(cases, ({ seed, states, runs, known, from, more }) => {
        const source = new Random(seed);
        const random = (): number => source.next();
        const mdp = randomMdp(states, 3, random);
        const agent = (visited: readonly number[]): number =>
          Math.floor(random() * mdp[visited[visited.length - 1]].length);
        const rows = sampleDecisions(mdp, runs, random, agent, { known });
        const truth = mdp.flatMap((choices, s) =>
          rows.actions.slice(...rowsOf(rows, s)).map((action) => (action === null ? [] : choices[action])),
        );
        const sets = smallestSets(truth, confidenceRows(rows, 0.5));
        const mixed = agentRows(sets);
        const place = { start: 0, end: states + 1 };
        const event = { remain: BitSet.full(states + 2), target: BitSet.of(states + 2, [states]), from };
        const problem = eventProblem(rows, states + 2, place, event);
        const chain = eventProblem(mixed.rows, states + 2, place, event);
        const horizonSteps = more === null ? null : from + more;
        const hold = (best: Best, { lower, upper }: Bounds): void => {
          const values = eventually(mdp, rows, states, from, more, best);
          const inside = (p: number, node: number): void => {
            expect(lower[node]).toBeLessThanOrEqual(p + 1e-9);
            expect(upper[node]).toBeGreaterThanOrEqual(p - 1e-9);
          };
          for (let s = 1; s <= states; s++) inside(values[s], s);
          inside(values[states + 2], problem.start);
        };
        for (const [scheduler, best] of [
          ['min', least],
          ['max', greatest],
        ] as const) {
          hold(best, intervalBounds(problem, sets, { scheduler, horizonSteps }));
          hold(best, policyAmplification(problem, sets, { scheduler, horizonSteps }));
        }
        hold(asAgent, intervalBounds(chain, mixed, { horizonSteps }));
        hold(asAgent, amplificationBounds(amplification(chain, mixed, { horizonSteps })));
      }),
      { numRuns: Number(process.env.RUNS ?? 60) },
    );
  });
});
