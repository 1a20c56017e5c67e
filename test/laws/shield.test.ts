import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '../../bindings/solvers/kernel/inline.js';
import { Random } from '../../bindings/base/random.js';
import { learnMdp, readLearntMdp } from '../../bindings/estimation/learning/index.js';
import { VIOLATED } from '../../bindings/languages/automaton/index.js';
import { Abstraction } from '../../bindings/observations/abstraction/index.js';
import type { Step, Trace } from '../../bindings/observations/trace/index.js';
import { compileGuard } from '../../bindings/rules/risk/index.js';
import { parseSpecification } from '../../bindings/rules/specification/index.js';
import { createGuard, type Guard, type GuardFile, openTables } from '../../bindings/runtime/guard/index.js';
import {
  BAD,
  below,
  chainGuard,
  draw,
  guardFileOf,
  randomRuns,
  specificationOf,
  stateOf,
} from './actionWorlds.js';

type Chooser = (guard: Guard, permitted: readonly string[], state: { x: number }) => string;

/** The share of runs that come to a violation in the learnt process, if `choose` picks among what is permitted. */
function violations(file: GuardFile, choose: Chooser, runs: number, random: Random): number {
  const { taken, outcomes, start, names } = file.actions!;
  const guard = createGuard(file);
  let violated = 0;
  for (let run = 0; run < runs; run++) {
    guard.reset();
    let s = start.columns[draw(random, start.values)];
    for (let step = 0; step < 60; step++) {
      const state = stateOf(file, s);
      guard.step(state);
      if (state.x === BAD) {
        violated++;
        break;
      }
      const permission = guard.permitted(state);
      const permitted = permission.actions.filter((one) => one.permitted && one.name !== null);
      if (permitted.length === 0) break;
      const name = choose(
        guard,
        permitted.map((one) => one.name!),
        state,
      );
      const decided = guard.propose(state, { name });
      expect(decided.decision).toBe('allow');
      let pair = taken.rowStart[s];
      while (taken.actions[pair] !== names.indexOf(name)) pair++;
      const from = outcomes.rowStart[pair];
      const row = outcomes.values.slice(from, outcomes.rowStart[pair + 1]);
      const next = outcomes.columns[from + draw(random, row)];
      if (next === file.states.draws.length) break;
      s = next;
    }
  }
  return violated;
}

const choosers: Record<string, Chooser> = {
  'the largest least risk': (_, permitted) => permitted[permitted.length - 1],
  'the largest risk of all ways to go on': (guard, permitted, state) => {
    const { actions } = guard.permitted(state);
    const risk = (name: string) => actions.find((one) => one.name === name)!.rules.safe!.most.upper;
    return permitted.reduce((worst, one) => (risk(one) > risk(worst) ? one : worst));
  },
  'whatever is first': (_, permitted) => [...permitted].sort()[0],
};

/** So many of n, each with probability p, come about with a probability of 1e-6 or less. */
function tooMany(n: number, p: number): number {
  let term = (1 - p) ** n;
  let tail = 1 - term;
  let k = 0;
  while (tail > 1e-6) {
    term *= ((n - k) / (k + 1)) * (p / (1 - p));
    k++;
    tail -= term;
  }
  return k + 1;
}

