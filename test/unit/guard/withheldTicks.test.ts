import { describe, expect, it } from 'vitest';
import { compileRules, parseSpecification } from '../../../bindings/rules/specification/index.js';
import { createGuard, type Guard } from '../../../bindings/runtime/guard/index.js';

/** A loop as docs/driving.md has it: each tick proposes `go`, and what is refused is withheld. */
function drive(guard: Guard, speeds: readonly number[], period?: number): string[] {
  return speeds.map((v, i) => {
    const context = { action: { name: 'go' }, ...(period !== undefined && { time: i * period }) };
    const { decision, reason } = guard.step({ v }, context);
    if (decision !== 'allow') guard.withhold();
    return `${decision}/${reason}`;
  });
}

function guardOf(rules: Record<string, unknown>, more: Record<string, unknown> = {}): Guard {
  return createGuard(
    compileRules(
      parseSpecification(
        JSON.stringify({
          version: 1,
          predicates: { fast: 'v > 5', goes: 'has(action.name) && action.name == "go"' },
          rules,
          ...more,
        }),
      ),
    ),
  );
}

const BOTH = { f: { formula: 'G !fast' }, g: { formula: 'G !(goes & fast)' } };

describe('a tick of a loop whose action is refused', () => {
  it('remains a step: what the state has broken stays broken', () => {
    expect(drive(guardOf(BOTH), [1, 9, 1, 1])).toEqual([
      'allow/kept',
      'stop/violated',
      'stop/after-violation',
      'stop/after-violation',
    ]);
  });

  it('is told once: with a sampling period as well, a rule is broken by it and not by a missing step', () => {
    const strategy = { replace: 'brake' };
    const rules = { f: { formula: 'G !fast', strategy }, g: { formula: 'G !(goes & fast)', strategy } };
    const guard = guardOf(rules, { samplingPeriod: '0.1s' });
    expect(drive(guard, [1, 9, 1, 1], 0.1)).toEqual([
      'allow/kept',
      'replace/violated',
      'stop/after-violation',
      'stop/after-violation',
    ]);
  });

  it('excuses what only the action would have broken', () => {
    expect(drive(guardOf({ g: BOTH.g }), [1, 9, 1, 9])).toEqual([
      'allow/kept',
      'block/violated',
      'allow/kept',
      'block/violated',
    ]);
  });

  it('lets deadlines advance', () => {
    const rules = {
      d: { formula: 'G (fast -> F<=2 !fast)', strategy: 'block' },
      g: { formula: 'G !(fast & goes)', strategy: 'block' },
    };
    const guard = guardOf(rules);
    drive(guard, [1, 9, 9]);
    expect(guard.rules[0].violated).toBe(false);
    drive(guard, [9]);
    expect(guard.rules[0].violated).toBe(true);
  });

  it('reads the observation as it was, although the loop reuses its objects', () => {
    const guard = guardOf(BOTH);
    const state = { v: 9 };
    const context = { action: { name: 'go' } };
    guard.step(state, context);
    guard.withhold();
    state.v = 1;
    expect(guard.step(state, context)).toMatchObject({ decision: 'stop', reason: 'after-violation' });
  });

  it('is the same again from its record', () => {
    const guard = guardOf(BOTH);
    const twin = guardOf(BOTH);
    for (const v of [1, 9, 1, 1]) {
      const found = { ...guard.step({ v }, { action: { name: 'go' } }) };
      const again = twin.decideAgain(JSON.parse(JSON.stringify(guard.observed())));
      expect(again).toMatchObject(found);
      if (found.decision !== 'allow') guard.withhold();
    }
  });

  it('is no step where it was proposed: a call that breaks a rule does not happen', () => {
    const guard = guardOf(BOTH);
    guard.propose({ v: 9 }, { name: 'go' });
    guard.withhold();
    expect(guard.propose({ v: 1 }, { name: 'go' }).decision).toBe('allow');
  });
});

describe('a tick without an action', () => {
  it.each([[{}], [{ action: undefined }], [{ action: null }]])('is read as one: %j', (context) => {
    const guard = guardOf(BOTH);
    expect(guard.step({ v: 1 }, context)).toMatchObject({ decision: 'allow', predicate: null });
    expect(guardOf({ g: BOTH.g }).step({ v: 9 }, context).reason).toBe('kept');
  });
});
