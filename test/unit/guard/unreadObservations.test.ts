import { describe, expect, it } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import { learnMdp } from '../../../bindings/estimation/learning/index.js';
import { Abstraction } from '../../../bindings/observations/abstraction/index.js';
import { compileGuard } from '../../../bindings/rules/risk/index.js';
import { compileRules, parseSpecification } from '../../../bindings/rules/specification/index.js';
import { copyGuardStep } from '../../../bindings/runtime/guard/guardStep.js';
import {
  createGuard,
  createGuardStep,
  createProposal,
  type Guard,
} from '../../../bindings/runtime/guard/index.js';
import { guardFile, never, ruleOf } from './guardFiles.js';

const safe = { a: false, b: false };
const broken = { a: true, b: true };
const chain = (resample: 'error' | 'hold' | 'skip'): Guard =>
  createGuard(guardFile([ruleOf(never, [0.1, 0.2, 0.3, 1])], { samplingPeriodSeconds: 0.1, resample }));
const unread = (guard: Guard, times: readonly number[], state = safe): boolean[] =>
  times.map((time) => guard.step(state, { time }).unread);

describe.each(['hold', 'skip'] as const)(
  'an observation that is not read, under resample: %s',
  (resample) => {
    it('is marked: the answer is that of the last step', () => {
      const guard = chain(resample);
      expect(unread(guard, [0, 0.05, 0.1])).toEqual([false, true, false]);
      const early = guard.step(broken, { time: 0.15 });
      expect(early).toMatchObject({ decision: 'allow', step: 1, unread: true });
      expect(guard.step(broken, { time: 0.2 })).toMatchObject({ reason: 'violated', unread: false });
    });

    it('is marked as long as a clock that was set back catches up', () => {
      const guard = chain(resample);
      expect(unread(guard, [5, 1, 1.1, 4.9, 5, 5.1, 5.2])).toEqual([
        false,
        true,
        true,
        true,
        true,
        false,
        false,
      ]);
      expect(guard.step(safe, { time: 5.2 + 60 })).toMatchObject({ decision: 'stop', unread: false });
    });

    it('is marked in results that are used again, in every call, in copies, and in decisions made again', () => {
      const guard = chain(resample);
      const result = createGuardStep();
      const into = [0, 0.01, 0.1].map((time) => guard.stepInto(safe, { time }, result).unread);
      expect(into).toEqual([false, true, false]);
      const early = guard.observe(safe, { time: 0.11 });
      const question = guard.observed();
      expect(early.unread).toBe(true);
      const copy = createProposal();
      copyGuardStep(early, copy);
      expect(copy.unread).toBe(true);
      const again = chain(resample);
      again.step(safe, { time: 0.1 });
      expect(again.decideAgain(question).unread).toBe(true);
      expect(guard.idle(safe, { time: 0.12 }).unread).toBe(true);
      expect(guard.propose(safe, { name: 'go' }, { time: 0.13 }).unread).toBe(true);
      expect(guard.approve(safe, { name: 'go' }).unread).toBe(false);
      guard.reset();
      expect(guard.step(safe, { time: 0 }).unread).toBe(false);
    });

    it('is marked if an action is decided on there', async () => {
      const specification = parseSpecification(
        JSON.stringify({
          version: 1,
          samplingPeriod: '0.1s',
          resample,
          predicates: { near: 'gap < 10', hit: 'gap <= 0' },
          rules: { safe: { formula: 'G !hit', threshold: 0.3 } },
          learning: { model: 'mdp', smoothing: 0 },
        }),
      );
      const step = (gap: number, name: string | null, time: number) => ({
        state: { gap },
        time,
        ...(name !== null && { action: { name } }),
      });
      const traces = [{ id: '1', steps: [step(20, 'go', 0), step(5, 'go', 0.1), step(0, null, 0.2)] }];
      const abstraction = new Abstraction(specification.abstraction);
      const { model } = await learnMdp(abstraction, traces, specification.learning);
      const guard = createGuard(compileGuard(specification, model));
      const go = { action: { name: 'go' } };
      expect(guard.step({ gap: 20 }, { time: 0, ...go }).unread).toBe(false);
      expect(guard.step({ gap: 5 }, { time: 0.05, ...go }).unread).toBe(true);
      const question = guard.observed();
      const again = guard.fork();
      again.step({ gap: 20 }, { time: 0, ...go });
      expect(again.decideAgain(question).unread).toBe(true);
    });

    it('is marked if predicates read the action', () => {
      const guard = createGuard(
        compileRules(
          parseSpecification(
            JSON.stringify({
              version: 1,
              samplingPeriod: '1s',
              resample,
              predicates: { opens: 'has(action.name) && action.name == "open"' },
              rules: { closed: { formula: 'G !opens', strategy: 'block' } },
            }),
          ),
        ),
      );
      const at = (time: number, name: string) => guard.step({}, { time, action: { name } });
      expect(at(0, 'wait').unread).toBe(false);
      expect(at(0.3, 'open')).toMatchObject({ decision: 'block', unread: true });
      expect(at(0.6, 'wait')).toMatchObject({ decision: 'allow', unread: true });
      expect(at(1, 'wait').unread).toBe(false);
    });
  },
);

it('an observation is always read under resample: error', () => {
  const guard = chain('error');
  expect(unread(guard, [5, 5.05, 1, 1.1])).toEqual([false, false, false, false]);
});
