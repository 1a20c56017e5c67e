import { describe, expect, it } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import { learn } from '../../../bindings/estimation/learning/index.js';
import { Abstraction } from '../../../bindings/observations/abstraction/index.js';
import { compileGuard } from '../../../bindings/rules/risk/index.js';
import { parseSpecification } from '../../../bindings/rules/specification/index.js';
import { createGuard, loadGuard } from '../../../bindings/runtime/guard/index.js';

/** As many learnt and exact predicates, which read the fields of their names. */
async function guardOf(learnt: number, exact: number) {
  const names = (letter: string, count: number) => Array.from({ length: count }, (_, i) => `${letter}${i}`);
  const [ofModel, ofRule] = [names('p', learnt), names('e', exact)];
  const state = (set: readonly string[]): Record<string, boolean> =>
    Object.fromEntries([...ofModel, ...ofRule].map((name) => [name, set.includes(name)]));
  const specification = parseSpecification(
    JSON.stringify({
      version: 1,
      predicates: Object.fromEntries([...ofRule, ...ofModel].map((name) => [name, name])),
      rules: {
        exact: {
          formula: `G count(e0 & ${ofRule.at(-1)} | (${ofRule.join(' & ')})) <= 1`,
          exact: true,
          strategy: 'block',
        },
        calm: { formula: `G !${ofModel.at(-1)}`, threshold: 0.9, strategy: 'inspect' },
      },
      learning: { smoothing: 0 },
    }),
  );
  const last = ofModel.at(-1)!;
  const { model } = await learn(
    new Abstraction(specification.abstraction),
    [
      { id: '1', steps: [{ state: state([]) }, { state: state(['p0']) }, { state: state([]) }] },
      { id: '2', steps: [{ state: state(['p0', 'e0']) }, { state: state([last]) }, { state: state([]) }] },
    ],
    specification.learning,
  );
  return { file: compileGuard(specification, model), state, last, both: ['e0', ofRule.at(-1)!] };
}

describe('a guard whose exact rules read predicates of their own', () => {
  it.each([
    [3, 2],
    [17, 2],
    [31, 4],
    [32, 33],
    [40, 70],
  ])('finds the states of %i learnt predicates beside %i others', async (learnt, exact) => {
    const { file, state, last, both } = await guardOf(learnt, exact);
    expect(file.states.draws).toHaveLength(3);
    for (const guard of [createGuard(file), await loadGuard(JSON.stringify(file))]) {
      const decisions = [[], ['p0', ...both], ['p0', 'e0'], both, [last]].map((set) => {
        const { decision, reason, state: found } = guard.step(state(set));
        return [decision, reason, found >= 0];
      });
      expect(decisions).toEqual([
        ['allow', 'below-threshold', true],
        ['allow', 'below-threshold', true],
        ['allow', 'below-threshold', true],
        ['block', 'violated', true],
        ['stop', 'after-violation', true],
      ]);
      guard.reset();
      expect(guard.step(state(['p1'])).reason).toBe('unknown-state');
      const { e0: _, ...unread } = state([]);
      guard.reset();
      expect(guard.step(unread)).toMatchObject({ decision: 'allow', reason: 'below-threshold' });
    }
  });
});