describe('a shield with a budget', () => {
  for (const [whom, choose] of Object.entries(choosers)) {
    it(`keeps the agent that permits itself ${whom} within the threshold`, async () => {
      let binding = 0;
      for (let seed = 1; seed <= 10; seed++) {
        const least = await leastRisk(seed);
        if (least > 0.8) continue;
        const threshold = Number((least + 0.4 * (1 - least) * ((seed % 4) / 4) + 0.01).toFixed(4));
        const file = await guardFileOf(seed, 'budget', `{ formula: 'G !bad', threshold: ${threshold} }`);
        const runs = 300;
        const violated = violations(file, choose, runs, new Random(seed, 7));
        expect(violated).toBeLessThan(tooMany(runs, threshold));
        if (violated > 0) binding++;
      }
      expect(binding).toBeGreaterThan(2);
    });
  }

  it('always permits some action where there is data, however little is left', async () => {
    for (let seed = 20; seed < 30; seed++) {
      const least = await leastRisk(seed);
      const file = await guardFileOf(
        seed,
        'budget',
        `{ formula: 'G !bad', threshold: ${Math.min(1, least + 1e-9)} }`,
      );
      const guard = createGuard(file);
      const random = new Random(seed, 3);
      for (let step = 0; step < 40; step++) {
        const s = below(random, file.states.draws.length);
        const state = stateOf(file, s);
        if (state.x === BAD || file.states.draws[s] === 0) continue;
        guard.step(state);
        if (guard.observation.fault !== null) continue;
        const { safest } = guard.permitted(state);
        expect(safest).not.toBeNull();
        if (safest?.name) expect(guard.propose(state, { name: safest.name }).decision).toBe('allow');
      }
    }
  });

  it('is refused when compiled where the safest way costs more', async () => {
    const seed = 6;
    expect(await leastRisk(seed)).toBeGreaterThan(0.01);
    await expect(guardFileOf(seed, 'budget', `{ formula: 'G !bad', threshold: 0.001 }`)).rejects.toThrow(
      /the budget is smaller than 0\.\d+, the least risk/,
    );
  });

  it('gives back nothing of actions that ran', async () => {
    const file = await guardFileOf(5, 'budget', `{ formula: 'G !bad', threshold: 0.9 }`);
    const state = stateOf(file, file.actions!.start.columns[0]);
    const decide = (withholds: boolean) => {
      const guard = createGuard(file);
      guard.step(state);
      return Array.from({ length: 60 }, (_, i) => {
        const { decision } = guard.step(state, { action: { name: 'abc'[i % 3] } });
        // Refused, or a look at the world without an action: neither has taken anything.
        if (withholds && decision !== 'allow') guard.withhold();
        if (withholds) {
          guard.step(state);
          guard.withhold();
        }
        return decision;
      });
    };
    const kept = decide(false);
    expect(decide(true)).toEqual(kept);
    expect(kept).toContain('allow');
    expect(kept).toContain('block');
  });

  it('gives back what an action that did not run had taken', async () => {
    const file = await guardFileOf(5, 'budget', `{ formula: 'G !bad', threshold: 0.9 }`);
    const one = createGuard(file);
    const other = createGuard(file);
    const state = stateOf(file, file.actions!.start.columns[0]);
    one.step(state);
    other.step(state);
    for (let i = 0; i < 20; i++) {
      for (const name of 'abc') {
        one.propose(state, { name });
        one.withhold();
      }
    }
    for (const name of 'abc') {
      const { step, ...first } = one.propose(state, { name });
      one.withhold();
      const { step: _, ...again } = other.propose(state, { name });
      other.withhold();
      expect(first).toEqual(again);
      expect(step).toBe(0);
    }
  });
});

/** The least risk that a run has from its start. */
async function leastRisk(seed: number): Promise<number> {
  const file = await guardFileOf(seed, 'least', `{ formula: 'G !bad', threshold: 1 }`);
  const { columns, values } = file.actions!.start;
  const { least } = openTables(file.rules[0]);
  return columns.reduce((sum, s, i) => sum + values[i] * least!.upper(s, atFirst(file, s)), 0);
}

/** The automaton's state after the valuation of `s`, for G !bad: 0 stays open. */
function atFirst({ rules, states, predicates }: GuardFile, s: number): number {
  const { automaton } = rules[0];
  const bad = (states.valuations[s] >>> predicates.findIndex(({ name }) => name === 'bad')) & 1;
  return bad ? Array.from(automaton.verdict).indexOf(VIOLATED) : automaton.initial;
}

