import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidArgumentError } from '../../../bindings/base/errors.js';
import { resample } from '../../../bindings/observations/trace/index.js';
import {
  createGuard,
  type GuardFile,
  type GuardRule,
  Monitor,
  type Strategy,
} from '../../../bindings/runtime/guard/index.js';
import { eventually, guardFile, never, response, ruleOf } from './guardFiles.js';

const idle = { a: false, b: false };
const onlyA = { a: true, b: false };
const onlyB = { a: false, b: true };
const both = { a: true, b: true };

const quiet = [0.1, 0.1, 0.1, 0.1];
const reflect: Strategy = { kind: 'reflect' };

/** Decisions over a run; an entry is a state, or a state with its context. */
function decisions(file: GuardFile, states: readonly object[]): string[] {
  const guard = createGuard(file);
  return states.map((state) => {
    const { decision, reason } = guard.step(state as Record<string, unknown>);
    return `${decision}: ${reason}`;
  });
}

describe('a guard', () => {
  it('allows below the threshold, and shows state, rule, risk and bounds', () => {
    const guard = createGuard(guardFile([ruleOf(never, [0.2, 0.4, 0.1, 0.9])]));
    expect(guard.step(onlyA)).toEqual({
      step: 0,
      decision: 'allow',
      wouldDecide: 'allow',
      action: null,
      risk: 0.4,
      lower: 0.399996,
      upper: 0.4,
      confidenceUpper: Number.NaN,
      decidedOn: 'upper',
      state: 1,
      rule: 'rule',
      ruleOfStrategy: 'rule',
      reason: 'below-threshold',
      drift: false,
      unread: false,
      predicate: null,
      unseenTransition: false,
    });
  });

  describe('that decides on confidence bounds', () => {
    const confident = (
      confidenceUpper: readonly number[],
      more: Parameters<typeof ruleOf>[2] = {},
    ): GuardFile => {
      const rule = ruleOf(never, [0.2, 0.4, 0.1, 0.9], { confidence: confidenceUpper, ...more });
      return guardFile([rule], { decideOn: 'confidenceUpper', confidence: { delta: 0.01 } });
    };

    it('compares the larger of the two upper bounds, and says which it was and what both are', () => {
      const guard = createGuard(confident([0.6, 0.3, 0.2, 0.95]));
      const first = guard.step({ a: false, b: false });
      expect(first).toMatchObject({
        decision: 'stop',
        reason: 'at-threshold',
        risk: 0.6,
        upper: 0.2,
        confidenceUpper: 0.6,
        decidedOn: 'confidenceUpper',
      });
      expect(guard.explain(first)).toContain(
        'is at most 0.6 for the agent itself, at confidence 0.99, which counts, and certified in [0.199, 0.2] for the agent as learnt; stop from risk >= 0.5.',
      );
      expect(guard.reflection(first)).toContain('with a probability of up to 60 %.');
      const second = guard.step(onlyA);
      expect(second).toMatchObject({
        decision: 'allow',
        risk: 0.4,
        confidenceUpper: 0.3,
        decidedOn: 'upper',
      });
      expect(guard.explain(second)).toContain(
        'is 0.4, certified in [0.399, 0.4] for the agent as learnt, and at most 0.3 for the agent itself, at confidence 0.99; stop',
      );
      expect(guard.rules[0]).toMatchObject({ risk: 0.4, confidenceUpper: 0.3, decidedOn: 'upper' });
    });

    it('does with what is unknown, and with what is broken, as others do', () => {
      const guard = createGuard(confident([0.1, 0.1, 0.1, 0.1]));
      expect(guard.step({ a: true })).toMatchObject({
        reason: 'predicate-failed',
        risk: 1,
        confidenceUpper: 1,
      });
      // After it the rule may be in both of its states but for the broken one.
      expect(guard.step(onlyA)).toMatchObject({ decision: 'allow', risk: 0.4, confidenceUpper: 0.1 });
      expect(guard.step(both)).toMatchObject({ reason: 'violated', risk: 1, lower: 1, confidenceUpper: 1 });
    });

    it('tells them within horizons too', () => {
      const horizons = { 3: [0.05, 0.05, 0.01, 0.3] };
      const guard = createGuard(confident([0.1, 0.1, 0.1, 0.1], { horizons }));
      guard.step(onlyA);
      expect(guard.riskWithin('rule', 3)).toEqual({ lower: 0.0499995, upper: 0.05, confidenceUpper: 0.1 });
      guard.step(both);
      expect(guard.riskWithin('rule', 3)).toEqual({ lower: 1, upper: 1, confidenceUpper: 1 });
    });
  });

  it('tells the risk within a horizon it was compiled with, and says which those are', () => {
    const rule = ruleOf(never, [0.2, 0.4, 0.1, 0.9], { horizons: { 3: [0.05, 0.2, 0.01, 0.3] } });
    const guard = createGuard(guardFile([rule]));
    guard.step(onlyA);
    expect(guard.riskWithin('rule', 3)).toEqual({ lower: 0.199998, upper: 0.2 });
    guard.step({ a: true });
    expect(guard.riskWithin('rule', 3)).toEqual({ lower: 0, upper: 1 });
    guard.step(both);
    expect(guard.riskWithin('rule', 3)).toEqual({ lower: 1, upper: 1 });
    expect(() => guard.riskWithin('rule', 4)).toThrow(/no risk within 4 steps.*rule: 3/);
    expect(() => guard.riskWithin('other', 3)).toThrow(InvalidArgumentError);
  });

  it("takes the rule's strategy at the threshold", () => {
    const strategies: Strategy[] = [
      { kind: 'stop' },
      { kind: 'inspect' },
      reflect,
      { kind: 'block' },
      { kind: 'report' },
      { kind: 'replace', action: 'brake' },
    ];
    for (const strategy of strategies) {
      const guard = createGuard(guardFile([ruleOf(never, [0.2, 0.5, 0.1, 0.9], { strategy })]));
      expect(guard.step(idle).decision).toBe('allow');
      const result = guard.step(onlyA);
      expect([result.decision, result.reason]).toEqual([strategy.kind, 'at-threshold']);
      expect(result.action).toBe(strategy.kind === 'replace' ? 'brake' : null);
    }
  });

  it('compares at the threshold as each of the four comparisons says', () => {
    const decide = (compare: 'risk>=' | 'risk>' | 'safety<' | 'safety<=', risk: number, value: number) =>
      createGuard(
        guardFile([
          ruleOf(never, [risk, 0, 0, 0], {
            levels: [{ threshold: { compare, value }, strategy: { kind: 'stop' } }],
          }),
        ]),
      ).step(idle).decision;
    expect(decide('risk>=', 0.25, 0.25)).toBe('stop');
    expect(decide('risk>=', 0.2499, 0.25)).toBe('allow');
    expect(decide('risk>', 0.25, 0.25)).toBe('allow');
    expect(decide('risk>', 0.2501, 0.25)).toBe('stop');
    expect(decide('safety<', 0.25, 0.75)).toBe('allow');
    expect(decide('safety<', 0.2501, 0.75)).toBe('stop');
    expect(decide('safety<=', 0.25, 0.75)).toBe('stop');
    expect(decide('safety<=', 0.2499, 0.75)).toBe('allow');
  });

  it('does not allow a violation where risk 1 meets no threshold', () => {
    for (const [compare, value] of [
      ['safety<', 0],
      ['risk>', 1],
    ] as const) {
      const levels = [{ threshold: { compare, value }, strategy: { kind: 'inspect' } as const }];
      const states = { words: 1, valuations: [0, 1, 2, 3], draws: [9, 5, 3, 1] };
      const file = guardFile([ruleOf(never, [0.2, 1, 0.1, 0.9], { levels })], { states });
      expect(decisions(file, [onlyA, both, idle])).toEqual([
        'allow: below-threshold',
        'inspect: violated',
        'stop: after-violation',
      ]);
    }
  });

  it('takes the most severe of the levels that are met', () => {
    const levels: GuardRule['levels'] = [
      { threshold: { compare: 'risk>=', value: 0.1 }, strategy: { kind: 'report' } },
      { threshold: { compare: 'risk>=', value: 0.3 }, strategy: { kind: 'inspect' } },
      { threshold: { compare: 'risk>=', value: 0.6 }, strategy: { kind: 'stop' } },
    ];
    const guard = createGuard(guardFile([ruleOf(never, [0.05, 0.2, 0.4, 0], { levels })]));
    expect([idle, onlyA, onlyB].map((state) => guard.step(state).decision)).toEqual([
      'allow',
      'report',
      'inspect',
    ]);
    expect(guard.step(both)).toMatchObject({ decision: 'stop', risk: 1 });
  });
});

