import '../../../bindings/kernel/inline.js';
import { PerformanceObserver } from 'node:perf_hooks';
import { beforeAll, describe, expect, it } from 'vitest';
import { Abstraction } from '../../../bindings/abstraction/index.js';
import { createGuard, createGuardStep, type Guard } from '../../../bindings/guard/index.js';
import { learn } from '../../../bindings/learning/index.js';
import { compileGuard } from '../../../bindings/risk/index.js';
import { driveTrace, drivingScenarios } from '../../../bindings/simulation/index.js';
import { parseSpecification } from '../../../bindings/specification/index.js';
import type { Trace } from '../../../bindings/trace/index.js';

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
  guard = createGuard(compileGuard(specification, model));
});

describe("a vehicle's control loop at 10 Hz", () => {
  it('collects no garbage, with 12 predicates and four automata, over an observation that is written again and again', async () => {
    const keeping = drives.filter(({ steps }) => {
      guard.reset();
      for (const step of steps) guard.step(step.state, step);
      return guard.rules.every(({ violated }) => !violated);
    });
    expect(keeping.length).toBeGreaterThan(5);
    const result = createGuardStep();
    // Not a whole number at first, as in `createGuardStep`.
    const context = { time: 0.5 };
    const run = (rounds: number): number => {
      let decided = 0;
      for (let round = 0; round < rounds; round++) {
        const { steps } = keeping[round % keeping.length];
        guard.reset();
        for (let i = 0; i < steps.length; i++) {
          context.time = i / 10;
          copy(steps[i].state);
          if (guard.stepInto(observed, context, result).decision === 'allow') decided++;
        }
      }
      return decided;
    };
    run(500);
    let collections = Number.POSITIVE_INFINITY;
    let allowed = 0;
    for (let attempt = 0; attempt < 5 && collections > 0; attempt++) {
      const observed: PerformanceEntry[] = [];
      const observer = new PerformanceObserver((entries) => observed.push(...entries.getEntries()));
      observer.observe({ entryTypes: ['gc'] });
      const start = performance.now();
      allowed = run(500);
      const end = performance.now();
      await new Promise((resolve) => setTimeout(resolve, 20));
      observer.disconnect();
      collections = observed.filter(({ startTime }) => startTime >= start && startTime <= end).length;
    }
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
