import '../../bindings/solvers/kernel/inline.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Forgetting, Learner, readLearntChain } from '../../bindings/estimation/learning/index.js';
import { Abstraction } from '../../bindings/observations/abstraction/index.js';
import { createLiveRisk, type LiveRisk, riskTable } from '../../bindings/rules/risk/index.js';
import { parseSpecification, type Specification } from '../../bindings/rules/specification/index.js';
import { randomTraces } from '../unit/learning/flagTraces.js';

const PRECISION = 1e-6;

/**
 * How far risks may be apart that both are right: the product that is built anew gives to a state that was never seen to stay the
 * 2^-54 that the other probabilities leave of 1 for their rounding; live risks are of the fractions of counts.
 */
const ROUNDING = 1e-14;

function specify(learning: string): Specification {
  return parseSpecification(
    `
version: 1
predicates: { p0: p0, p1: p1, p2: p2 }
rules:
  never: { formula: 'G !(p0 & p1 & p2)', threshold: 0.5 }
  answer: { formula: 'G (p0 -> F p1)', threshold: 0.5 }
  soon: { formula: 'G (p2 -> F[0,2] p1)', threshold: 0.5, atEnd: weak }
  order: { formula: '!p2 U p1', threshold: 0.5 }
  within: { formula: 'G !(p1 & p2)', threshold: 0.5, horizonSteps: 2 }
  bound: { formula: 'P<0.5 [ F (p0 & p2) ]' }
learning: { ${learning} }
`,
    { source: 'live.yaml' },
  );
}

/** Compares every risk with one that is solved anew, a million times more narrowly. */
function expectContains(live: LiveRisk, specification: Specification, learner: Learner): number {
  const { model } = learner.chain();
  const { valuations, words } = readLearntChain(model);
  const exact = riskTable(specification, model, { precision: 1e-12 });
  let compared = 0;
  for (const { name, start, entries } of exact.rules) {
    const bounds = [
      [live.start(name), start] as const,
      ...entries.map((entry) => {
        return [live.at(name, valuations, entry.automatonState, (entry.state + 1) * words), entry] as const;
      }),
    ];
    for (const [{ lower, upper }, { lower: least, upper: most }] of bounds) {
      // Both contain the risk, and the other is so narrow that a bound which passed the risk would pass it, too.
      expect(lower).toBeLessThanOrEqual(most + ROUNDING);
      expect(upper).toBeGreaterThanOrEqual(least - ROUNDING);
      // What is not known, for want of data, is as wide in both.
      expect(upper - lower).toBeLessThanOrEqual(most - least + 2 * PRECISION);
      compared++;
    }
  }
  return compared;
}

const forgettings = fc.constantFrom<Forgetting | null>(
  null,
  null,
  { window: 3, of: 'traces' },
  { window: 2, of: 'draws' },
  { halfLife: 2, of: 'draws' },
  { halfLife: 1.5, of: 'traces' },
);

describe('live risks', () => {
  it('contain the risks of solving anew, after any sequence of updates, as narrowly as was asked for', () => {
    let compared = 0;
    fc.assert(
      fc.property(
        randomTraces(3, 1),
        fc.constantFrom(
          'smoothing: 0',
          'smoothing: 1',
          'smoothing: 0.5, states: valid',
          'smoothing: 0, states: valid',
        ),
        forgettings,
        fc.nat(2),
        (traces, learning, forgetting, every) => {
          const specification = specify(learning);
          const learner = new Learner(new Abstraction(specification.abstraction), {
            ...specification.learning,
            forgetting,
          });
          using live = createLiveRisk(specification, learner, { precision: PRECISION });
          for (const [i, trace] of traces.entries()) {
            learner.add(trace);
            if (i % (every + 1) > 0) continue;
            try {
              live.update();
            } catch (error) {
              // A rule that may never be judged is refused by both.
              expect(() => riskTable(specification, learner.chain().model)).toThrow((error as Error).message);
              continue;
            }
            compared += expectContains(live, specification, learner);
          }
        },
      ),
      { numRuns: 40 },
    );
    expect(compared).toBeGreaterThan(2000);
  });
});