describe('a fault is decided by onUnknown', () => {
  const file = guardFile([ruleOf(never, quiet, { strategy: { kind: 'inspect' } })], { onUnknown: 'block' });

  it('in a state that has no data', () => {
    const noData = guardFile([ruleOf(eventually, quiet)], { onUnknown: 'block' });
    expect(decisions(noData, [idle, both])).toEqual(['allow: below-threshold', 'block: unknown-state']);
  });

  it('in a state that is not among the states', () => {
    const missing: GuardFile = {
      ...file,
      states: { words: 1, valuations: [0, 1], draws: [2, 2] },
      seen: { rowStart: [0, 1, 2], columns: [1, 0] },
      rules: [ruleOf(never, [0.1, 0.1])],
    };
    const guard = createGuard(missing);
    expect(guard.step(onlyB)).toMatchObject({
      decision: 'block',
      reason: 'unknown-state',
      state: -1,
      risk: 1,
      lower: 0,
      upper: 1,
    });
  });

  it('when a predicate throws, reads a missing value, or one of the wrong type', () => {
    const hostile = {
      b: false,
      get a(): boolean {
        throw new Error('no');
      },
    };
    for (const state of [
      { b: false },
      { a: 'yes', b: false },
      { a: null, b: false },
      { a: 1, b: false },
      hostile,
    ]) {
      const guard = createGuard(file);
      expect(guard.step(state)).toMatchObject({
        decision: 'block',
        reason: 'predicate-failed',
        predicate: 'a',
        state: -1,
      });
    }
  });

  it('when a predicate compares NaN: nothing is quietly false', () => {
    const near = { ...file, predicates: [{ name: 'a', expression: '!(gap < 2.0)' }, file.predicates[1]] };
    const guard = createGuard(near);
    const result = guard.step({ gap: Number.NaN, b: false });
    expect(result).toMatchObject({
      decision: 'block',
      reason: 'predicate-failed',
      predicate: 'a',
      state: -1,
    });
    expect(guard.explain(result)).toContain('"<" found that gap is NaN');
  });

  it('when the observation is no object', () => {
    for (const state of [null, undefined, 7, 'a', Symbol('a')]) {
      const guard = createGuard(file);
      expect(guard.step(state as never)).toMatchObject({
        decision: 'block',
        reason: 'predicate-failed',
        predicate: 'a',
      });
    }
  });

  it('when the context is null and a predicate asks for it', () => {
    const timed = { ...file, predicates: [{ name: 'a', expression: 'time > 3.0' }, file.predicates[1]] };
    expect(createGuard(timed).stepInto(idle, null as never, createGuard(timed).step(idle))).toMatchObject({
      decision: 'block',
      reason: 'predicate-failed',
    });
  });

  it('in a state that a constraint forbids', () => {
    const constrained: GuardFile = {
      ...file,
      constraints: { state: '!(a && b)' },
      states: { words: 1, valuations: [0, 1, 2], draws: [2, 2, 2] },
      seen: { rowStart: [0, 1, 1, 1], columns: [0] },
      rules: [ruleOf(eventually, [0.1, 0.1, 0.1])],
    };
    expect(decisions(constrained, [both])).toEqual(['block: forbidden-state']);
  });

  it('after a transition that a constraint forbids, unless the data hold it', () => {
    const constrained = { ...file, constraints: { transition: '!(from.a && !to.a)' } };
    // 1 -> 0 is forbidden, but was seen; 1 -> 2 was seen too; 2 -> 1 is unseen and allowed.
    expect(decisions(constrained, [onlyA, idle])).toEqual([
      'allow: below-threshold',
      'allow: below-threshold',
    ]);
    const unseen = { ...constrained, seen: { rowStart: [0, 1, 1, 1, 1], columns: [0] } };
    expect(decisions(unseen, [onlyA, idle, idle])).toEqual([
      'allow: below-threshold',
      'block: forbidden-transition',
      'allow: below-threshold',
    ]);
  });

  it('when the time between steps is not the sampling period, or goes back, or is no number', () => {
    const guard = createGuard({ ...file, samplingPeriodSeconds: 0.1 });
    const reasons = [5, 5.1, 5.205, 5.35, 5.45, 5.4, 5.5, Number.NaN, 5.7, '5.8', 5.9].map(
      (time) => guard.step(idle, { time }).reason,
    );
    const fine = 'below-threshold';
    const irregular = 'irregular-time';
    expect(reasons).toEqual([
      fine,
      fine,
      fine,
      irregular,
      fine,
      irregular,
      fine,
      irregular,
      fine,
      irregular,
      fine,
    ]);
    expect(guard.step(idle).decision).toBe('allow');
  });

  it('also where steps without a time, or with one that is no number, stand in the gap', () => {
    const guard = createGuard({ ...file, samplingPeriodSeconds: 0.1 });
    const reasons = [5, undefined, 5.2, undefined, 5.9, Number.NaN, 6.1, Number.NaN, 6.2].map(
      (time) => guard.step(idle, time === undefined ? {} : { time }).reason,
    );
    const [fine, irregular] = ['below-threshold', 'irregular-time'];
    expect(reasons).toEqual([fine, fine, fine, fine, irregular, irregular, fine, irregular, irregular]);
  });

  it('but not where a gap is at the very edge of the tolerance, and only rounding puts it beyond', () => {
    const guard = createGuard({ ...file, samplingPeriodSeconds: 0.1 });
    guard.step(idle, { time: 5 });
    expect(5.11 - 5 - 0.1).toBeGreaterThan(0.1 * 0.1);
    expect(guard.step(idle, { time: 5.11 }).decision).toBe('allow');
    expect(guard.step(idle, { time: 5.2201 }).reason).toBe('irregular-time');
  });

  it('and `rule` is the strategy of the rule at risk 1', () => {
    const levels: GuardRule['levels'] = [
      { threshold: { compare: 'risk>=', value: 0.2 }, strategy: { kind: 'report' } },
      { threshold: { compare: 'risk>=', value: 0.6 }, strategy: { kind: 'inspect' } },
    ];
    const ofRule = guardFile([ruleOf(never, quiet, { levels })], { onUnknown: 'rule' });
    expect(createGuard(ofRule).step({})).toMatchObject({
      decision: 'inspect',
      reason: 'predicate-failed',
      risk: 1,
    });
  });

  it('and never becomes an allow, even where no risk meets the threshold', () => {
    const levels: GuardRule['levels'] = [
      { threshold: { compare: 'risk>', value: 1 }, strategy: { kind: 'stop' } },
    ];
    const file = guardFile([ruleOf(never, quiet, { levels })], { onUnknown: 'rule' });
    expect(decisions(file, [{}])).toEqual(['stop: predicate-failed']);
  });

  it('but is only reported by a rule in shadow mode', () => {
    const shadow = ruleOf(never, quiet, { strategy: { kind: 'report' } });
    expect(decisions(guardFile([shadow], { onUnknown: 'stop' }), [{}])).toEqual(['report: predicate-failed']);
    const other = ruleOf(never, quiet, { name: 'other' });
    expect(createGuard(guardFile([shadow, other])).step({})).toMatchObject({
      decision: 'stop',
      rule: '',
      ruleOfStrategy: 'other',
    });
  });

  it('and lets the agent go on where that was asked for, and it is the data that are missing', () => {
    for (const onUnknown of ['allow', 'report'] as const) {
      const unsafe = guardFile([ruleOf(eventually, quiet)], { onUnknown, unsafeAllowUnknown: true });
      expect(decisions(unsafe, [{ a: true, b: true }, {}])).toEqual([
        `${onUnknown}: unknown-state`,
        'stop: predicate-failed',
      ]);
    }
  });
});

