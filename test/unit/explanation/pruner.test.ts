import { describe, expect, it } from 'vitest';
import {
  EvaluationError,
  InvalidArgumentError,
  NotSupportedError,
  ParseError,
} from '../../../bindings/base/errors.js';
import { createPruner, prunerFromGuard } from '../../../bindings/runtime/explanation/index.js';
import { createGuard } from '../../../bindings/runtime/guard/index.js';
import { guardFile, never, response, ruleOf } from '../guard/guardFiles.js';

const idle = { a: false, b: false };
const onlyA = { a: true, b: false };
const onlyB = { a: false, b: true };
const both = { a: true, b: true };
const proposals = [
  { action: 'wait', valuation: idle },
  { action: 'a', valuation: onlyA },
  { action: 'b', valuation: onlyB },
  { action: 'ab', valuation: both },
];

describe('a pruner', () => {
  it('refuses what breaks a rule, with the reason, and permits the rest', () => {
    const pruner = createPruner({
      rules: [
        { name: 'apart', formula: 'G !(a & b)' },
        { name: 'answer', formula: 'G (a -> F<=1 b)' },
      ],
    });
    pruner.observe(onlyA);
    expect(pruner.filterActions(proposals)).toEqual({
      permitted: ['b'],
      refused: [
        {
          action: 'wait',
          rules: ['answer'],
          explanation:
            '"answer" would be violated at step 1: at step 0 `a` held, and none of the steps 0 to 1 had `b`',
        },
        {
          action: 'a',
          rules: ['answer'],
          explanation:
            '"answer" would be violated at step 1: at step 0 `a` held, and none of the steps 0 to 1 had `b`',
        },
        {
          action: 'ab',
          rules: ['apart'],
          explanation: '"apart" would be violated at step 1: at step 1 `a & b` held',
        },
      ],
    });
    expect(pruner.violated).toEqual([]);
  });

  it('says at which step a plan breaks which rule, or that its end does', () => {
    const pruner = createPruner({
      rules: [
        { name: 'answer', formula: 'G (a -> F b)' },
        { name: 'apart', formula: 'G !(a & b)' },
      ],
    });
    expect(pruner.wouldViolate([onlyA, idle, both, idle])).toMatchObject({ step: 2, rules: ['apart'] });
    expect(pruner.wouldViolate([onlyA, idle])).toBe(null);
    expect(pruner.wouldViolate([onlyA, onlyB], { ends: true })).toBe(null);
    expect(pruner.wouldViolate([onlyA, idle], { ends: true })).toEqual({
      step: 2,
      rules: ['answer'],
      explanation:
        '"answer" would be violated by a run that ends at step 1: at step 0 `a` held, and none of the steps 0 to 1 had `b`',
    });
    expect(pruner.wouldViolate([])).toBe(null);
  });

  it('refuses everything once a rule is broken, until it begins a new run', () => {
    const pruner = createPruner({ rules: [{ name: 'never', formula: 'G !a' }] });
    pruner.observe(onlyA);
    expect(pruner.violated).toEqual(['never']);
    expect(pruner.filterActions([{ action: 1, valuation: idle }]).refused).toEqual([
      { action: 1, rules: ['never'], explanation: '"never" is violated at step 0: at step 0 `a` held' },
    ]);
    pruner.reset();
    expect(pruner.filterActions([{ action: 1, valuation: idle }]).permitted).toEqual([1]);
  });

  it('sees on request that rules can be kept one by one, but not together', () => {
    const rules = [
      { name: 'charge', formula: 'G (a -> F<=2 b)' },
      { name: 'stay', formula: 'G (a -> G<=2 !b)' },
    ];
    const proposal = [{ action: 'go', valuation: onlyA }];
    expect(createPruner({ rules }).filterActions(proposal).permitted).toEqual(['go']);
    const [{ rules: refused, explanation }] = createPruner({ rules, jointly: true }).filterActions(
      proposal,
    ).refused;
    expect(refused).toEqual(['charge', 'stay']);
    expect(explanation).toBe(
      'the rules "charge", "stay" can each be kept, but not all of them: violated at step 0: no continuation does all that is due: at step 0 `a` held, so `b` must come by step 2: 2 steps left; at step 0 `a` held, so no step up to step 2 may have `b`: 2 steps left',
    );
  });

  it('counts only continuations that the constraints allow', () => {
    const rules = [{ name: 'answer', formula: 'G (a -> F<=2 b)' }];
    const free = createPruner({ rules });
    const bound = createPruner({ rules, constraints: { transition: '!(from.a && to.b)' } });
    const sticky = createPruner({
      rules,
      constraints: { transition: 'from.a ? to.a : true', state: '!(a && b)' },
    });
    for (const pruner of [free, bound]) {
      expect(pruner.filterActions(proposals.slice(0, 2)).permitted).toEqual(['wait', 'a']);
    }
    const [first] = sticky.filterActions([{ action: 'a', valuation: onlyA }]).refused;
    expect(first.rules).toEqual(['answer']);
    expect(first.explanation).toMatch(
      /^"answer" would be violated at step 0: no continuation does all that is due: at step 0 `a` held, so `b` must come by step 2/,
    );
    expect(sticky.filterActions([{ action: 'ab', valuation: both }]).refused).toEqual([
      {
        action: 'ab',
        rules: [],
        explanation: 'the constraints would be violated at step 0: at step 0 `a & b` held',
      },
    ]);
    bound.observe(onlyA);
    expect(bound.filterActions(proposals)).toMatchObject({
      permitted: ['wait'],
      refused: [{ action: 'a', rules: ['answer'] }, { rules: [] }, { rules: [] }],
    });
  });

  it('reads states through predicates, comparisons in rules among them', () => {
    const pruner = createPruner({
      rules: [{ name: 'go', formula: 'G (green -> F[0s,1s] speed > 0.5)' }],
      predicates: [{ name: 'green', expression: 'light == "green"' }],
      samplingPeriod: 0.5,
    });
    pruner.observe({ light: 'green', speed: 0 });
    pruner.observe({ light: 'red', speed: 0 });
    expect(
      pruner.filterActions([{ action: 'wait', valuation: { light: 'red', speed: 0 } }]).refused[0]
        .explanation,
    ).toBe(
      '"go" would be violated at step 2 (1.0 s): at step 0 `green` held, and none of the steps 0 to 2 had `speed > 0.5`',
    );
    expect(() => pruner.observe({ light: 'red' })).toThrow(EvaluationError);
  });

  it('takes comparisons by their source where it has no states', () => {
    const pruner = createPruner({ rules: [{ name: 'slow', formula: 'G (speed <= 30)' }] });
    expect(
      pruner.filterActions([{ action: 'on', valuation: { 'speed <= 30': false } }]).refused,
    ).toHaveLength(1);
  });

  it('refuses bad input', () => {
    const rules = [{ name: 'never', formula: 'G !open' }];
    expect(() => createPruner({ rules }).observe({ opne: true })).toThrow(
      /"open" is undefined.*did you mean "opne"/,
    );
    expect(() => createPruner({ rules }).observe({ open: 1 })).toThrow(InvalidArgumentError);
    expect(() => createPruner({ rules, predicates: [] })).toThrow(InvalidArgumentError);
    expect(() => createPruner({ rules, predicates: [{ name: 'opn', expression: 'x' }] })).toThrow(
      /did you mean "opn"/,
    );
    expect(() => createPruner({ rules: [{ name: 'x', formula: 'G (' }] })).toThrow(ParseError);
    expect(() => createPruner({ rules, constraints: { state: 'size(open) > 1' } })).toThrow(
      NotSupportedError,
    );
  });
});

