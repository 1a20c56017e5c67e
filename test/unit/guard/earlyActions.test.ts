import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import { buildAutomaton } from '../../../bindings/languages/automaton/index.js';
import { parseFormula } from '../../../bindings/languages/logic/index.js';
import { createGuard, Monitor, type RecordedStep } from '../../../bindings/runtime/guard/index.js';
import { guardFile, ruleOf } from './guardFiles.js';

const FORMULA = 'G (b -> WX G[0,59] !b)';
const automaton = buildAutomaton(parseFormula(FORMULA));
/** At most one send in a minute of sampling periods. */
const file = (resample: 'hold' | 'skip') =>
  guardFile([ruleOf(automaton, [0.1, 0.1, 0.1, 0.1], { formula: FORMULA, strategy: { kind: 'block' } })], {
    samplingPeriodSeconds: 1,
    resample,
    predicates: [
      { name: 'a', expression: 'a' },
      { name: 'b', expression: 'has(action.name) && action.name == "send"' },
    ],
  });

describe.each(['hold', 'skip'] as const)('an action before its time, under resample: %s', (resample) => {
  it('undoes nothing that has run', () => {
    const guard = createGuard(file(resample));
    const step = (time: number, name: string) =>
      guard.step({ a: false }, { time, action: { name } }).decision;
    expect([step(0, 'send'), step(0.1, 'look'), step(1, 'look'), step(1.1, 'look')]).toEqual(
      Array(4).fill('allow'),
    );
    expect(step(2, 'send')).toBe('block');
  });

  it('is decided as one more step, which is not kept', () => {
    const guard = createGuard(file(resample));
    const step = (time: number, name: string) =>
      guard.step({ a: false }, { time, action: { name } }).decision;
    expect([step(0, 'look'), step(0.1, 'send'), step(0.2, 'look')]).toEqual(['allow', 'allow', 'allow']);
    expect([step(1, 'send'), step(1.2, 'look'), step(1.3, 'send')]).toEqual(['allow', 'allow', 'allow']);
    expect(guard.rules[0].violated).toBe(false);
    expect(guard.counters.steps).toBe(2);
  });

  it('leaves the verdict that of the steps which count, and is replayed', () => {
    const observation = fc.record({
      a: fc.boolean(),
      send: fc.boolean(),
      early: fc.array(fc.boolean(), { maxLength: 2 }),
    });
    fc.assert(
      fc.property(fc.array(observation, { minLength: 1, maxLength: 6 }), (run) => {
        const guard = createGuard(file(resample));
        const again = createGuard(file(resample));
        const byDefinition = new Monitor(automaton, ['a', 'b']);
        run.forEach(({ a, send, early }, time) => {
          [send, ...early].forEach((name, i) => {
            const found = guard.step(
              { a },
              { time: time + i / 10, action: { name: name ? 'send' : 'look' } },
            );
            const observed = JSON.parse(JSON.stringify(guard.observed())) as RecordedStep;
            expect(again.decideAgain(observed)).toMatchObject({ ...found });
          });
          byDefinition.advance(Uint32Array.of(Number(a) + 2 * Number(send)));
          expect(guard.rules[0].verdict).toBe(byDefinition.verdict);
        });
      }),
      { numRuns: 50 },
    );
  });

  it('that is the same is told as not read', () => {
    const guard = createGuard(file(resample));
    guard.step({ a: true }, { time: 0, action: { name: 'look' } });
    const early = guard.step({ a: false }, { time: 0.5, action: { name: 'look' } });
    expect(guard.explain(early)).toContain('came too early and was not read');
  });
});