describe('a step the data never took, between states they hold', () => {
  it('is counted and reported, and the risk of the new state is used', () => {
    const guard = createGuard(guardFile([ruleOf(never, [0.1, 0.7, 0.1, 0])]));
    guard.step(onlyB);
    expect(guard.step(onlyA)).toMatchObject({
      decision: 'stop',
      reason: 'at-threshold',
      risk: 0.7,
      unseenTransition: true,
    });
    expect(guard.step(idle)).toMatchObject({ decision: 'allow', unseenTransition: false });
    expect(guard.counters).toMatchObject({ steps: 3, faults: 0, unseenTransitions: 1 });
  });
});

describe('after a valuation that could not be read', () => {
  /** Risk 0.1 when idle, 0.2 with two steps left, 0.4 with one. */
  const risks = [0, 1, 2, 3].flatMap(() => [0.1, 0.2, 0.4, 1]);
  const byWait = ruleOf(response, risks, { lower: risks });
  const file = guardFile([byWait]);

  it('the automaton may be in several states, and the risk is the largest of theirs', () => {
    const guard = createGuard(file);
    guard.step({ b: false });
    expect(guard.rules[0].automatonState).toBe(-1);
    // a was true: one step left now; or false: idle.
    expect(guard.step(idle)).toMatchObject({ decision: 'allow', lower: 0.1, upper: 0.4, risk: 0.4 });
  });

  it('what could be read still counts', () => {
    const guard = createGuard(file);
    guard.step({ b: true });
    expect(guard.rules[0].automatonState).toBe(0);
    guard.reset();
    guard.step({ a: true });
    guard.step(idle);
    expect(guard.step(idle)).toMatchObject({ decision: 'stop', risk: 1 });
  });

  it('a violation that was possible then is forgotten', () => {
    const guard = createGuard(guardFile([ruleOf(never, quiet)]));
    guard.step({});
    expect(guard.step(idle)).toMatchObject({ decision: 'allow', risk: 0.1 });
    expect(guard.rules[0].violated).toBe(false);
  });

  it('a violation that is possible later is decided once, at risk 1', () => {
    const guard = createGuard(file);
    guard.step({ b: false });
    guard.step(idle);
    expect(guard.step(idle)).toMatchObject({ decision: 'stop', reason: 'at-threshold', lower: 0.1, risk: 1 });
    expect(guard.step(idle)).toMatchObject({ decision: 'allow', risk: 0.1 });
  });

  it('a violation that is certain all the same stays', () => {
    const certain = guardFile(
      [ruleOf({ ...never, predicates: ['a', 'c'] }, quiet, { afterViolation: { kind: 'inspect' } })],
      {
        predicates: [
          { name: 'a', expression: 'a' },
          { name: 'b', expression: 'b' },
          { name: 'c', expression: 'c' },
        ],
        onUnknown: 'reflect',
      },
    );
    expect(decisions(certain, [{ a: true, c: true }, idle])).toEqual([
      'stop: violated',
      'inspect: after-violation',
    ]);
  });

  it('the automaton steps exactly where only the state is unknown', () => {
    const guard = createGuard(guardFile([ruleOf(never, quiet)]));
    expect(guard.step(both)).toMatchObject({
      decision: 'stop',
      reason: 'violated',
      risk: 1,
      lower: 1,
      state: 3,
    });
    expect(guard.step(idle)).toMatchObject({ decision: 'stop', reason: 'after-violation' });
  });
});

