import fc from 'fast-check';
import type { Bounds } from '../../bindings/solvers/checker/index.js';
import '../../bindings/solvers/kernel/inline.js';
import { describe, expect, it } from 'vitest';
import { Random } from '../../bindings/base/random.js';
import {
  amplification,
  amplificationBounds,
  confidenceRows,
  eventProblem,
  intervalBounds,
  ruleProblem,
} from '../../bindings/estimation/pac/index.js';
import {
  type Automaton,
  bindAutomaton,
  buildAutomaton,
  OPEN,
  VIOLATED,
} from '../../bindings/languages/automaton/index.js';
import { parseFormula } from '../../bindings/languages/logic/index.js';
import { BitSet } from '../../bindings/solvers/kernel/index.js';
import { type KnownChain, randomChain, sampleRows } from '../unit/pac/sampledRows.js';
import { smallestSets } from './smallestSets.js';

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

/** The probability that a rule comes to be violated within `steps`, at s * automaton.states + q: from the verdicts, step by step back. */
function trueRisk(
  chain: KnownChain,
  { end, predicates, valuations }: { end: number; predicates: string[]; valuations: Uint32Array },
  automaton: Automaton,
  atEnd: 'strong' | 'weak',
  steps: number | null,
): { risk: number[]; atStart: number } {
  const { verdict, accepting, initial, states: width } = automaton;
  const stepper = bindAutomaton(automaton, predicates);
  const endsBadly = (q: number): boolean => verdict[q] === VIOLATED || (atEnd === 'strong' && !accepting[q]);
  const entering = (values: number[], t: number, q: number): number =>
    t === end ? Number(endsBadly(q)) : values[t * width + stepper.step(q, valuations, t)];
  let risk = chain.flatMap(() => Array.from(verdict, (v) => Number(v === VIOLATED)));
  for (let i = 0, before = Number.NaN; i < (steps ?? 10_000); i++) {
    const old = risk;
    risk = old.map((value, at) => {
      const q = at % width;
      if (verdict[q] !== OPEN) return value;
      return chain[Math.floor(at / width)].reduce((sum, [t, p]) => sum + p * entering(old, t, q), 0);
    });
    const sum = risk.reduce((a, b) => a + b, 0);
    if (sum === before) break;
    before = sum;
  }
  return { risk, atStart: chain[0].reduce((sum, [t, p]) => sum + p * entering(risk, t, initial), 0) };
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
      { numRuns: Number(process.env.RUNS ?? 120) },
    );
  });

  it('so does the risk of a rule, wherever its automaton and the chain can be at once, within steps and ever', () => {
    fc.assert(
      fc.property(
        cases,
        fc.constantFrom('G (a -> F[0,2] b)', 'a U b', 'G !(a & Y b)', 'F (a & X b)'),
        fc.constantFrom('strong', 'weak'),
        ({ seed, states, degree, runs, known, more }, formula, atEnd) => {
          const source = new Random(seed);
          const random = () => source.next();
          const chain = randomChain(states, Math.min(states, degree), random);
          const rows = sampleRows(chain, runs, random, { known });
          const sets = smallestSets(chain, confidenceRows(rows, 0.5));
          const valuations = Uint32Array.from(chain, (_, s) =>
            s === 0 || s > states ? 0 : Math.floor(4 * random()),
          );
          const view = {
            states: states + 2,
            start: 0,
            end: states + 1,
            predicates: ['a', 'b'],
            words: 1,
            valuations,
          };
          const automaton = buildAutomaton(parseFormula(formula));
          const problem = ruleProblem(rows, view, automaton, atEnd);
          const { risk, atStart } = trueRisk(chain, view, automaton, atEnd, more);
          const steps = { horizonSteps: more };
          for (const { lower, upper } of [
            intervalBounds(problem, sets, steps),
            amplificationBounds(amplification(problem, sets, steps)),
          ]) {
            problem.nodeOf.forEach((node, i) => {
              if (node < 0) return;
              expect(lower[node]).toBeLessThanOrEqual(risk[i] + 1e-9);
              expect(upper[node]).toBeGreaterThanOrEqual(risk[i] - 1e-9);
            });
            expect(lower[problem.start]).toBeLessThanOrEqual(atStart + 1e-9);
            expect(upper[problem.start]).toBeGreaterThanOrEqual(atStart - 1e-9);
          }
        },
      ),
      { numRuns: Number(process.env.RUNS ?? 50) },
    );
  });
});
