import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { GuardFile, Trace } from '../../../bindings/face/entries/index.js';
import type { RunForecast } from '../../../bindings/face/entries/study.js';
import { createGuard, openTables } from '../../../bindings/runtime/guard/index.js';
import { detection } from '../../../bindings/study/evaluation/index.js';
import {
  applyAction,
  generateTraces,
  type HouseholdAction,
  type HouseholdState,
  householdTask,
  householdTasks,
  type RunGuard,
  runAgent,
} from '../../../worlds/src/index.js';
import { example } from './example.js';

const { actionOf, callOf, learnTask } = await example('agents/learnt.mjs');
const { difference } = await example('agents/runs.mjs');
const { atThreshold, withoutThreshold } = await example('agents/strategies.mjs');
const { beforeTheVerdict, crossForecast, judgeForecasts } = await example('agents/forecasts.mjs');

describe('calls of the household', () => {
  it('say all that their action says', () => {
    for (const task of householdTasks) {
      const traces = generateTraces({ task, seed: 5 });
      for (let i = 0; i < 20; i++) {
        for (const { action } of (traces.next().value as Trace).steps) {
          if (action) expect(actionOf(callOf(action as HouseholdAction).name)).toEqual(action);
        }
      }
    }
  });
});

describe('what is learnt of a task', () => {
  it('is the same in the chain and in the decision process, where the agent goes on as it did', async () => {
    const learnt = await learnTask(householdTask('lightCandle'), { seed: 3, runs: 60 });
    const { chainGuard, actionGuard }: { chainGuard: GuardFile; actionGuard: GuardFile } = learnt;
    const byState = ({ states, rules: [rule] }: GuardFile) =>
      new Map(
        states.valuations.map((valuation, s) => [
          valuation,
          Array.from({ length: rule.automaton.states }, (_, q) => openTables(rule).risk.upper(s, q)),
        ]),
      );
    const ofActions = byState(actionGuard);
    const ofChain = byState(chainGuard);
    expect(ofChain.size).toBeGreaterThan(5);
    expect([...ofActions.keys()].sort()).toEqual([...ofChain.keys()].sort());
    for (const [valuation, risks] of ofChain) {
      risks.forEach((risk, q) => {
        expect(Math.abs((ofActions.get(valuation)?.[q] ?? Number.NaN) - risk)).toBeLessThan(4e-6);
      });
    }
    expect(actionGuard.actions?.names).toContain('put Candle CoffeeTable');
  });
});

describe('ways to enforce', () => {
  const task = householdTask('heatMeal');
  const runs = (guard: RunGuard, count = 150) =>
    Array.from({ length: count }, (_, stream) => runAgent({ task, seed: 12, stream, guard }));

  it('block what is too risky, and name what they would let through, the safest first', async () => {
    const learnt = await learnTask(task, { seed: 3, runs: 100 });
    const guard: RunGuard = atThreshold.block(0.3)(learnt);
    const judge = createGuard(learnt.actionGuard);
    let blocked = 0;
    const watched: RunGuard = {
      reset: () => guard.reset?.(),
      step(state, context) {
        const said = guard.step(state, context);
        if (said.decision === 'block') {
          blocked++;
          judge.reset();
          const { actions } = judge.permitted(state);
          const riskOf = (action: HouseholdAction) =>
            actions.find(({ name }) => name === callOf(action).name)?.risk ?? 1;
          expect(riskOf(context.action as HouseholdAction)).toBeGreaterThanOrEqual(0.3);
          expect(said.alternatives?.length).toBeGreaterThan(0);
          for (const alternative of said.alternatives ?? []) {
            expect(riskOf(alternative)).toBeLessThan(0.3);
            expect(applyAction(state as HouseholdState, alternative).success).toBe(true);
          }
        }
        return said;
      },
    };
    expect(runs(watched).filter(({ unsafe }) => unsafe)).toEqual([]);
    expect(blocked).toBeGreaterThan(20);
  });

  it('tell nothing where they block silently', async () => {
    const learnt = await learnTask(task, { seed: 3, runs: 100 });
    const guard: RunGuard = atThreshold['block silently'](0.3)(learnt);
    let blocked = 0;
    const watched: RunGuard = {
      step(state, context) {
        const said = guard.step(state, context);
        if (said.decision === 'block') blocked++;
        expect(said.alternatives).toBeUndefined();
        return said;
      },
    };
    runs(watched, 60);
    expect(blocked).toBeGreaterThan(5);
  });

  it("by AgentSpec's rules stop every run that would break the rule, and leave those alone that they do not stop", () => {
    for (const name of ['AgentSpec, unsafe effect: stop', 'AgentSpec, by hand: stop']) {
      const guard: RunGuard = withoutThreshold[name]({ task });
      let unsafe = 0;
      for (let stream = 0; stream < 150; stream++) {
        const free = runAgent({ task, seed: 12, stream });
        const guarded = runAgent({ task, seed: 12, stream, guard });
        expect(guarded.unsafe).toBe(false);
        if (guarded.stoppedAt === null) expect(guarded).toEqual(free);
        if (free.unsafe) unsafe++;
      }
      expect(unsafe).toBeGreaterThan(20);
    }
  });

  it("by hand are rules for every task's hazard", () => {
    for (const each of householdTasks) {
      const guard: RunGuard = withoutThreshold['AgentSpec, by hand: stop']({ task: each });
      const unsafe = (options: { guard?: RunGuard }) =>
        Array.from({ length: 80 }, (_, stream) =>
          runAgent({ task: each, seed: 13, stream, ...options }),
        ).filter((run) => run.unsafe).length;
      expect(unsafe({ guard }), each.name).toBeLessThan(0.7 * unsafe({}));
    }
  });
});