describe('after a violation', () => {
  it('the strategy decides at the step that violates, afterViolation from then on', () => {
    const file = guardFile(
      [ruleOf(never, quiet, { strategy: { kind: 'block' }, afterViolation: { kind: 'report' } })],
      { states: { words: 1, valuations: [0, 1, 2, 3], draws: [1, 1, 1, 1] } },
    );
    expect(decisions(file, [idle, both, idle])).toEqual([
      'allow: below-threshold',
      'block: violated',
      'report: after-violation',
    ]);
  });

  it('a fault is still a fault: the more severe decides', () => {
    const file = guardFile([ruleOf(never, quiet, { afterViolation: { kind: 'report' } })], {
      onUnknown: 'inspect',
    });
    expect(decisions(file, [both, {}]).at(-1)).toBe('inspect: predicate-failed');
  });

  it('a new run begins afresh', () => {
    const guard = createGuard(guardFile([ruleOf(never, quiet)]));
    guard.step(both);
    guard.reset();
    expect(guard.step(idle)).toMatchObject({ decision: 'allow', step: 0, unseenTransition: false });
  });
});

describe('reflecting again and again', () => {
  const risky = [0.1, 0.9, 0.1, 0];

  it('ends after maxReflections since the last allow, in the escalations in order', () => {
    const escalate: Strategy[] = [{ kind: 'inspect' }, { kind: 'replace', action: 'wait' }, { kind: 'stop' }];
    const file = guardFile([ruleOf(never, risky, { strategy: reflect, escalate })]);
    expect(decisions(file, [onlyA, onlyA, onlyA, onlyA, onlyA, onlyA, idle, onlyA])).toEqual([
      'reflect: at-threshold',
      'reflect: at-threshold',
      'inspect: escalated',
      'replace: escalated',
      'stop: escalated',
      'stop: escalated',
      'allow: below-threshold',
      'reflect: at-threshold',
    ]);
  });

  it('counts reflections on faults too', () => {
    const file = guardFile([ruleOf(never, risky, { maxReflections: 1 })], { onUnknown: 'reflect' });
    expect(decisions(file, [{}, {}, {}])).toEqual([
      'reflect: predicate-failed',
      'stop: escalated',
      'stop: escalated',
    ]);
  });

  it('never happens with maxReflections 0, and stops where no escalation is named', () => {
    const file = guardFile([ruleOf(never, risky, { strategy: reflect, maxReflections: 0, escalate: [] })]);
    expect(decisions(file, [onlyA])).toEqual(['stop: escalated']);
  });

  it('is not held up by a rule in shadow mode', () => {
    const shadow = ruleOf(never, [0.9, 0.9, 0.9, 0], { name: 'shadow', strategy: { kind: 'report' } });
    const file = guardFile([shadow, ruleOf(never, risky, { strategy: reflect })]);
    expect(decisions(file, [onlyA, onlyA, idle, onlyA])).toEqual([
      'reflect: at-threshold',
      'reflect: at-threshold',
      'report: at-threshold',
      'reflect: at-threshold',
    ]);
  });

  it('counts only the reflections the agent was asked for', () => {
    const severe = ruleOf(never, [0.1, 0.9, 0.1, 0], { name: 'severe', strategy: { kind: 'inspect' } });
    const mild = ruleOf(never, [0.1, 0.9, 0.9, 0], { name: 'mild', strategy: reflect });
    const file = guardFile([mild, severe]);
    expect(decisions(file, [onlyA, onlyA, onlyB, onlyB, onlyB])).toEqual([
      'inspect: at-threshold',
      'inspect: at-threshold',
      'reflect: at-threshold',
      'reflect: at-threshold',
      'stop: escalated',
    ]);
  });
});

