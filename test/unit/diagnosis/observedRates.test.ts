import '../../../bindings/solvers/kernel/inline.js';
import { describe, expect, it } from 'vitest';
import type { Trace } from '../../../bindings/observations/trace/index.js';
import { parseSpecification } from '../../../bindings/rules/specification/index.js';
import { abstractRuns, observedRates } from '../../../bindings/study/diagnosis/index.js';
import { clopperPearsonInterval } from '../../../bindings/study/evaluation/index.js';
import { type Agent, markov, runsOf } from './worlds.js';

const specification = parseSpecification(
  `version: 1
predicates: { a: 'x == "a"', b: 'x == "b"', c: 'x == "c"', d: 'x == "d"' }
rules: { whole: { formula: 'G !d', threshold: 0.3 } }
learning: { smoothing: 0 }
`,
  { source: 'letters.yaml' },
);
const firstOrder = markov({
  '^': { a: 1, c: 1 },
  a: { b: 3, '.': 1 },
  b: { d: 1, a: 1, '.': 2 },
  c: { b: 1 },
  d: { '.': 1 },
});
/** a or c, then a and b in turn for long, then d where it began with c. A chain that has come to b does not know how it began. */
const longMemory: Agent = (before) => {
  if (before.length < 10) return before.at(-1) === 'b' ? 'a' : 'b';
  return before.length === 10 && before[0] === 'c' ? 'd' : null;
};
const begun: Agent = (before, random) =>
  before.length === 0 ? (random.chance(0.5) ? 'a' : 'c') : longMemory(before, random);
const judge = async (traces: Trace[], level = 0.05, seed = 1, of = specification) =>
  observedRates(of, await abstractRuns(of, traces), { level, seed });

describe('predicted and observed rates of violation', () => {
  it('disagree in at most the level of data sets of a chain', async () => {
    const sets = 12;
    let disagreeing = 0;
    for (let seed = 0; seed < sets; seed++) {
      const [whole] = (await judge(runsOf(firstOrder, 80, seed), 0.2, seed))!;
      expect(whole.runs).toBe(40);
      expect(whole.unknown).toBe(0);
      expect(whole.observed.rate).toBe(whole.violations / 40);
      if (whole.disagrees) disagreeing++;
    }
    expect(clopperPearsonInterval(disagreeing, sets, 1 - 2e-6).confidenceLower).toBeLessThanOrEqual(0.2);
  });

  it('disagree where a rule remembers what the chain does not', async () => {
    const remembering = parseSpecification(
      `version: 1
predicates: { a: 'x == "a"', b: 'x == "b"', c: 'x == "c"', d: 'x == "d"' }
rules: { order: { formula: 'G (c -> G !d)', threshold: 0.3 } }
learning: { smoothing: 0 }
`,
      { source: 'letters.yaml' },
    );
    const [order] = (await judge(runsOf(begun, 400, 1), 0.05, 1, remembering))!;
    expect(order.observed.confidenceLower).toBeGreaterThan(0.4);
    expect(order.predicted.upper).toBeLessThan(0.35);
    expect(order.disagrees).toBe(true);
    const surest = order.reliability.find(({ observed, meanRisk }) => observed.confidenceLower > meanRisk);
    expect(surest).toBeDefined();
  });

  it('leave open what cut runs would have come to', async () => {
    const runs = runsOf(firstOrder, 100, 3).map((run, i) => (i % 2 ? run : { ...run, complete: false }));
    const [whole] = (await judge(runs))!;
    expect(whole.unknown).toBeGreaterThan(10);
    const all = clopperPearsonInterval(whole.violations + whole.unknown, whole.runs, 0.95);
    expect(whole.observed.confidenceUpper).toBe(all.confidenceUpper);
  });

  it('are those of rules on whole traces alone', async () => {
    const mixed = parseSpecification(
      `version: 1
predicates: { a: 'x == "a"', b: 'x == "b"', c: 'x == "c"', d: 'x == "d"' }
rules:
  whole: { formula: 'G !d', threshold: 0.3 }
  soon: { formula: 'P<0.1 [ F<=3 d ]' }
  next: { formula: 'G !d', threshold: 0.3, horizonSteps: 2 }
`,
      { source: 'letters.yaml' },
    );
    const rates = await judge(runsOf(firstOrder, 80, 1), 0.05, 1, mixed);
    expect(rates?.map(({ rule }) => rule)).toEqual(['whole']);
    const none = { ...mixed, rules: mixed.rules.slice(1) };
    expect(await judge(runsOf(firstOrder, 80, 1), 0.05, 1, none)).toEqual([]);
  });

  it('leave out of their bins the steps at which no risk is known', async () => {
    const unseen: Trace = { id: 'unseen', steps: ['a', 'z', 'a'].map((x) => ({ state: { x } })) };
    const runs = [...runsOf(firstOrder, 80, 1), unseen];
    const judged = await Promise.all([1, 2, 3, 4].map((seed) => judge(runs, 0.05, seed)));
    const rates = judged.map((found) => found![0]);
    expect(rates.map((rate) => rate.unknownSteps)).toContain(1);
    for (const rate of rates) {
      expect(rate.unknownSteps).toBeLessThanOrEqual(1);
      expect(rate.reliability.map(({ meanRisk }) => Math.round(meanRisk))).not.toContain(1);
      expect(rate.steps).toBeGreaterThan(50);
    }
  });

  it('are not compared on few runs', async () => {
    expect(await judge(runsOf(firstOrder, 30, 1))).toBeNull();
  });
});
