import { describe, expect, it } from 'vitest';
import { Abstraction } from '../../bindings/observations/abstraction/index.js';
import '../../bindings/solvers/kernel/inline.js';
import { learn, readLearntChain } from '../../bindings/estimation/learning/index.js';
import type { Trace } from '../../bindings/observations/trace/index.js';
import { compileGuard } from '../../bindings/rules/risk/index.js';
import { parseSpecification } from '../../bindings/rules/specification/index.js';
import type { Dtmc } from '../../bindings/solvers/model/index.js';
import { forecastRuns, reliability } from '../../bindings/study/evaluation/index.js';
import { Random } from '../../worlds/src/index.js';

const specification = parseSpecification(
  `version: 1
predicates: { asked: 'asked', answered: 'answered', broken: 'broken' }
rules:
  response: { formula: 'G (asked -> F[0,3] answered)', threshold: 0.5 }
  never: { formula: 'G !broken', threshold: 0.5 }
  past: { formula: 'G (broken -> O[0,2] answered)', threshold: 0.5 }
learning: { smoothing: 0 }
`,
  { source: 'test.yaml' },
);

/** A process with a memory of its own that no predicate shows: what is learnt from it is not it. */
function recorded(random: Random, id: number): Trace {
  let mood = random.next();
  const steps = Array.from({ length: 5 + Math.floor(20 * random.next()) }, () => {
    mood = 0.8 * mood + 0.2 * random.next();
    return {
      state: {
        asked: random.chance(0.1),
        answered: random.chance(mood),
        broken: random.chance(0.04 * (1 - mood)),
      },
    };
  });
  return { id: String(id), steps };
}

/** A run of the learnt chain itself. */
function drawn(model: Dtmc, abstraction: Abstraction, random: Random, id: number): Trace {
  const { valuations, words, start, end } = readLearntChain(model);
  const steps: Trace['steps'][number][] = [];
  for (let s = start; ; ) {
    let chance = random.next();
    let i = model.rowStart[s];
    while (i + 1 < model.rowStart[s + 1] && chance >= model.values[i]) chance -= model.values[i++];
    s = model.columns[i];
    if (s === end) return { id: String(id), steps };
    steps.push({ state: abstraction.decode(valuations, s * words) });
  }
}

describe("a learnt chain's own runs", () => {
  it('are violated as often as its guard predicts, in every bin of every rule, within the confidence', async () => {
    const random = new Random(5);
    const abstraction = new Abstraction(specification.abstraction);
    const traces = Array.from({ length: 300 }, (_, i) => recorded(random, i));
    const { model } = await learn(abstraction, traces, specification.learning);
    const guardFile = compileGuard(specification, model);
    const own = Array.from({ length: 2500 }, (_, i) => drawn(model, abstraction, random, i));
    const forecasts = await forecastRuns(guardFile, own);
    for (const rule of ['response', 'never', 'past']) {
      const bins = reliability(forecasts[rule], { confidence: 1 - 1e-6 });
      expect(bins.filter(({ runs }) => runs > 100).length).toBeGreaterThanOrEqual(
        rule === 'response' ? 4 : 1,
      );
      for (const { meanRisk, observed, runs } of bins) {
        if (runs === 0) continue;
        expect(observed.confidenceLower).toBeLessThanOrEqual(meanRisk + 1e-5);
        expect(observed.confidenceUpper).toBeGreaterThanOrEqual(meanRisk - 1e-5);
      }
    }
  });
});
