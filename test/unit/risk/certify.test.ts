import { describe, expect, it } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import { Random } from '../../../bindings/base/random.js';
import { learn, readLearntChain, withUnreadable } from '../../../bindings/estimation/learning/index.js';
import { Abstraction } from '../../../bindings/observations/abstraction/index.js';
import type { Trace } from '../../../bindings/observations/trace/index.js';
import { certify, riskTable } from '../../../bindings/rules/risk/index.js';
import { parseSpecification } from '../../../bindings/rules/specification/index.js';
import type { Dtmc } from '../../../bindings/solvers/model/index.js';

const specificationOf = (rule: string, learning = '{ smoothing: 0 }') =>
  parseSpecification(
    `version: 1
predicates: { warm: x >= 1, hot: x >= 2, broken: x >= 3 }
constraints: { state: '(!hot || warm) && (!broken || hot)' }
rules: { fine: ${rule} }
learning: ${learning}
`,
    { source: 'oven.yaml' },
  );

/** x rises by one with probability 0.2, falls by one with 0.5, the run ends with 0.3; broken at 3, it ends. */
function runs(count: number): Trace[] {
  const random = new Random(5);
  return Array.from({ length: count }, (_, id) => {
    const steps = [{ state: { x: 0 } }];
    for (let x = 0; x < 3 && random.next() > 0.3; ) {
      x = Math.max(0, x + (random.next() < 0.2 / 0.7 ? 1 : -1));
      steps.push({ state: { x } });
    }
    return { id: String(id), steps };
  });
}

/** P(broken) from x = 0, 1, 2. */
const truth = (() => {
  let values = [0, 0, 0, 1];
  for (let i = 0; i < 2000; i++) {
    values = values.map((value, x) =>
      x === 3 ? value : 0.2 * values[x + 1] + 0.5 * values[Math.max(0, x - 1)],
    );
  }
  return values;
})();

