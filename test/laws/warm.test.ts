import { describe, expect, it } from 'vitest';
import '../../bindings/solvers/kernel/inline.js';
import { InvalidArgumentError } from '../../bindings/base/errors.js';
import { Random } from '../../bindings/base/random.js';
import { learn, learnMdp } from '../../bindings/estimation/learning/index.js';
import { Abstraction } from '../../bindings/observations/abstraction/index.js';
import type { Step } from '../../bindings/observations/trace/index.js';
import { compileGuard } from '../../bindings/rules/risk/index.js';
import { parseSpecification } from '../../bindings/rules/specification/index.js';
import {
  createGuard,
  createGuardStep,
  type Guard,
  type GuardFile,
} from '../../bindings/runtime/guard/index.js';
import { below, chainGuard, guardFileOf, randomRuns } from './actionWorlds.js';

const PREDICATES = `{ one: 'x == 1 || x == 3', two: 'x == 2 || x == 3', bad: 'x == 4' }`;

/** A guard with all that goes on from step to step, of random runs. */
async function fileOf(seed: number, model: 'dtmc' | 'mdp', more: string): Promise<GuardFile> {
  const specification = parseSpecification(`version: 1
predicates: ${PREDICATES}
${more}
learning: { model: ${model}, smoothing: 0 }`);
  const abstraction = new Abstraction(specification.abstraction);
  const runs = randomRuns(new Random(seed), 60).map(({ id, steps }) => ({
    id,
    steps: steps.map((step, i) => ({ ...step, time: i })),
  }));
  const learnt = await (model === 'mdp' ? learnMdp : learn)(abstraction, runs, specification.learning);
  return compileGuard(specification, learnt.model, { horizons: [3] });
}

const RULES = `rules:
  soon: { formula: 'G (one -> F<=4 two)', threshold: 0.5, strategy: reflect, escalate: [inspect, stop], maxReflections: 2 }
  never: { formula: 'G !bad', threshold: 0.8, afterViolation: report }
onUnknown: reflect`;
const TIMED = 'samplingPeriod: 1s';
const DRIFT = 'drift: { falseAlarmRate: 0.2 }\nonDrift: inspect';

const kinds: Record<string, (seed: number) => Promise<GuardFile>> = {
  'that watches a chain': (seed) => fileOf(seed, 'dtmc', RULES),
  'that watches for drift': (seed) => fileOf(seed, 'dtmc', `${RULES}\n${TIMED}\n${DRIFT}`),
  'that holds missing steps': (seed) => fileOf(seed, 'dtmc', `${RULES}\n${TIMED}\n${DRIFT}\nresample: hold`),
  'that skips early steps': (seed) => fileOf(seed, 'dtmc', `${RULES}\n${TIMED}\n${DRIFT}\nresample: skip`),
  'that shields actions and holds steps': (seed) =>
    fileOf(seed, 'mdp', `${RULES}\nshield: predict\n${TIMED}\nresample: hold`),
  'with predicates of the action': () => chainGuard(),
  ...Object.fromEntries(
    ['predict', 'least', 'budget'].map((shield) => [
      `with the shield ${shield}`,
      (seed: number) => guardFileOf(seed, shield, `{ formula: 'G !bad', threshold: 0.95 }`),
    ]),
  ),
};

/** All that can be seen of a guard. */
function seenOf(guard: Guard): unknown {
  const { history, counters, observation, drift } = guard;
  const { valuation, known, complete, state, fault } = observation;
  return structuredClone({
    observed: guard.observed(),
    observation: [valuation, known, complete, state, fault],
    counters,
    history: [history.length, history.first, history.read(history.first, history.length)],
    rules: guard.rules.map((rule, r) => [
      [rule.decision, rule.reason, rule.risk, rule.lower, rule.upper, rule.violated, rule.violatedAtEnd],
      [rule.verdict, rule.verdictAtEnd, rule.automatonState, history.origin(r), history.decidedAt(r)],
    ]),
    drift: drift && [drift.save(), drift.evalue, drift.alarm, guard.explainDrift()],
  });
}

/** Steps of an agent that does what it likes, with fields that are missing and times that are wrong. */
function wildSteps(random: Random, count: number): Step[] {
  let time = 0;
  return Array.from({ length: count }, () => {
    time += random.next() < 0.7 ? 1 : below(random, 5) / 2;
    return {
      state: random.next() < 0.05 ? {} : { x: below(random, 5) },
      ...(random.next() < 0.6 && { action: { name: 'abcd'[below(random, 4)] } }),
      ...(random.next() < 0.9 && { time }),
    };
  });
}