describe('a strategy that fails', () => {
  it('is replaced by onFailure', () => {
    const onFailure: Strategy = { kind: 'replace', action: 'brake' };
    const guard = createGuard(
      guardFile([ruleOf(never, [0.1, 0.9, 0.1, 0], { strategy: reflect, onFailure })]),
    );
    const result = guard.step(onlyA);
    expect(guard.failed(result)).toBe(result);
    expect(result).toMatchObject({
      decision: 'replace',
      action: 'brake',
      reason: 'strategy-failed',
      risk: 0.9,
    });
    expect(guard.explain(result)).toContain('could not be carried out');
  });
});

describe('a predicate that uses regular expressions', () => {
  it('is refused while their engine is not loaded', () => {
    const predicates = [
      { name: 'a', expression: 'name.matches("^a")' },
      { name: 'b', expression: 'b' },
    ];
    expect(() => createGuard(guardFile([ruleOf(never, quiet)], { predicates }))).toThrow('loadRegexEngine');
  });
});

describe('several rules', () => {
  it('the most severe decision wins: stop > block = replace > inspect > reflect > report > allow', () => {
    const order: Strategy[] = [
      { kind: 'report' },
      reflect,
      { kind: 'inspect' },
      { kind: 'replace', action: 'wait' },
      { kind: 'stop' },
    ];
    for (let i = 1; i < order.length; i++) {
      const [mild, severe] = [order[i - 1], order[i]].map((strategy) =>
        ruleOf(never, [0.9, 0, 0, 0], { name: strategy.kind, strategy }),
      );
      for (const rules of [
        [mild, severe],
        [severe, mild],
      ]) {
        expect(createGuard(guardFile(rules)).step(idle).rule).toBe(severe.name);
      }
    }
  });

  it('ties go to the first in the file, block and replace being one', () => {
    const block = ruleOf(never, [0.6, 0, 0, 0], { name: 'block', strategy: { kind: 'block' } });
    const replace = ruleOf(never, [0.8, 0, 0, 0], {
      name: 'replace',
      strategy: { kind: 'replace', action: 'wait' },
    });
    expect(createGuard(guardFile([block, replace])).step(idle)).toMatchObject({
      decision: 'block',
      risk: 0.6,
    });
    expect(createGuard(guardFile([replace, block])).step(idle)).toMatchObject({
      decision: 'replace',
      risk: 0.8,
    });
  });

  it('each can be looked at', () => {
    const guard = createGuard(
      guardFile([
        ruleOf(never, [0.2, 0, 0, 0], { name: 'first' }),
        ruleOf(eventually, [0.6, 0, 0, 0], { name: 'second' }),
      ]),
    );
    guard.step(idle);
    expect(guard.rules.map(({ name, decision, risk, reason }) => ({ name, decision, risk, reason }))).toEqual(
      [
        { name: 'first', decision: 'allow', risk: 0.2, reason: 'below-threshold' },
        { name: 'second', decision: 'stop', risk: 0.6, reason: 'at-threshold' },
      ],
    );
    expect(guard.rules.map(({ violatedAtEnd }) => violatedAtEnd)).toEqual([false, true]);
  });
});

