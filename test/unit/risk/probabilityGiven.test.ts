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

const deadline = "{ formula: 'G (a -> F[0s,0.6s] c)', threshold: 0.5 }";

/** Letters at times in seconds; null: a step without what predicates read, or without a time. */
async function timed(
  policy: string,
  rule: string,
  steps: readonly (readonly [string | null, number | null])[],
) {
  const specification = specify(
    `samplingPeriod: 0.2s\nresample: ${policy}\nlearning: { smoothing: 0 }\nrules:\n  r: ${rule}`,
  );
  const { model } = await learnFor(specification);
  const prefix = steps.map(([x, time]) => ({
    state: x === null ? {} : { x },
    ...(time !== null && { time }),
  }));
  return probabilityGiven(specification, model, 'r', prefix);
}

describe('the times of a prefix', () => {
  const gap = [
    ['a', 0],
    ['a', 2],
  ] as const;

  it('are read: a deadline passes while steps are missing', async () => {
    expect(await timed('hold', deadline, gap)).toMatchObject({ lower: 0, upper: 0, state: 0 });
    expect(await timed('error', deadline, gap)).toMatchObject({ lower: 0, upper: 1, automatonState: -1 });
    // The gap is no step: two more are left.
    const skipped = await timed('skip', deadline, gap);
    expect(skipped).toEqual(await timed('skip', deadline, [gap[0], ['a', 0.2]]));
    expect(skipped.lower).toBeGreaterThan(0);
  });

  it('leave a doubt for good: a guard decides on it once', async () => {
    const later = [0, 1, 2, 3].map((i) => ['c', 2.2 + i / 5] as const);
    const found = await timed('error', deadline, [...gap, ...later]);
    expect(found).toMatchObject({ lower: 0, state: 2, automatonState: -1 });
    expect(found.upper).toBeGreaterThan(0);
    // Two steps are missing, and the deadline is a third: nothing is in doubt.
    const kept = await timed('error', deadline, [
      ['a', 0],
      ['c', 0.6],
      ['c', 0.8],
    ]);
    expect(kept).toEqual(await timed('error', deadline, [['c', 0]]));
  });

  it('say nothing of a state that came early under error, and it is left out under hold and skip', async () => {
    const early = [
      ['b', 0],
      ['a', 0.1],
    ] as const;
    const rule = "{ formula: 'G !c', threshold: 0.5 }";
    expect(await timed('error', rule, early)).toMatchObject({ lower: 0, upper: 1, state: 0 });
    expectFraction(await timed('error', rule, [...early, ['b', 0.3]]), 2, 5);
    for (const policy of ['hold', 'skip']) {
      expect(await timed(policy, rule, early)).toEqual(await timed(policy, rule, [early[0]]));
      expect(await timed(policy, rule, [early[0], ['c', 0]])).toMatchObject({ state: 1 });
      // Nothing is read of a step that is left out, and what cannot be read in others is an error.
      expect(await timed(policy, rule, [early[0], [null, 0.1]])).toMatchObject({ state: 1 });
      await expect(timed(policy, rule, [early[0], [null, 0.2]])).rejects.toThrow(EvaluationError);
    }
  });

  it('of a clock that stands still are a fault, and the state of a step on time after it is known', async () => {
    const still = Array.from({ length: 102 }, () => ['b', 0] as const);
    const rule = "{ formula: 'P<0.5 [ F c ]' }";
    expect(await timed('hold', rule, still)).toMatchObject({ lower: 0, upper: 1, state: 1 });
    expectFraction(await timed('hold', rule, [...still, ['b', 0.2]]), 2, 5);
    expect(await timed('error', rule, still.slice(0, 2))).toMatchObject({ lower: 0, upper: 1 });
  });

  it('put what steps without a time showed in doubt, where steps are missing beside them', async () => {
    const steps = [
      ['a', 0],
      ['b', null],
      ['b', 2],
    ] as const;
    // The step without a time was not the next, so that c may have come there.
    const rule = "{ formula: 'G (a -> X c)', threshold: 0.5 }";
    expect(await timed('error', rule, steps.slice(0, 2))).toMatchObject({ lower: 0, upper: 0 });
    expect(await timed('error', rule, steps)).toMatchObject({ lower: 0, upper: 1 });
    const certain = [['a', -0.4], ['b', -0.2], ...steps] as const;
    expect(await timed('error', rule, certain)).toMatchObject({ lower: 0, upper: 0 });
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
