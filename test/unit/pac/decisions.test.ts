import fc from 'fast-check';
import '../../../bindings/solvers/kernel/inline.js';
import { describe, expect, it } from 'vitest';
import { Random } from '../../../bindings/base/random.js';
import {
  agentRows,
  amplification,
  amplificationBounds,
  confidenceRows,
  eventProblem,
  intervalBounds,
  policyAmplification,
} from '../../../bindings/estimation/pac/index.js';
import { BitSet } from '../../../bindings/solvers/kernel/index.js';
import {
  type Agent,
  asAgent,
  greatest,
  type KnownMdp,
  least,
  randomMdp,
  reachUnder,
  sampleDecisions,
} from './sampledDecisions.js';

/** Agents that choose by chance, by the step, and by all that happened. */
const agents: Record<string, (mdp: KnownMdp, random: () => number) => Agent> = {
  random: (mdp, random) => (states) => Math.floor(random() * mdp[states[states.length - 1]].length),
  'in turns': (mdp) => (states) => states.length % mdp[states[states.length - 1]].length,
  'with a memory': (mdp, random) => (states, chosen) => {
    const s = states[states.length - 1];
    // What was tried here before is tried again as long as it did not lead back at once; else something else is.
    const last = states.lastIndexOf(s, -2);
    const again = last < 0 || states[last + 1] === s ? Math.floor(random() * mdp[s].length) : chosen[last];
    return again % mdp[s].length;
  },
};

const cases = fc.record({
  seed: fc.nat(),
  states: fc.integer({ min: 2, max: 6 }),
  runs: fc.integer({ min: 1, max: 1500 }),
  known: fc.boolean(),
  agent: fc.constantFrom(...Object.keys(agents)),
  horizonSteps: fc.constantFrom(null, null, 1, 6),
});

interface Case {
  readonly seed: number;
  readonly states: number;
  readonly runs: number;
  readonly known: boolean;
  readonly agent: string;
}

function drawnProblem({ seed, states, runs, known, agent }: Case) {
  const source = new Random(seed);
  const random = (): number => source.next();
  const mdp = randomMdp(states, 3, random);
  const rows = sampleDecisions(mdp, runs, random, agents[agent](mdp, random), { known });
  const event = { remain: BitSet.full(states + 2), target: BitSet.of(states + 2, [states]), from: 0 };
  const place = { start: 0, end: states + 1 };
  const problem = eventProblem(rows, states + 2, place, event);
  const confidence = confidenceRows(rows, 0.001);
  const mixed = agentRows(confidence);
  return { mdp, rows, problem, confidence, mixed, chain: eventProblem(mixed.rows, states + 2, place, event) };
}

/** Values are off by this much where sweeps from below end, and by rounding. */
const SWEPT = 1e-9;

describe('certificates of decision processes', () => {
  it('have the truth of the least, the greatest and the agent’s own risk inside, the intervals inside the amplified errors', () => {
    let outside = 0;
    fc.assert(
      fc.property(cases, ({ horizonSteps, ...given }) => {
        const { mdp, rows, problem, confidence, mixed, chain } = drawnProblem(given);
        const steps = horizonSteps ?? undefined;
        for (const [scheduler, best] of [
          ['min', least],
          ['max', greatest],
        ] as const) {
          const narrow = intervalBounds(problem, confidence, { scheduler, horizonSteps });
          const wide = policyAmplification(problem, confidence, { scheduler, horizonSteps });
          const truth = reachUnder(mdp, rows, given.states, best, steps);
          for (let s = 1; s <= given.states; s++) {
            for (const { lower, upper } of [narrow, wide]) {
              if (lower[s] > truth[s] + SWEPT || upper[s] < truth[s] - SWEPT) outside++;
            }
            expect(narrow.lower[s]).toBeGreaterThanOrEqual(wide.lower[s] - 3e-6);
            expect(narrow.upper[s]).toBeLessThanOrEqual(wide.upper[s] + 3e-6);
          }
        }
        const narrow = intervalBounds(chain, mixed, { horizonSteps });
        const wide = amplificationBounds(amplification(chain, mixed, { horizonSteps }));
        const truth = reachUnder(mdp, rows, given.states, asAgent, steps);
        for (let s = 1; s <= given.states; s++) {
          for (const { lower, upper } of [narrow, wide]) {
            if (lower[s] > truth[s] + SWEPT || upper[s] < truth[s] - SWEPT) outside++;
          }
          expect(narrow.lower[s]).toBeGreaterThanOrEqual(wide.lower[s] - 3e-6);
          expect(narrow.upper[s]).toBeLessThanOrEqual(wide.upper[s] + 3e-6);
        }
      }),
      { numRuns: 50 },
    );
    expect(outside).toBe(0);
  });
});
