import { describe, expect, it } from 'vitest';
import { Random } from '../../bindings/base/random.js';
import type { Action } from '../../bindings/observations/trace/index.js';
import {
  createGuard,
  type GuardFile,
  type GuardProposal,
  type GuardRule,
  packTables,
} from '../../bindings/runtime/guard/index.js';
import { below, chainGuard, guardFileOf, stateOf } from './actionWorlds.js';

const LET_THROUGH = ['allow', 'report'];
const NAMELESS = {} as Action;

describe('what a shield permits', () => {
  const byState = `{ formula: 'G !two', threshold: 0.6, horizonSteps: 1 }`;
  const rules = [
    ['predict', `{ formula: 'G !bad', threshold: 0.5 }, near: ${byState}`],
    ['least', `{ formula: 'G !bad', threshold: 0.5, afterViolation: report }, near: ${byState}`],
    ['budget', `{ formula: 'G !bad', threshold: 0.97 }`],
  ] as const;

  it.each(rules)('is what a proposal lets through, no more and no less: %s', async (shield, rule) => {
    let permitted = 0;
    let refused = 0;
    for (let seed = 70; seed < 78; seed++) {
      const file = await guardFileOf(seed, shield, rule);
      const guard = createGuard(file);
      const random = new Random(seed, 2);
      for (let step = 0; step < 25; step++) {
        if (step % 5 === 0) guard.reset();
        const state = stateOf(file, below(random, file.states.draws.length));
        guard.step(state);
        for (const one of guard.permitted(state).actions) {
          if (one.name === null) continue;
          const { decision } = guard.propose(state, { name: one.name });
          guard.withhold();
          expect(LET_THROUGH.includes(decision), `${seed}.${step}: ${one.name}: ${decision}`).toBe(
            one.permitted,
          );
          if (one.permitted) permitted++;
          else refused++;
        }
      }
    }
    expect(permitted).toBeGreaterThan(20);
    expect(refused).toBeGreaterThan(20);
  });

  it('is named where an action is refused, and nothing that would be refused, too', async () => {
    const file = await guardFileOf(71, 'predict', `{ formula: 'G !bad', threshold: 0.5 }, near: ${byState}`);
    const { near } = Object.fromEntries(file.rules.map((rule) => [rule.name, rule]));
    expect(near.tables?.least).toBeUndefined();
    const closed: GuardFile = {
      ...file,
      rules: file.rules.map((rule) => (rule === near ? withRisk(rule, () => 1) : rule)),
    };
    const guard = createGuard(closed);
    const state = stateOf(file, file.actions!.start.columns[0]);
    guard.step(state);
    for (const name of 'abc') expect(guard.propose(state, { name }).alternatives).toEqual([]);
    expect(guard.permitted(state).safest).toBeNull();
  });
});

describe('a budget', () => {
  it('is given back once, however often it is withheld', async () => {
    const file = await guardFileOf(5, 'budget', `{ formula: 'G !bad', threshold: 0.9 }`);
    const state = stateOf(file, file.actions!.start.columns[0]);
    const proposals = (withhold: number): GuardProposal[] => {
      const guard = createGuard(file);
      guard.step(state);
      return Array.from({ length: 60 }, (_, i) => {
        const proposal = guard.propose(state, { name: 'abc'[i % 3] });
        if (i % 7 === 0) for (let times = 0; times < withhold; times++) guard.withhold();
        return proposal;
      });
    };
    expect(proposals(3)).toEqual(proposals(1));
    expect(proposals(1).some(({ reason }) => reason === 'over-budget')).toBe(true);
  });

  it('is not charged for an action that drift keeps from running', async () => {
    const file = await guardFileOf(5, 'budget', `{ formula: 'G !bad', threshold: 0.9 }`);
    const { states, seen } = file;
    const drift: GuardFile['drift'] = {
      falseAlarmRate: 1e-3,
      onDrift: 'inspect',
      start: { columns: [0], counts: [1] },
      counts: seen.columns.map(() => 1),
      drawsSinceNew: Array(states.draws.length + 1).fill(1),
    };
    const guard = createGuard({ ...file, drift });
    const fresh = createGuard(file);
    const state = stateOf(file, file.actions!.start.columns[0]);
    guard.step(state);
    fresh.step(state);
    guard.drift!.alarm = true;
    for (let i = 0; i < 60; i++) expect(guard.propose(state, { name: 'abc'[i % 3] }).reason).toBe('drift');
    guard.drift!.alarm = false;
    for (let i = 0; i < 60; i++) {
      const { decision, reason } = fresh.propose(state, { name: 'abc'[i % 3] });
      expect(guard.propose(state, { name: 'abc'[i % 3] })).toMatchObject({ decision, reason });
    }
  });
});