it('a shield by the least risk has no bound on a run: 0.09 passes every time at 0.1', async () => {
  const specification = parseSpecification(`version: 1
predicates: { bad: 'x == 1', done: 'x == 2' }
rules: { safe: { formula: 'G !bad', threshold: 0.1 } }
shield: least
learning: { model: mdp, smoothing: 0 }`);
  const traces: Trace[] = [];
  for (let i = 0; i < 100; i++) {
    const x = i < 9 ? 1 : 0;
    const back: Step[] = x === 1 ? [] : [{ state: { x: 0 }, action: { name: 'leave' } }, { state: { x: 2 } }];
    traces.push({
      id: String(i),
      steps: [{ state: { x: 0 }, action: { name: 'try' } }, ...(x === 1 ? [{ state: { x: 1 } }] : back)],
    });
  }
  const { model } = await learnMdp(
    new Abstraction(specification.abstraction),
    traces,
    specification.learning,
  );
  const guard = createGuard(compileGuard(specification, model));
  for (let i = 0; i < 10; i++)
    expect(guard.step({ x: 0 }, { action: { name: 'try' } }).decision).toBe('allow');
  const budget = createGuard(compileGuard({ ...specification, shield: 'budget' }, model));
  const decisions = Array.from(
    { length: 10 },
    () => budget.step({ x: 0 }, { action: { name: 'try' } }).decision,
  );
  expect(decisions[0]).toBe('allow');
  expect(decisions.filter((one) => one === 'allow').length).toBe(1);
  expect(1 - 0.91 ** 10).toBeGreaterThan(0.6);
});

describe('the risks of an action', () => {
  it('bracket what one step and the best or worst way on from there come to', async () => {
    for (let seed = 40; seed < 52; seed++) {
      const file = await guardFileOf(seed, 'predict', `{ formula: 'G !bad', threshold: 0.5 }`);
      const values = valuesByIteration(file);
      const guard = createGuard(file);
      const { taken, names } = file.actions!;
      for (let s = 0; s < file.states.draws.length; s++) {
        const state = stateOf(file, s);
        if (state.x === BAD) continue;
        guard.reset();
        guard.step(state);
        for (const { name, rules } of guard.permitted(state).actions) {
          const pair = pairOf(file, s, name === null ? -1 : names.indexOf(name));
          for (const kind of ['asAgent', 'least', 'most'] as const) {
            const exact = meanAfter(file, pair, values[kind]);
            expect(rules.safe![kind].lower).toBeLessThanOrEqual(exact + 1e-9);
            expect(rules.safe![kind].upper).toBeGreaterThanOrEqual(exact - 1e-9);
            expect(rules.safe![kind].upper - rules.safe![kind].lower).toBeLessThan(4e-6);
          }
        }
        expect(guard.permitted(state).actions.length).toBe(taken.rowStart[s + 1] - taken.rowStart[s]);
      }
    }
  });

  it('of calls proposed together are those after where the ones before lead', async () => {
    for (let seed = 60; seed < 66; seed++) {
      const file = await guardFileOf(seed, 'predict', `{ formula: 'G !bad', threshold: 0.999 }`);
      const values = valuesByIteration(file);
      const guard = createGuard(file);
      const { outcomes, names } = file.actions!;
      const end = file.states.draws.length;
      const s = file.actions!.start.columns[0];
      const state = stateOf(file, s);
      guard.step(state);
      for (const first of names) {
        for (const second of names) {
          const pair = pairOf(file, s, names.indexOf(first));
          if (pair < 0) continue;
          const { risks } = guard.propose(state, { name: second }, { pending: [{ name: first }] });
          let [low, high] = [0, 0];
          for (let i = outcomes.rowStart[pair]; i < outcomes.rowStart[pair + 1]; i++) {
            const t = outcomes.columns[i];
            if (t === end) continue;
            const next = pairOf(file, t, names.indexOf(second));
            const bad = stateOf(file, t).x === BAD;
            low += outcomes.values[i] * (bad ? 1 : next < 0 ? 0 : meanAfter(file, next, values.asAgent));
            high += outcomes.values[i] * (bad || next < 0 ? 1 : meanAfter(file, next, values.asAgent));
          }
          if (risks === null) continue;
          expect(risks.asAgent.lower).toBeLessThanOrEqual(low + 1e-6);
          expect(risks.asAgent.upper).toBeGreaterThanOrEqual(high - 1e-6);
        }
      }
    }
  });
});

