import { describe, expect, it } from 'vitest';
import '../../../bindings/kernel/inline.js';
import { Abstraction } from '../../../bindings/abstraction/index.js';
import { learn } from '../../../bindings/learning/index.js';
import { certify, riskTable } from '../../../bindings/risk/index.js';
import { Random } from '../../../bindings/random.js';
import { parseSpecification } from '../../../bindings/specification/index.js';
import type { Trace } from '../../../bindings/trace/index.js';

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
});