describe('a proposal in the same state', () => {
  it('makes no step where the action before could not be read', async () => {
    const guard = createGuard(await chainGuard());
    const other = createGuard(guard.file);
    guard.step({ x: 0 }, { action: { name: 'a' } });
    other.step({ x: 0 }, { action: { name: 'a' } });
    expect(guard.propose({ x: 0 }, NAMELESS)).toMatchObject({ step: 0, predicate: 'risky' });
    expect(guard.propose({ x: 0 }, { name: 'c' }).step).toBe(0);
    expect(guard.history.length).toBe(1);
    const { risk } = other.step({ x: 1 }, { action: { name: 'a' } });
    expect(guard.step({ x: 1 }, { action: { name: 'a' } })).toMatchObject({ risk, step: 1 });
  });

  it('makes no step where that state could not be read, and makes one where more of it is known', async () => {
    const guard = createGuard(await guardFileOf(5, 'predict', `{ formula: 'G !bad', threshold: 0.5 }`));
    for (let i = 0; i < 3; i++) {
      expect(guard.propose({}, { name: 'a' })).toMatchObject({ step: 0, reason: 'predicate-failed' });
    }
    expect(guard.propose({ x: 0 }, { name: 'a' }).step).toBe(1);
    expect(guard.propose({}, { name: 'a' }).step).toBe(2);
  });
});

describe('a proposal before its time', () => {
  const timed = { samplingPeriodSeconds: 1, periodTolerance: 0.1, resample: 'skip' } as const;

  it('is judged in the state that counted last, by step too', async () => {
    const file = { ...(await guardFileOf(5, 'predict', `{ formula: 'G !bad', threshold: 0.5 }`)), ...timed };
    const early = createGuard(file);
    const same = createGuard(file);
    const [state, next] = [0, 1].map((s) => stateOf(file, s));
    for (const guard of [early, same]) guard.step(state, { time: 0 });
    for (const name of [...'abc', 'unheard']) {
      const expected = same.propose(state, { name });
      expect(early.propose(next, { name }, { time: 0.2 })).toEqual({ ...expected, unread: true });
      const { decision, reason, risk } = same.propose(state, { name });
      expect(early.step(next, { action: { name }, time: 0.2 })).toMatchObject({ decision, reason, risk });
    }
    const decided = early.propose(state, { name: 'a' });
    expect(early.step(next, { time: 0.3 }).decision).toBe(decided.decision);
  });

  it('of another action is not decided as the one before, where predicates read it', async () => {
    const file = { ...(await chainGuard()), ...timed };
    const guard = createGuard(file);
    guard.step({ x: 1 }, { action: { name: 'a' }, time: 0 });
    const early = guard.propose({ x: 3 }, { name: 'b' }, { time: 0.2 });
    expect(early).toMatchObject({ step: 0, rule: 'safe', reason: 'violated' });
  });

  it('that is repeated withholds nothing again', async () => {
    const file = { ...(await guardFileOf(5, 'least', `{ formula: 'G !bad', threshold: 0.9 }`)), ...timed };
    const guard = createGuard(file);
    const state = stateOf(file, file.actions!.start.columns[0]);
    guard.step(state, { time: 0 });
    guard.propose(state, { name: 'a' });
    guard.withhold();
    guard.propose(state, { name: 'b' });
    expect(guard.observed()).toMatchObject({ call: 'propose', withheld: 'last' });
    guard.step(state, { time: 0.2 });
    expect(guard.observed()).toMatchObject({ call: 'repeat', withheld: null });
  });
});

describe('calls that are pending where predicates read actions', () => {
  const b = { name: 'b' };

  it('are read before the proposal also in a state that is new', async () => {
    const file = await chainGuard();
    const guard = createGuard(file);
    const proposal = guard.propose({ x: 0 }, b, { pending: [b] });
    expect(proposal).toMatchObject({ step: 0, rule: 'twice', reason: 'violated' });
    expect(guard.history.length).toBe(1);
    const again = createGuard(file).decideAgain(JSON.parse(JSON.stringify(guard.observed())));
    expect(again).toEqual(proposal);
    expect(guard.rules[1].violated).toBe(false);
  });

  it('break a rule once: what follows is after the violation', async () => {
    const guard = createGuard(await chainGuard());
    expect(guard.propose({ x: 1 }, b)).toMatchObject({ rule: 'safe', reason: 'violated' });
    guard.propose({ x: 1 }, { name: 'a' }, { pending: [b] });
    expect(guard.step({ x: 0 }, { action: { name: 'a' } })).toMatchObject({ reason: 'after-violation' });
  });
});

/** The rule with another risk in every entry. */
function withRisk(rule: GuardRule, risk: () => number): GuardRule {
  const { automaton, tables } = rule;
  const states = tables!.groupOf.length;
  const values = Array.from({ length: states * automaton.states }, risk);
  return { ...rule, tables: packTables(automaton, states, () => true, { lower: values, upper: values }) };
}
