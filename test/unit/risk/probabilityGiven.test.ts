import { describe, expect, it } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import { EvaluationError } from '../../../bindings/base/errors.js';
import { compileGuard, probabilityGiven } from '../../../bindings/rules/risk/index.js';
import { createGuard } from '../../../bindings/runtime/guard/index.js';
import { expectFraction } from '../../oracle/brackets.js';
import { learnFor, specify, word } from './learnt.js';

async function given(formula: string, letters: string) {
  const specification = specify(
    `learning: { smoothing: 0 }\nrules:\n  other: { formula: 'G !a', threshold: 0.5 }\n  r: ${formula}`,
  );
  const { model } = await learnFor(specification);
  return probabilityGiven(specification, model, 'r', word(letters).steps);
}

describe('probabilityGiven', () => {
  const rule = "{ formula: 'G !c', threshold: 0.5 }";

  it('is 1 minus the risk after the prefix', async () => {
    expectFraction(await given(rule, ''), 3, 5);
    expectFraction(await given(rule, 'a'), 3, 5);
    expectFraction(await given(rule, 'ab'), 2, 5);
    expect(await given(rule, 'aab')).toMatchObject({ state: 1, draws: 6 });
    expect(await given(rule, 'abc')).toMatchObject({ lower: 0, upper: 0 });
    expect(await given(rule, 'abca')).toMatchObject({ lower: 0, upper: 0, state: 0 });
    // An obligation of the prefix: c must come at the next step.
    expectFraction(await given("{ formula: 'G (b -> X c)', threshold: 0.5 }", 'b'), 1, 3);
  });

  it('knows nothing in a state that the data do not have, unless the rule is decided', async () => {
    expect(await given(rule, 'ad')).toMatchObject({ lower: 0, upper: 1, state: -1, draws: 0 });
    expect(await given(rule, 'cd')).toMatchObject({ lower: 0, upper: 0 });
    expect(await given("{ formula: 'F c', threshold: 0.5 }", 'cd')).toMatchObject({ lower: 1, upper: 1 });
  });

  it('of a PCTL rule is that its bad event does not come, whatever was before', async () => {
    expectFraction(await given("{ formula: 'P<0.5 [ F c ]' }", 'ca'), 3, 5);
  });

  it('needs what predicates read', async () => {
    const specification = specify(`rules:\n  r: ${rule}`);
    const { model } = await learnFor(specification);
    expect(() => probabilityGiven(specification, model, 'r', [{ state: { y: 'a' } }])).toThrow(
      EvaluationError,
    );
    expect(() => probabilityGiven(specification, model, 's', [])).toThrow('no rule "s"');
  });
});

describe('a guard compiled with durations', () => {
  it('tells the risk within them', async () => {
    const specification = specify(
      "samplingPeriod: 0.1s\nlearning: { smoothing: 0 }\nrules:\n  r: { formula: 'G !c', threshold: 0.99 }",
    );
    const { model } = await learnFor(specification);
    const file = compileGuard(specification, model, { horizons: [1], within: ['0.3s'] });
    expect(file.durations).toEqual({ '0.3s': 3 });
    const guard = createGuard(file);
    guard.step({ x: 'b' });
    // b, c at once; or a, b, c: 1/3 + 2/3 * 1/2 * 1/3.
    expectFraction(guard.riskWithin('r', '0.3s'), 4, 9);
    expect(guard.riskWithin('r', 3)).toEqual(guard.riskWithin('r', '0.3s'));
    expectFraction(guard.riskWithin('r', 1), 1, 3);
    expect(() => guard.riskWithin('r', '3s')).toThrow(/within 3s;.*r: 1, 3; durations: 0\.3s/);
    expect(() => createGuard({ ...file, durations: { '3s': -1 } })).toThrow('durations.3s');
    const without = { ...specification, samplingPeriod: null };
    expect(() => compileGuard(without, model, { within: ['3s'] })).toThrow('samplingPeriod');
  });
});