describe('in words', () => {
  it('a decision is told with both numbers, threshold, rule and state', () => {
    const guard = createGuard(guardFile([ruleOf(never, [0.1, 0.75, 0.1, 0])]));
    const words = guard.explain(guard.step(onlyA));
    for (const part of ['Step 0: stop', 'rule', 'G !(a & b)', '0.75', '0.749', '0.5', 'a; not b']) {
      expect(words).toContain(part);
    }
  });

  it('the risk of a bound of PCTL is told as that of its event, not of breaking the bound', () => {
    const formula = 'P<0.3 [ F a ]';
    const guard = createGuard(
      guardFile([
        ruleOf(
          { predicates: [], states: 1, initial: 0, verdict: [0], accepting: [1], roots: [-1], nodes: [] },
          [0.4, 0.4, 0.4, 0.4],
          { formula, evaluation: 'state', threshold: 0.3 },
        ),
      ]),
    );
    const result = guard.step(idle);
    expect(guard.explain(result)).toContain(
      `he risk of the event that rule "rule" (${formula}) bounds is 0.4,`,
    );
    expect(guard.reflection(result)).toContain('what it bounds will happen with a probability of 40 %');
    expect(guard.explain(result) + guard.reflection(result)).not.toMatch('breaking|broken');
  });

  it('a fault is told with its cause', () => {
    const guard = createGuard(guardFile([ruleOf(never, quiet)], { samplingPeriodSeconds: 1 }));
    expect(guard.explain(guard.step({ a: 3, b: true }))).toContain('"a"');
    guard.reset();
    expect(guard.explain(guard.step(both))).toContain('breaks');
    guard.reset();
    guard.step(idle, { time: 0 });
    expect(guard.explain(guard.step(idle, { time: 3 }))).toContain('sampling period of 1 s');
  });

  it('an older result keeps its own state, and has none where it was no state of the chain', () => {
    const file = guardFile([ruleOf(eventually, [0.1, 0.2])], {
      states: { words: 1, valuations: [0, 1], draws: [1, 1] },
      seen: { rowStart: [0, 0, 0], columns: [] },
    });
    const guard = createGuard(file);
    const known = guard.step(onlyA);
    const strange = guard.step(both);
    expect(guard.explain(strange)).toContain('State: a, b.');
    guard.reset();
    guard.step(idle);
    expect(guard.explain(known)).toContain('State: a; not b.');
    expect(guard.explain(strange)).not.toContain('State:');
  });

  it('the message for the agent holds state, rule, probability and what to do', () => {
    const guard = createGuard(guardFile([ruleOf(never, [0.1, 0.75, 0.1, 0], { strategy: reflect })]));
    const result = guard.step(onlyA);
    const message = guard.reflection(result);
    for (const part of ['a; not b', 'G !(a & b)', '75 %', 'Do not go on as planned'])
      expect(message).toContain(part);
    guard.step(idle);
    expect(guard.reflection(result)).toBe(message);
  });
});