describe('certify', () => {
  it.each([
    ['traces', '{ formula: "G !broken", threshold: 0.5 }'],
    ['states', '{ formula: "P<0.5 [ F broken ]" }'],
  ])('bounds the risk of rules on %s around the truth, narrower with more data', async (_, rule) => {
    const specification = specificationOf(rule);
    const widths: number[] = [];
    for (const count of [300, 3000, 30000]) {
      const { model } = await learn(
        new Abstraction(specification.abstraction),
        runs(count),
        specification.learning,
      );
      const { rules, delta, epsilon } = certify(specification, model, { precision: 1e-9 });
      expect([delta, epsilon]).toEqual([0.05, 0.05]);
      for (const { description, confidenceLower, confidenceUpper, riskOutside } of rules[0].entries) {
        const holding = description.startsWith('none of') ? '' : description.split(';')[0];
        const x = ['warm', 'hot', 'broken'].filter((name) => holding.includes(name)).length;
        expect(confidenceLower).toBeLessThanOrEqual(truth[x]);
        expect(confidenceUpper).toBeGreaterThanOrEqual(truth[x]);
        expect(riskOutside).toBe(false);
      }
      const { start } = rules[0];
      expect(start.confidenceLower <= truth[0] && truth[0] <= start.confidenceUpper).toBe(true);
      widths.push(start.confidenceUpper - start.confidenceLower);
    }
    expect(widths[1]).toBeLessThan(0.6 * widths[0]);
    expect(widths[2]).toBeLessThan(0.6 * widths[1]);
  });

  it('gives no number where every run seen comes to a state that was never left', async () => {
    const specification = specificationOf('{ formula: "G !broken", threshold: 0.5 }');
    const cut = runs(50).map((trace) => ({ ...trace, complete: trace.steps.length < 3 }));
    const stuck: Trace[] = [
      { id: 'cut', steps: [{ state: { x: 1 } }, { state: { x: 2 } }], complete: false },
    ];
    const onlyCut = cut.filter(({ steps }) => steps.every(({ state }) => (state.x as number) === 0));
    const { model } = await learn(
      new Abstraction(specification.abstraction),
      [...onlyCut, ...stuck],
      specification.learning,
    );
    const { rules } = certify(specification, model);
    const unbounded = rules[0].entries.filter((entry) => entry.unbounded !== null);
    expect(unbounded.map(({ draws }) => draws).sort()).toEqual([0, 1]);
    for (const entry of unbounded) {
      expect(entry.unbounded).toMatch(/^cannot be bounded: state \d+ \(.*\) was never left$/);
      expect([entry.confidenceLower, entry.confidenceUpper]).toEqual([0, 1]);
    }
  });

  it('says where smoothing has taken the risk out of what the data allow', async () => {
    const specification = specificationOf(
      '{ formula: "G !broken", threshold: 0.5 }',
      '{ smoothing: 3000, states: valid }',
    );
    const { model } = await learn(
      new Abstraction(specification.abstraction),
      runs(3000),
      specification.learning,
    );
    const [{ entries }] = certify(specification, model).rules;
    expect(entries.some(({ riskOutside }) => riskOutside)).toBe(true);
    const table = riskTable(specification, model).rules[0].entries;
    for (const { state, automatonState, risk } of entries) {
      const same = table.find((one) => one.state === state && one.automatonState === automatonState);
      expect(risk).toEqual({ lower: same?.lower, upper: same?.upper });
    }
  });

  it('gives posterior intervals on request, inside of what is guaranteed here, and none where nothing bounds the risk', async () => {
    const specification = specificationOf(
      '{ formula: "P>0.5 [ G !broken ]" }',
      '{ smoothing: 1, states: valid }',
    );
    const cut = { id: 'cut', steps: [{ state: { x: 2 } }], complete: false };
    for (const traces of [runs(300), [...runs(5).filter(({ steps }) => steps.length === 1), cut]]) {
      const { model } = await learn(
        new Abstraction(specification.abstraction),
        traces,
        specification.learning,
      );
      expect(certify(specification, model).rules[0].start.posterior).toBeNull();
      const [{ entries, start }] = certify(specification, model, { posterior: { samples: 200 } }).rules;
      for (const { posterior, unbounded, confidenceLower, confidenceUpper } of entries) {
        expect(posterior === null).toBe(unbounded !== null);
        if (posterior === null) continue;
        expect(posterior.lower).toBeGreaterThanOrEqual(confidenceLower);
        expect(posterior.upper).toBeLessThanOrEqual(confidenceUpper);
        expect(posterior.guaranteed).toBe(false);
      }
      expect(start.posterior?.lower).toBeLessThanOrEqual(start.posterior?.upper ?? 0);
    }
  });

  it.each([
    [{ delta: 0 }, /delta is 0/],
    [{ delta: 1 }, /delta is 1/],
    [{ epsilon: 0 }, /epsilon is 0/],
    [{ epsilon: 2 }, /epsilon is 2/],
  ])('refuses %o', async (options, message) => {
    const specification = specificationOf('{ formula: "G !broken", threshold: 0.5 }');
    const { model } = await learn(
      new Abstraction(specification.abstraction),
      runs(20),
      specification.learning,
    );
    expect(() => certify(specification, model, options)).toThrow(message);
  });

  it.each([
    [
      { onContradiction: 'dropTrace' as const },
      /^traces were left out for what they do.*: 1 contradict a constraint/,
    ],
    [{ skipInvalid: true }, /: 1 have a predicate that fails/],
  ])(
    'refuses models that traces were left out of, by %o, and takes them where none was',
    async (options, message) => {
      const specification = parseSpecification(
        `version: 1
predicates: { warm: x >= 1, hot: x >= 2, broken: x >= 3 }
constraints: { end: '!hot || broken' }
rules: { fine: { formula: G !broken, threshold: 0.5 } }
learning: { smoothing: 0 }
`,
      );
      const abstraction = new Abstraction(specification.abstraction);
      const settings = { ...specification.learning, ...options };
      const fine = runs(50).filter(({ steps }) => steps.every(({ state }) => (state.x as number) < 2));
      const { model } = await learn(abstraction, fine, settings);
      expect(certify(specification, model).rules).toHaveLength(1);
      const odd: Trace =
        'skipInvalid' in options
          ? { id: 'odd', steps: [{ state: {} }] }
          : { id: 'odd', steps: [{ state: { x: 2 } }] };
      const without = await learn(abstraction, [...fine, odd], settings);
      expect(() => certify(specification, without.model)).toThrow(message);
    },
  );

  it('refuses models whose counts are no draws, naming what is wrong', async () => {
    const specification = specificationOf('{ formula: "G !broken", threshold: 0.5 }');
    const learnt = await learn(new Abstraction(specification.abstraction), runs(20), specification.learning);
    const { model } = learnt;
    const { annotations = [] } = model;
    const changed = (name: string, values: (old: Float64Array) => Float64Array): Dtmc => ({
      ...model,
      annotations: annotations.map((one) =>
        one.name === name ? { ...one, values: values(one.values) } : one,
      ),
    });
    expect(() =>
      certify(
        specification,
        changed('count', (old) => old.map((count, i) => (i === 1 ? count + 0.5 : count))),
      ),
    ).toThrow(
      /state \d+ has a transition that was seen [\d.]+ times: certificates are made from whole numbers/,
    );
    expect(() =>
      certify(
        specification,
        changed('draws', (old) => old.map((draws) => draws + 1)),
      ),
    ).toThrow(/state 0 was left 21 times, but its transitions were seen 20 times in all/);
    for (const name of ['firstDraw', 'drawsSinceNew', 'rank']) {
      const kept = annotations.filter((one) => one.name !== name);
      expect(() => certify(specification, { ...model, annotations: kept })).toThrow(
        `no annotation "${name}": certificates need the order of what was seen; learn it again with`,
      );
    }
    const { leftOut: _, ...foreguard } = readLearntChain(model).parameters;
    expect(() => certify(specification, { ...model, parameters: { foreguard } })).toThrow(
      'does not say whether traces were left out for what they do; learn it again',
    );
    expect(() => certify(specification, withUnreadable(learnt, 2).model)).toThrow(': 2 could not be read');
  });
});