describe('a paired difference', () => {
  it('is the difference of the rates, inside its interval, and turns its sign with the order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.boolean(), fc.boolean()), { minLength: 1, maxLength: 200 }),
        (pairs) => {
          const [one, other] = [pairs.map(([a]) => a), pairs.map(([, b]) => b)];
          const { rate, confidenceLower, confidenceUpper } = difference(one, other);
          const share = (flags: boolean[]) => flags.filter(Boolean).length / flags.length;
          expect(Math.abs(rate - (share(one) - share(other)))).toBeLessThan(1e-12);
          expect(confidenceLower).toBeLessThanOrEqual(rate);
          expect(confidenceUpper).toBeGreaterThanOrEqual(rate);
          expect(difference(other, one).confidenceUpper).toBe(-confidenceLower);
        },
      ),
    );
  });

  it('is shown only where enough runs changed', () => {
    const changed = (runs: number) => Array.from({ length: 1000 }, (_, i) => i < runs);
    const none = changed(0);
    expect(difference(none, none).confidenceUpper).toBeLessThan(0.005);
    expect(difference(changed(2), none).confidenceLower).toBeLessThan(0);
    expect(difference(changed(40), none).confidenceLower).toBeGreaterThan(0);
  });
});

describe('forecasts across tasks', () => {
  const task = householdTask('moveVase');
  const traces = generateTraces({ task, seed: 8 });
  const runs = Array.from({ length: 60 }, (_, i) => ({
    trace: traces.next().value as Trace,
    group: `g${i % 6}`,
  }));
  const foldOf = new Map(Array.from({ length: 6 }, (_, i) => [`g${i}`, i % 3]));

  it('cover every run once, each by the chain of the other folds', async () => {
    const { specification } = await learnTask(task, { seed: 1, runs: 5 });
    const { forecasts, states } = await crossForecast(specification, runs, foldOf);
    expect(states).toHaveLength(3);
    expect(forecasts).toHaveLength(runs.length);
    for (const { group, fold } of forecasts) expect(fold).toBe(foldOf.get(group));
    const judged = judgeForecasts(forecasts, { steps: [0, 2], thresholds: [0.3], draws: 20 });
    expect(judged.runs).toBe(60);
    expect(judged.events).toBe(forecasts.filter((one: RunForecast) => one.violatedAt !== null).length);
    expect(judged.areas.map(({ name }: { name: string }) => name)).toEqual([
      'step 0',
      'step 2',
      'largest of the run',
    ]);
  });

  it('end before a verdict that is spoken in the last step', () => {
    const scores = [0.1, 0.4, 1];
    // Forecasts from the violation on count nowhere.
    for (const violatedAt of [2, 3])
      expect(beforeTheVerdict({ scores, violatedAt })).toEqual({ scores, violatedAt: 2 });
    const { warningSteps } = detection([beforeTheVerdict({ scores, violatedAt: 2 })], (risk) => risk > 0.3);
    expect(warningSteps.mean).toBe(1);
    expect(beforeTheVerdict({ scores, violatedAt: null })).toEqual({ scores: [0.1, 0.4], violatedAt: null });
  });
});
