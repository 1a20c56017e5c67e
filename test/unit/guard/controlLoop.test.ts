import '../../../bindings/solvers/kernel/inline.js';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { learn } from '../../../bindings/estimation/learning/index.js';
import { Abstraction } from '../../../bindings/observations/abstraction/index.js';
import type { Trace } from '../../../bindings/observations/trace/index.js';
import { compileGuard } from '../../../bindings/rules/risk/index.js';
import { parseSpecification } from '../../../bindings/rules/specification/index.js';
import {
  createGuard,
  createGuardStep,
  type Guard,
  type GuardFile,
  loadGuard,
} from '../../../bindings/runtime/guard/index.js';
import { driveTrace, drivingScenarios } from '../../../worlds/src/index.js';
import { garbageOf } from '../../garbage.js';

const specification = parseSpecification(`
version: 1
samplingPeriod: 0.1s
predicates:
  green: 'trafficLightAheadcolor == 3'
  yellow: 'trafficLightAheadcolor == 2'
  red: 'trafficLightAheadcolor == 1'
  moving: 'speed > 0.5'
  speeding: 'speed > speedLimitupperLimit'
  tailgating: 'NPCAheadAhead * 3.6 < 2 * (speed - NPCAheadspeed) && NPCAheadAhead < 200'
  atLine: 'stoplineAhead <= 2 || junctionAhead <= 2'
  inJunction: 'currentLanenumber == 0'
  clear: 'PriorityNPCAhead == 0 && PriorityPedsAhead == 0'
  close: 'NPCAheadAhead <= 8'
  aheadStands: 'NPCAheadspeed < 0.5'
  jam: 'isTrafficJam == 1'
rules:
  leave: { formula: 'G (yellow & inJunction -> F[0s,10s] moving)', minimumSafe: 0.7, strategy: { replace: brake } }
  stop: { formula: 'G (jam & (aheadStands | atLine) -> F[0s,10s] !moving)', threshold: 0.5 }
  start: { formula: 'G (green & clear & (!close | F[0s,0.3s] !aheadStands) -> F[0s,10s] (moving | inJunction))', threshold: 0.5 }
  slow: { formula: 'G (speeding & (H[0s,1s] speeding) -> F[0s,5s] (!speeding & F[0s,2s] !speeding))', threshold: 0.7, strategy: report }
learning: { smoothing: 0 }
onUnknown: inspect
`);

/** Always an object of one shape: of objects of many shapes an engine copies each number to the heap to read it. */
const observationOf = (state: Readonly<Record<string, number>>): Record<string, number> => ({
  trafficLightAheadcolor: state.trafficLightAheadcolor,
  speed: state.speed,
  speedLimitupperLimit: state.speedLimitupperLimit,
  stoplineAhead: state.stoplineAhead,
  junctionAhead: state.junctionAhead,
  currentLanenumber: state.currentLanenumber,
  PriorityNPCAhead: state.PriorityNPCAhead,
  PriorityPedsAhead: state.PriorityPedsAhead,
  NPCAheadAhead: state.NPCAheadAhead,
  NPCAheadspeed: state.NPCAheadspeed,
  isTrafficJam: state.isTrafficJam,
});
// Fractions first, so that every field is a double's from the start.
const observed = observationOf(new Proxy({}, { get: () => 0.5 }));

function copy(state: Readonly<Record<string, number>>): void {
  observed.trafficLightAheadcolor = state.trafficLightAheadcolor;
  observed.speed = state.speed;
  observed.speedLimitupperLimit = state.speedLimitupperLimit;
  observed.stoplineAhead = state.stoplineAhead;
  observed.junctionAhead = state.junctionAhead;
  observed.currentLanenumber = state.currentLanenumber;
  observed.PriorityNPCAhead = state.PriorityNPCAhead;
  observed.PriorityPedsAhead = state.PriorityPedsAhead;
  observed.NPCAheadAhead = state.NPCAheadAhead;
  observed.NPCAheadspeed = state.NPCAheadspeed;
  observed.isTrafficJam = state.isTrafficJam;
}

interface Drive extends Trace {
  readonly steps: readonly { readonly state: Record<string, number>; readonly time: number }[];
}
let file: GuardFile;
let guard: Guard;
let drives: Drive[];
beforeAll(async () => {
  drives = drivingScenarios.flatMap((scenario) =>
    [0, 1, 2].map((seed) => {
      const { id, steps } = driveTrace(scenario, { seed });
      return {
        id,
        complete: true,
        steps: steps.map(({ state }, i) => ({
          state: observationOf(state as Record<string, number>),
          time: i / 10,
        })),
      };
    }),
  );
  const { model } = await learn(new Abstraction(specification.abstraction), drives, specification.learning);
  file = compileGuard(specification, model);
  guard = createGuard(file);
});