describe('a pruner from a guard', () => {
  const quiet = [0.1, 0.1, 0.1, 0.1];
  const file = guardFile([
    ruleOf(response, quiet, { name: 'answer', formula: 'G (a -> F<=2 b)' }),
    ruleOf(never, quiet, { name: 'apart', formula: 'G !(a & b)' }),
  ]);

  it("judges by the guard's rules from where its run is", () => {
    const guard = createGuard(file);
    const pruner = prunerFromGuard(guard);
    expect(pruner.filterActions(proposals).permitted).toEqual(['wait', 'a', 'b']);
    guard.step(onlyA);
    guard.step(idle);
    expect(pruner.filterActions(proposals)).toMatchObject({
      permitted: ['b'],
      refused: [
        {
          action: 'wait',
          explanation:
            '"answer" would be violated at step 2: at step 0 `a` held, and none of the steps 0 to 2 had `b`',
        },
        { action: 'a' },
        { action: 'ab' },
      ],
    });
    expect(guard.step(onlyB).step).toBe(2);
  });

  it('refuses what may break a rule where the guard could not read a step', () => {
    const guard = createGuard(file);
    guard.step(onlyA);
    guard.step({ a: false });
    const { permitted } = prunerFromGuard(guard, { takes: 'values' }).filterActions(proposals);
    expect(permitted).toEqual(['b']);
  });
});
