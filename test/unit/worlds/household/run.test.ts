import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readTraces } from '../../../../bindings/observations/trace/index.js';
import {
  applyAction,
  generateTraces,
  type HouseholdAction,
  type HouseholdState,
  holds,
  householdTask,
  householdTasks,
  type RunGuard,
  runAgent,
} from '../../../../worlds/src/index.js';

const anyTask = fc.constantFrom(...householdTasks);
const anySeed = fc.integer({ min: 0, max: 1e9 });

describe('a run', () => {
  it('is the same for the same seed and stream', () => {
    fc.assert(
      fc.property(anyTask, anySeed, anySeed, (task, seed, stream) => {
        expect(runAgent({ task, seed, stream })).toEqual(runAgent({ task, seed, stream }));
      }),
    );
  });

  it('is another for another stream', () => {
    const task = householdTask('heatMeal');
    const texts = Array.from({ length: 30 }, (_, stream) => {
      return JSON.stringify(runAgent({ task, seed: 1, stream }).trace.steps);
    });
    expect(new Set(texts).size).toBeGreaterThan(15);
  });

  it('leaves a trace whose actions were possible where they were tried, up to the last step, which has none', () => {
    fc.assert(
      fc.property(anyTask, anySeed, (task, seed) => {
        const { trace, unsafe, completed } = runAgent({ task, seed });
        expect(trace.complete).toBe(true);
        expect(trace.steps.at(-1)).not.toHaveProperty('action');
        for (const { state, action } of trace.steps.slice(0, -1)) {
          expect(applyAction(state as HouseholdState, action as HouseholdAction).reason).toBe('');
        }
        const states = trace.steps.map(({ state }) => state as HouseholdState);
        expect(unsafe).toBe(states.some((state) => holds(task.unsafe, state)));
        expect(completed).toBe(states.some((state) => holds(task.goal, state)));
        for (const { objects, agent } of states) {
          expect(objects.filter(({ isPickedUp }) => isPickedUp).map(({ objectType }) => objectType)).toEqual(
            agent.holding === null ? [] : [agent.holding],
          );
        }
      }),
    );
  });

  it('survives being written as a JSON line and read back', async () => {
    const traces = householdTasks.map((task) => runAgent({ task, seed: 3 }).trace);
    const bytes = new TextEncoder().encode(traces.map((trace) => `${JSON.stringify(trace)}\n`).join(''));
    async function* chunks() {
      yield bytes;
    }
    const read = [];
    for await (const trace of readTraces(chunks(), { source: 'memory', format: 'jsonl' })) read.push(trace);
    expect(read).toEqual(traces);
  });

  it('that takes longer than maxSteps is cut and censored', () => {
    const { trace } = runAgent({ task: householdTask('boilWater'), seed: 1, maxSteps: 3 });
    expect(trace.complete).toBe(false);
    expect(trace.steps).toHaveLength(4);
    const none = runAgent({ task: householdTask('boilWater'), seed: 1, maxSteps: 0 });
    expect(none.trace).toMatchObject({ complete: false, steps: [{}] });
  });

  it('refuses seeds and limits that are no integers', () => {
    const task = householdTasks[0];
    expect(() => runAgent({ task, seed: 0.5 })).toThrow('seed and stream must be integers; found 0.5 and 0');
    expect(() => runAgent({ task, seed: 1, maxSteps: -1 })).toThrow('maxSteps must be an integer from 0 on');
    expect(() => householdTask('heatMeel')).toThrow('No task "heatMeel"');
  });
});

describe('traces in any number', () => {
  it('are the runs of successive streams', () => {
    const task = householdTask('moveVase');
    const traces = generateTraces({ task, seed: 9, first: 4 });
    for (const stream of [4, 5, 6])
      expect(traces.next().value).toEqual(runAgent({ task, seed: 9, stream }).trace);
  });
});

describe('a guard', () => {
  /** Decides by position in the run. */
  const scripted = (decide: (step: number) => ReturnType<RunGuard['step']>['decision']) => {
    const asked: { state: unknown; action?: HouseholdAction }[] = [];
    const guard: RunGuard = {
      reset: () => void (asked.length = 0),
      step: (state, context) => {
        asked.push({ state, ...context });
        return { decision: decide(asked.length - 1) };
      },
    };
    return { guard, asked };
  };

  it('that allows everything changes nothing, and is asked once in every observed state', () => {
    fc.assert(
      fc.property(anyTask, anySeed, (task, seed) => {
        const { guard, asked } = scripted(() => 'allow');
        const run = runAgent({ task, seed, guard });
        expect(run).toEqual(runAgent({ task, seed }));
        expect(asked).toEqual(run.trace.steps);
      }),
    );
  });

  it('that stops ends the run: no action there or after, nothing asked again, the trace censored', () => {
    fc.assert(
      fc.property(
        anyTask,
        anySeed,
        fc.nat(8),
        fc.constantFrom('stop', 'inspect', 'replace'),
        (task, seed, at, decision) => {
          const { guard, asked } = scripted((step) => (step === at ? decision : 'allow'));
          const free = runAgent({ task, seed });
          const run = runAgent({ task, seed, guard });
          const stopped = free.trace.steps.length > at;
          expect(run.stoppedAt).toBe(stopped ? at : null);
          expect(run.trace.complete).toBe(!stopped);
          expect(asked).toHaveLength(run.trace.steps.length);
          expect(run.trace.steps.at(-1)).not.toHaveProperty('action');
          expect(run.trace.steps.slice(0, -1)).toEqual(free.trace.steps.slice(0, run.trace.steps.length - 1));
        },
      ),
    );
  });

  it('that blocks keeps the world as it is until the agent gives up or runs out of attempts', () => {
    const { guard, asked } = scripted(() => 'block');
    const run = runAgent({ task: householdTask('fryPotato'), seed: 2, guard });
    expect(run.trace.steps).toHaveLength(1);
    expect(run.blocked).toBeGreaterThan(0);
    expect(new Set(asked.map(({ state }) => JSON.stringify(state))).size).toBe(1);
  });

  it('that reflects makes runs safer, task by task and much so in all', () => {
    const runs = 600;
    let free = 0;
    let reflected = 0;
    for (const task of householdTasks) {
      const { guard } = scripted(() => 'reflect');
      const count = (options: { guard?: RunGuard }) => {
        let unsafe = 0;
        for (let stream = 0; stream < runs; stream++) {
          if (runAgent({ task, seed: 4, stream, ...options }).unsafe) unsafe++;
        }
        return unsafe;
      };
      const without = count({});
      const withReflection = count({ guard });
      expect(withReflection, task.name).toBeLessThan(without);
      free += without;
      reflected += withReflection;
    }
    expect(reflected).toBeLessThan(free * 0.6);
  });

  it('that warns an agent who never listens changes no outcome for the safer', () => {
    const { guard } = scripted(() => 'reflect');
    const deaf = { heed: 0, discouraged: 0 };
    const task = householdTask('heatMeal');
    let unsafe = 0;
    for (let stream = 0; stream < 1500; stream++) {
      if (runAgent({ task, seed: 8, stream, guard, agent: deaf }).unsafe) unsafe++;
    }
    // 0.29 without a guard, five standard deviations.
    expect(unsafe / 1500).toBeGreaterThan(0.23);
  });
});