/** Probabilities of ever coming to `bad`: iterated from below until nothing moves, plain and slow. */
function valuesByIteration(file: GuardFile): Record<'asAgent' | 'least' | 'most', number[]> {
  const { taken } = file.actions!;
  const states = file.states.draws.length;
  const solve = (combine: (pairs: number[], values: number[]) => number): number[] => {
    let values = Array.from({ length: states }, (_, s) => Number(stateOf(file, s).x === BAD));
    for (let sweep = 0; sweep < 1500; sweep++) {
      values = values.map((value, s) => {
        if (stateOf(file, s).x === BAD) return 1;
        const pairs = Array.from(
          { length: taken.rowStart[s + 1] - taken.rowStart[s] },
          (_, i) => taken.rowStart[s] + i,
        );
        return pairs.length === 0 ? value : combine(pairs, values);
      });
    }
    return values;
  };
  const each = (pairs: number[], values: number[]) => pairs.map((pair) => meanAfter(file, pair, values));
  return {
    asAgent: solve((pairs, values) => {
      const total = pairs.reduce((sum, pair) => sum + taken.draws[pair], 0);
      return each(pairs, values).reduce((sum, value, i) => sum + (taken.draws[pairs[i]] / total) * value, 0);
    }),
    least: solve((pairs, values) => Math.min(...each(pairs, values))),
    most: solve((pairs, values) => Math.max(...each(pairs, values))),
  };
}

function pairOf({ actions }: GuardFile, s: number, action: number): number {
  const { rowStart, actions: of } = actions!.taken;
  for (let pair = rowStart[s]; pair < rowStart[s + 1]; pair++) if (of[pair] === action) return pair;
  return -1;
}

function meanAfter({ actions, states }: GuardFile, pair: number, values: readonly number[]): number {
  const { rowStart, columns, values: probabilities } = actions!.outcomes;
  let sum = 0;
  for (let i = rowStart[pair]; i < rowStart[pair + 1]; i++) {
    if (columns[i] < states.draws.length) sum += probabilities[i] * values[columns[i]];
  }
  return sum;
}

describe('what a guard read', () => {
  const world = fc.record({
    x: fc.oneof(
      { weight: 9, arbitrary: fc.integer({ min: 0, max: 5 }) },
      { weight: 1, arbitrary: fc.constant('?') },
    ),
  });
  const action = fc.record({ name: fc.constantFrom('a', 'b', 'c', 'unheard') });
  /** Seconds since the observation before. */
  const gap = fc.constantFrom(0.2, 1, 1, 3);
  const event = fc.oneof(
    fc.record({
      kind: fc.constant('step' as const),
      state: world,
      gap,
      action: fc.option(action, { nil: undefined }),
    }),
    fc.record({
      kind: fc.constant('propose' as const),
      state: world,
      gap,
      action,
      pending: fc.array(action, { maxLength: 2 }),
    }),
    fc.record({ kind: fc.constant('again' as const), action, pending: fc.array(action, { maxLength: 2 }) }),
    fc.record({ kind: fc.constant('withhold' as const) }),
    fc.record({ kind: fc.constant('reset' as const) }),
  );

  const rules = [
    ['predict', `{ formula: 'G !bad', threshold: 0.3 }`],
    ['least', `{ formula: 'G !bad', threshold: 0.3, strategy: reflect, escalate: [inspect] }`],
    ['budget', `{ formula: 'G !bad', threshold: 0.95 }`],
    ['predict', `{ formula: 'G (!bad & (one -> F<=2 two))', threshold: 0.9, strategy: block }`],
  ] as const;

  it.each(rules)('is enough to decide the same again, to the last bit: %s, %s', async (shield, rule) => {
    const file = await guardFileOf(8, shield, rule, 0);
    fc.assert(
      fc.property(fc.array(event, { maxLength: 25 }), (events) => {
        sameAgain(file, events);
      }),
      { seed: 4, numRuns: 150 },
    );
  });

  it('is enough also where predicates read the action, and calls are pending', async () => {
    const file = await chainGuard();
    fc.assert(
      fc.property(fc.array(event, { maxLength: 25 }), (events) => {
        sameAgain(file, events);
      }),
      { seed: 5, numRuns: 300 },
    );
  });

  it.each(['hold', 'skip'] as const)(
    'is enough also where steps are early or missing: %s',
    async (resample) => {
      const file = await guardFileOf(8, 'least', `{ formula: 'G !bad', threshold: 0.95 }`);
      const chain = await chainGuard();
      const timed = { samplingPeriodSeconds: 1, periodTolerance: 0.1, resample };
      fc.assert(
        fc.property(fc.array(event, { maxLength: 25 }), (events) => {
          sameAgain({ ...file, ...timed }, events);
          sameAgain({ ...chain, ...timed }, events);
        }),
        { seed: 6, numRuns: 150 },
      );
    },
  );

  type Event = typeof event extends fc.Arbitrary<infer T> ? T : never;

  function sameAgain(file: GuardFile, events: readonly Event[]): void {
    const guard = createGuard(file);
    const again = createGuard(file);
    let last: Record<string, unknown> = { x: 0 };
    let time = 0;
    for (const one of events) {
      if (one.kind === 'withhold') guard.withhold();
      else if (one.kind === 'reset') {
        guard.reset();
        again.reset();
      } else {
        if ('state' in one) {
          last = one.state;
          time += one.gap;
        }
        const decided =
          one.kind === 'step'
            ? guard.step(last, { time, ...(one.action && { action: one.action }) })
            : guard.propose(last, one.action, { pending: one.pending, time });
        const read = JSON.parse(JSON.stringify(guard.observed()));
        expect(again.decideAgain(read)).toMatchObject(JSON.parse(JSON.stringify(decided), revive));
      }
    }
  }
});