describe('steps that are not a sampling period apart', () => {
  const file = (resample: 'hold' | 'skip') =>
    guardFile([ruleOf(response, quiet)], { samplingPeriodSeconds: 0.1, resample });
  const reasons = (guard: ReturnType<typeof createGuard>, run: readonly [object, unknown][]) =>
    run.map(([state, time]) => guard.step(state as Record<string, unknown>, { time }).reason);

  it('under hold, missing ones are the last observation again, and a deadline may pass in them', () => {
    const guard = createGuard(file('hold'));
    expect(
      reasons(guard, [
        [onlyA, 1],
        [onlyB, 1.2],
      ]),
    ).toEqual(['below-threshold', 'below-threshold']);
    guard.reset();
    expect(
      reasons(guard, [
        [onlyA, 1],
        [idle, 1.2],
      ]),
    ).toEqual(['below-threshold', 'violated']);
    expect(guard.counters).toMatchObject({ steps: 4, heldSteps: 2, faults: 0 });
    guard.reset();
    expect(
      reasons(guard, [
        [onlyA, 1],
        [onlyB, 1.5],
        [onlyB, 1.6],
      ]).slice(1),
    ).toEqual(['violated', 'after-violation']);
  });

  it('under hold, a deadline that may have passed in missing ones, after a step that could not be read, counts', () => {
    const guard = createGuard(file('hold'));
    expect(
      reasons(guard, [
        [onlyA, 1],
        [{ a: false }, 1.1],
        [idle, 1.5],
      ]),
    ).toEqual(['below-threshold', 'predicate-failed', 'at-threshold']);
    expect(guard.rules[0]).toMatchObject({ violated: false, lower: 0.099999, upper: 1 });
    expect(reasons(guard, [[idle, 1.6]])).toEqual(['below-threshold']);
  });

  it('under skip, missing ones do not count', () => {
    const guard = createGuard(file('skip'));
    const run: [object, number][] = [
      [onlyA, 1],
      [idle, 1.4],
      [onlyB, 9],
    ];
    expect(new Set(reasons(guard, run))).toEqual(new Set(['below-threshold']));
    expect(guard.counters.heldSteps).toBe(0);
  });

  it('an observation before its time does not count: the last decision stands', () => {
    for (const policy of ['hold', 'skip'] as const) {
      const guard = createGuard(file(policy));
      guard.step(idle, { time: 1 });
      const last = guard.step(onlyA, { time: 1.1 });
      for (const time of [1.1, 1.12, 1.05, 1.18])
        expect(guard.step(both, { time })).toEqual({ ...last, unread: true });
      expect(guard.rules[0].automatonState).toBe(1);
      expect(guard.step(idle, { time: 1.2 })).toMatchObject({ step: 2, state: 0 });
      expect(guard.counters).toMatchObject({ steps: 3, earlyObservations: 4 });
    }
  });

  it('a clock that stands still is a fault: it does not let the last decision stand for ever', () => {
    for (const policy of ['hold', 'skip'] as const) {
      for (const stuck of [1, 0.5]) {
        const guard = createGuard(file(policy));
        guard.step(idle, { time: 1 });
        const found = Array.from({ length: 300 }, () => guard.step(idle, { time: stuck }));
        expect(found.map(({ decision }) => decision)).toEqual([
          ...Array.from({ length: 100 }, () => 'allow'),
          ...Array.from({ length: 200 }, () => 'stop'),
        ]);
        expect(found[100].reason).toBe('irregular-time');
        // Nobody knows how long it stood: a deadline may have passed by now.
        expect(guard.step(idle, { time: stuck + 0.1 }).reason).toBe('at-threshold');
        expect(guard.step(idle, { time: stuck + 0.2 }).reason).toBe('below-threshold');
      }
    }
  });

  it('a jump of more than 100 missing steps, and a time that is none, are faults', () => {
    const guard = createGuard(file('hold'));
    const fine = 'below-threshold';
    expect(
      reasons(guard, [
        [idle, 1],
        [onlyB, 12],
        [onlyB, 12.1],
        [onlyB, 'late'],
        [onlyB, 12.3],
        [onlyB, 0],
        [onlyB, 0.1],
      ]),
    ).toEqual([fine, 'irregular-time', fine, 'irregular-time', fine, 'irregular-time', fine]);
    const hostile = {
      get time() {
        throw new Error('no clock');
      },
    };
    expect(guard.step(idle, hostile).reason).toBe('irregular-time');
  });

  it('what a guard does is what it would do on the steps resampled, also where predicates cannot be read', () => {
    const names = ['a', 'b'];
    let doubts = 0;
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(fc.constantFrom<object>(idle, onlyA, onlyB, { a: false }, { b: false }), fc.nat(40)),
          {
            minLength: 1,
            maxLength: 30,
          },
        ),
        fc.constantFrom('hold' as const, 'skip' as const),
        (run, policy) => {
          let time = 5;
          const steps = run.map(([state, gap]) => {
            time += gap / 64;
            return { state: state as Record<string, unknown>, time };
          });
          const period = { seconds: 0.125, tolerance: 0.1, resample: policy };
          const { steps: regular, missing, leftOut } = resample(steps, period);
          const observing = createGuard({ ...file(policy), samplingPeriodSeconds: 0.125 });
          const monitor = new Monitor(response, names);
          let next = 0;
          for (const { state, time } of steps) {
            const { heldSteps, earlyObservations } = observing.counters;
            const { reason, upper } = observing.step(state, { time });
            if (observing.counters.earlyObservations > earlyObservations) continue;
            const { violated: before } = monitor;
            let doubt = false;
            const last = next + observing.counters.heldSteps - heldSteps;
            for (; next <= last; next++) {
              const read = names.filter((name) => name in regular[next].state);
              const bits = (of: readonly string[]) =>
                Uint32Array.of(of.reduce((word, name) => word | (1 << names.indexOf(name)), 0));
              monitor.advancePartially(bits(read.filter((name) => regular[next].state[name])), bits(read));
              monitor.decide();
              doubt ||= monitor.mayBeViolated;
            }
            const unread = Object.keys(regular[last].state).length < 2;
            const [{ violated, automatonState }] = observing.rules;
            expect({ violated, automatonState }).toEqual({
              violated: monitor.violated,
              automatonState: monitor.state,
            });
            if (before) expect(reason).toBe('after-violation');
            else if (violated) expect(reason).toBe('violated');
            else {
              if (doubt && !unread) doubts++;
              expect(reason).toBe(unread ? 'predicate-failed' : doubt ? 'at-threshold' : 'below-threshold');
              expect(upper).toBe(unread || doubt ? 1 : 0.1);
            }
          }
          expect(next).toBe(regular.length);
          expect(observing.counters).toMatchObject({
            heldSteps: policy === 'hold' ? missing : 0,
            earlyObservations: leftOut,
          });
        },
      ),
      { numRuns: 300 },
    );
    expect(doubts).toBeGreaterThan(5);
  });
});

describe('a rule that is satisfied for good', () => {
  const rule = ruleOf(eventually, quiet, {
    formula: 'F b',
    horizons: { 3: [1, 1, 1, 1] },
  });

  it('has risk 0 in states that are not known, where the policy for these still decides', () => {
    const guard = createGuard(guardFile([rule]));
    guard.step(onlyB);
    for (const state of [both, { a: true }, {}]) {
      expect(guard.step(state)).toMatchObject({ decision: 'stop', risk: 0, lower: 0, upper: 0 });
      expect(guard.riskWithin('rule', 3)).toEqual({ lower: 0, upper: 0 });
    }
    const last = guard.step(both);
    expect(guard.explain(last)).toContain('onUnknown: stop decides');
  });

  it('and one that is violated has risk 1 there', () => {
    const horizons = { 3: [0.5, 0.5, 0.5, 0.5] };
    const guard = createGuard(guardFile([ruleOf(never, quiet, { horizons })]));
    guard.step(both);
    guard.step({});
    expect(guard.rules[0]).toMatchObject({ risk: 1, lower: 1, upper: 1 });
    expect(guard.riskWithin('rule', 3)).toEqual({ lower: 1, upper: 1 });
  });
});
