import { expect, it } from 'vitest';
import '../../bindings/solvers/kernel/inline.js';
import { learn } from '../../bindings/estimation/learning/index.js';
import { Abstraction } from '../../bindings/observations/abstraction/index.js';
import { certify } from '../../bindings/rules/risk/index.js';
import { parseSpecification } from '../../bindings/rules/specification/index.js';

/**
 * Under `accept` constraints were taken for true until one was broken, so that what they forbid had probability 0 for certain: an agent that
 * breaks one run in a hundred was certified on the first twenty never to do so.
 */
it('a certificate does not take constraints for true where contradictions are accepted', async () => {
  const upperOf = async (onContradiction: string): Promise<number> => {
    const specification = parseSpecification(
      `version: 1
predicates: { busy: x >= 1, broken: x >= 2 }
constraints: { state: '!broken || busy', transition: '!to.broken' }
rules: { fine: { formula: "G !broken", threshold: 0.5 } }
learning: { states: valid, smoothing: 1, onContradiction: ${onContradiction} }
`,
      { source: 'plant.yaml' },
    );
    const traces = Array.from({ length: 20 }, (_, id) => ({
      id: String(id),
      steps: [{ state: { x: 0 } }, { state: { x: 1 } }],
    }));
    const { model } = await learn(new Abstraction(specification.abstraction), traces, specification.learning);
    return (
      certify(specification, model).rules[0].entries.find(({ state }) => state === 0)?.confidenceUpper ?? 0
    );
  };
  expect(await upperOf('accept')).toBeGreaterThan(0.01);
  // Whoever has contradictions refused says that there are none.
  expect(await upperOf('error')).toBeLessThan(1e-6);
});