/** NaN has no JSON, and means that there is no such bound. */
function revive(key: string, value: unknown): unknown {
  return key === 'confidenceUpper' ? Number.NaN : value;
}

describe('a proposal to a guard whose predicates read the action', () => {
  it('decides as if the step had been made with that action at once', async () => {
    const file = await chainGuard();
    const random = new Random(31);
    for (let run = 0; run < 60; run++) {
      const one = createGuard(file);
      const other = createGuard(file);
      for (let step = 0; step < 8; step++) {
        const state = { x: below(random, 4) };
        const names = Array.from({ length: 1 + below(random, 3) }, () => ({
          name: 'abc'[below(random, 3)],
        }));
        one.step(state, { action: names[0] });
        for (const name of names.slice(1, -1)) one.propose(state, name);
        const last = names[names.length - 1];
        const proposed = one.propose(state, last);
        const stepped = other.step(state, { action: last });
        const { risk, lower, upper, rule, state: s, unseenTransition } = stepped;
        expect(proposed).toMatchObject({ risk, lower, upper, rule, state: s, unseenTransition });
        expect(one.rules.map(({ automatonState }) => automatonState)).toEqual(
          other.rules.map(({ automatonState }) => automatonState),
        );
        expect(one.history.length).toBe(other.history.length);
      }
    }
  });

  it('reads pending calls as steps in the same state, and forgets them at the next step', async () => {
    const file = await chainGuard();
    const b = { name: 'b' };
    const guard = createGuard(file);
    guard.step({ x: 0 }, { action: { name: 'a' } });
    expect(guard.propose({ x: 0 }, b).rule).toBe('safe');
    const twice = guard.propose({ x: 0 }, b, { pending: [b] });
    expect(twice).toMatchObject({ decision: 'stop', rule: 'twice', reason: 'violated' });
    const other = createGuard(file);
    other.step({ x: 0 }, { action: b });
    const next = guard.step({ x: 0 }, { action: { name: 'a' } });
    expect(next).toMatchObject({ risk: other.step({ x: 0 }, { action: { name: 'a' } }).risk, step: 1 });
    expect(guard.rules[1].violated).toBe(false);
  });
});

it('the model that a shield is of is kept as it was learnt', async () => {
  const specification = specificationOf('predict', `{ formula: 'G !bad', threshold: 0.5 }`);
  const traces = randomRuns(new Random(2), 30);
  const { model } = await learnMdp(
    new Abstraction(specification.abstraction),
    traces,
    specification.learning,
  );
  const { actions, policy } = readLearntMdp(model);
  const file = compileGuard(specification, model);
  const { taken, names } = file.actions!;
  expect(taken.draws.length).toBe(actions.length - 2 - file.states.draws.filter((n) => n === 0).length);
  expect(names).toEqual([...new Set(actions.filter((one) => one !== null))]);
  expect(policy.length).toBe(actions.length);
});