describe('the control loop of docs/driving.md', () => {
  it('runs as it stands, and decides what a guard that is stepped by itself does', async () => {
    const page = readFileSync(new URL('../../../docs/driving.md', import.meta.url), 'utf8');
    const example = [...page.matchAll(/^```js\n([\s\S]*?)^```$/gm)]
      .map(([, code]) => code)
      .find((code) => code.includes('guard.warm('));
    const body = example?.replace(/^import .*$/gm, '') ?? '';
    expect(body).not.toBe(example);
    const timid: GuardFile = {
      ...guard.file,
      rules: guard.file.rules.map((rule) => ({
        ...rule,
        levels: [
          {
            threshold: { compare: 'risk>=', value: 0.01 },
            strategy: { kind: 'replace', action: 'brake' },
          },
        ],
      })),
    };
    const alone = createGuard(timid);
    const braking = ({ steps }: Drive): string[] => {
      alone.reset();
      return steps.flatMap((step) => alone.step(step.state, step).action ?? []);
    };
    const drive = drives.find((one) => braking(one).length > 0)!;
    const { steps } = drive;
    const actions: string[] = [];
    const everyTick = (tick: (observed: Record<string, number>, seconds: number) => void): void => {
      for (const { state, time } of steps) tick(state, time);
    };
    const provided = {
      createGuardStep,
      loadGuard,
      text: JSON.stringify(timid),
      recorded: steps.slice(0, 100),
      everyTick,
      actuate: (action: string) => actions.push(action),
    };
    const AsyncFunction = (async () => undefined).constructor as FunctionConstructor;
    await AsyncFunction(...Object.keys(provided), `'use strict';${body}`)(...Object.values(provided));
    expect(actions).toEqual(braking(drive));
  });

  it('has one object for all answers, of which each step writes every field', () => {
    const result = createGuardStep();
    for (const { steps } of drives.slice(0, 3)) {
      guard.reset();
      const alone = createGuard(guard.file);
      for (const step of steps.slice(0, 200)) {
        expect(guard.stepInto(step.state, step, result)).toBe(result);
        expect(result).toEqual(alone.step(step.state, step));
      }
    }
  });
});

describe("a vehicle's control loop at 10 Hz", () => {
  it('collects no garbage, with 12 predicates and four automata, over an observation that is written again and again', async () => {
    const keeping = drives.filter(({ steps }) => {
      guard.reset();
      for (const step of steps) guard.step(step.state, step);
      return guard.rules.every(({ violated }) => !violated);
    });
    expect(keeping.length).toBeGreaterThan(5);
    let allowed = 0;
    const { collections } = await garbageOf(async () => {
      const { createGuard, createGuardStep } = await import('../../../bindings/runtime/guard/index.js');
      const fresh = createGuard(file);
      const result = createGuardStep();
      // Not a whole number at first, as in `createGuardStep`.
      const context = { time: 0.5 };
      const run = (rounds: number): number => {
        let decided = 0;
        for (let round = 0; round < rounds; round++) {
          const { steps } = keeping[round % keeping.length];
          fresh.reset();
          for (let i = 0; i < steps.length; i++) {
            context.time = i / 10;
            copy(steps[i].state);
            if (fresh.stepInto(observed, context, result).decision === 'allow') decided++;
          }
        }
        return decided;
      };
      run(500);
      return () => () => {
        allowed = run(500);
      };
    }, Number.POSITIVE_INFINITY);
    expect(collections).toBe(0);
    expect(allowed).toBeGreaterThan(100_000);
  });

  it.each([
    [10, 0.02, 'allowed'],
    [10, 0.2, 'irregular-time'],
    [100, 0.02, 'allowed'],
    [100, 0.2, 'irregular-time'],
  ])('at %d Hz with a jitter of %d of the period a step is %s', async (hz, jitter, expected) => {
    const slow = parseSpecification(`
version: 1
samplingPeriod: ${1 / hz}s
rules: { slow: { formula: 'G (speed > 50 -> F[0s,0.1s] speed <= 50)', threshold: 0.5 } }
learning: { smoothing: 0 }
`);
    const steps = Array.from({ length: 50 }, (_, i) => ({ state: { speed: 10 }, time: i / hz }));
    const { model } = await learn(new Abstraction(slow.abstraction), [{ id: 'a', complete: true, steps }], {
      ...slow.learning,
    });
    const watching = createGuard(compileGuard(slow, model));
    const reasons = new Set<string>();
    for (let i = 0; i < 200; i++) {
      // Every other step comes late; the next is early by as much.
      const time = (i + (i % 2) * jitter * 0.99) / hz;
      const { decision, reason } = watching.step({ speed: 10 }, { time });
      reasons.add(decision === 'allow' ? 'allowed' : reason);
    }
    if (expected === 'allowed') expect([...reasons]).toEqual(['allowed']);
    else expect(reasons).toContain('irregular-time');
  });

  it('is a fault, and never an allow, where a signal is NaN or missing, and it is told which', () => {
    const { steps } = drives[0];
    for (const broken of [{ speed: Number.NaN }, { speed: undefined }, { NPCAheadAhead: Number.NaN }]) {
      guard.reset();
      guard.step(steps[0].state, steps[0]);
      const result = guard.step({ ...steps[1].state, ...broken }, steps[1]);
      expect(result).toMatchObject({ decision: 'inspect', reason: 'predicate-failed', risk: 1 });
      expect(guard.explain(result)).toMatch(/The predicate ".*" could not be read .*(speed|NPCAheadAhead)/);
      expect(guard.step(steps[2].state, steps[2]).reason).not.toBe('predicate-failed');
    }
  });
});
