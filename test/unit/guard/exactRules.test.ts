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

/** A guard of one exact and one learnt rule, whose data hold p before q, but never p after q. */
async function heldGuard() {
  const specification = parseSpecification(`version: 1
samplingPeriod: 1s
resample: hold
decideOn: confidenceUpper
predicates: { late: 'time > 1.5 && on', p: p, q: q }
rules:
  exact: { formula: 'G !late', exact: true, strategy: reflect, maxReflections: 0, escalate: [block] }
  calm: { formula: 'G !(p & q)', threshold: 1, strategy: report }
confidence: { delta: 0.1 }
learning: { smoothing: 0 }`);
  const steps = [
    { p: true, q: false },
    { p: false, q: true },
    { p: false, q: true },
  ];
  const { model } = await learn(
    new Abstraction(specification.abstraction),
    [{ id: '1', steps: steps.map((state, time) => ({ state, time })) }],
    specification.learning,
  );
  return createGuard(compileGuard(specification, model));
}

describe('a guard of exact and learnt rules under resample: hold', () => {
  it('follows the states of the model through held steps of which an exact rule cannot read something', async () => {
    const guard = await heldGuard();
    expect(guard.step({ p: false, q: true }, { time: 0 })).toMatchObject({
      decision: 'report',
      reason: 'at-threshold',
    });
    const after = guard.step({ p: true, q: false, on: false }, { time: 3 });
    expect(after).toMatchObject({ unseenTransition: true, ruleOfStrategy: 'exact', decision: 'block' });
    expect(guard.counters.heldSteps).toBe(2);
  });
});

describe('the explanation in a guard of exact and learnt rules', () => {
  it('names what an exact rule could not read where no value of it breaks the rule', async () => {
    const { file, state } = await guardOf(3, 2);
    const guard = createGuard(file);
    const { e0: _, ...unread } = state([]);
    expect(guard.explain(guard.step(unread))).toMatch(
      /risk of breaking rule "calm".* No exact rule is broken here, although the predicate "e0" could not be read \(.*\): neither of its values breaks a rule at this step/,
    );
    expect(guard.explain(guard.step(state([])))).not.toMatch(/exact/);
  });

  it('names the bounds of an escalated exact rule, and no confidence', async () => {
    const guard = await heldGuard();
    guard.step({ p: false, q: true, on: true }, { time: 0 });
    guard.step({ p: false, q: true, on: true }, { time: 1 });
    const text = guard.explain(guard.step({ p: false, q: true, on: true }, { time: 2 }));
    expect(text).toMatch(/reflect 0 times on rule "exact" .*; its risk is 1, certified in \[1, 1\]\./);
    expect(text).not.toMatch(/NaN/);
  });
});
