import { expect, it } from 'vitest';
import '../../bindings/solvers/kernel/inline.js';
import { learn } from '../../bindings/estimation/learning/index.js';
import { Abstraction } from '../../bindings/observations/abstraction/index.js';
import { certify } from '../../bindings/rules/risk/index.js';
import { parseSpecification } from '../../bindings/rules/specification/index.js';

/** The move to the first step was counted among the steps of a horizon, so that bounds at the start were those of a shorter one. */
it.each([
  ['traces', '{ formula: "G !broken", threshold: 0.5, horizonSteps: 1 }'],
  ['states', '{ formula: "P<0.5 [ F<=1 broken ]" }'],
  ['states before a window', '{ formula: "P<0.5 [ F[1,1] broken ]" }'],
])(
  'a certificate at the start of rules on %s is of the horizon counted from the first step',
  async (_, rule) => {
    const specification = parseSpecification(
      `version: 1
predicates: { broken: x > 0 }
rules: { fine: ${rule} }
learning: { smoothing: 0 }
`,
      { source: 'fuse.yaml' },
    );
    const traces = Array.from({ length: 1000 }, (_, id) => ({
      id: String(id),
      steps: [{ state: { x: 0 } }, { state: { x: id % 4 === 0 ? 1 : 0 } }],
    }));
    const { model } = await learn(new Abstraction(specification.abstraction), traces, specification.learning);
    // x = 0 is left 1750 times, 250 times of them for x = 1.
    const { start, entries } = certify(specification, model).rules[0];
    const first = entries.find(({ state, verdict }) => state === 0 && verdict === 'open');
    expect(first?.confidenceUpper).toBeLessThan(0.3);
    expect(start.confidenceUpper).toBeGreaterThanOrEqual(250 / 1750);
    expect(start.confidenceUpper).toBeCloseTo(first?.confidenceUpper ?? 0, 1);
    expect(start.confidenceLower).toBeGreaterThan(0);
  },
);