type Call = (guard: Guard) => unknown;

/** Something that is asked of a guard, drawn once so that two guards are asked the same. */
function randomCall(random: Random, { state, action, time }: Step, knowsActions: boolean): Call {
  const named = action ?? { name: 'a' };
  const at = time === undefined ? {} : { time };
  const context = { ...at, ...(action !== undefined && { action }) };
  const calls: Call[] = [
    (guard) => guard.step(state, context),
    (guard) => guard.step(state, context),
    (guard) => guard.stepInto(state, at, createGuardStep()),
    (guard) => guard.propose(state, named, at),
    (guard) => guard.propose(state, named, { ...at, pending: [{ name: 'b' }] }),
    (guard) => guard.observe(state, context),
    (guard) => guard.withhold(),
    (guard) => guard.withhold('all'),
    (guard) => guard.decideAgain(guard.observed()),
    (guard) => guard.reset(),
  ];
  if (knowsActions)
    calls.push(
      (guard) => guard.idle(state, at),
      (guard) => guard.permitted(state),
    );
  return calls[below(random, calls.length)];
}

describe('a guard', () => {
  it.each(Object.entries(kinds))(
    '%s decides as one that is never warmed, whenever it is',
    async (_, make) => {
      let warmed = 0;
      const decisions = new Set<string>();
      for (let seed = 1; seed <= 4; seed++) {
        const file = await make(seed);
        const [guard, other] = [createGuard(file), createGuard(file)];
        const random = new Random(seed, 11);
        const warm = (): void => {
          warmed++;
          const observations = wildSteps(random, below(random, 3) * 20);
          guard.warm(observations, { steps: 1 + below(random, 100) });
        };
        warm();
        expect(seenOf(guard)).toEqual(seenOf(other));
        for (const step of wildSteps(random, 80)) {
          const call = randomCall(random, step, file.actions !== undefined);
          const expected = call(other);
          expect(call(guard)).toEqual(expected);
          if (typeof expected === 'object' && expected !== null && 'decision' in expected)
            decisions.add(String(expected.decision));
          if (random.next() < 0.3) warm();
          expect(seenOf(guard)).toEqual(seenOf(other));
        }
      }
      expect(warmed).toBeGreaterThan(60);
      expect(decisions.size).toBeGreaterThan(1);
    },
  );

  it('stays what it is within a budget that has been drawn on', async () => {
    const file = await guardFileOf(71, 'budget', `{ formula: 'G !bad', threshold: 0.97 }`);
    const [guard, other] = [createGuard(file), createGuard(file)];
    const random = new Random(71);
    let refused = 0;
    for (let step = 0; step < 400; step++) {
      if (step % 10 === 0) for (const one of [guard, other]) one.reset();
      const state = { x: below(random, 4) };
      const action = { name: 'abc'[below(random, 3)] };
      guard.warm([{ state, action }], { steps: 4 });
      const expected = other.step(state, { action });
      if (expected.reason === 'over-budget' || expected.reason === 'nothing-permitted') refused++;
      expect(guard.step(state, { action })).toEqual(expected);
    }
    expect(refused).toBeGreaterThan(5);
    expect(refused).toBeLessThan(390);
  });

  it('runs as many steps as it is told to, on the observations it is given', async () => {
    const file = await fileOf(1, 'dtmc', `rules: { never: { formula: 'G !bad', threshold: 0.8 } }`);
    let read = 0;
    const step = {
      state: {
        get x() {
          read++;
          return 0;
        },
      },
    };
    const guard = createGuard(file);
    guard.step(step.state);
    const once = read;
    expect(once).toBeGreaterThan(0);
    for (const steps of [1, 2, 7, 1000]) {
      read = 0;
      guard.warm([step, step, step], { steps });
      expect(read).toBe(steps * once);
    }
  });

  it('says what is wrong with what it is to be warmed by', async () => {
    const guard = createGuard(await chainGuard());
    const state = { x: 0 };
    for (const steps of [0, -1, 1.5, Number.NaN, Infinity]) {
      expect(() => guard.warm([{ state }], { steps })).toThrow(
        new InvalidArgumentError(`warm: steps must be a whole number from 1 up, got ${steps}`),
      );
    }
    expect(() => guard.warm([{ state }, { x: 0 } as never])).toThrow(/observations\[1\] has no state/);
    expect(() => guard.warm([null as never])).toThrow(/observations\[0\] has no state/);
    expect(() => guard.warm({ state } as never)).toThrow(/must be a list of steps.*got object/);
  });
});
