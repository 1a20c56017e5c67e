import { describe, expect, it } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import { learn, learnMdp } from '../../../bindings/estimation/learning/index.js';
import { buildAutomaton } from '../../../bindings/languages/automaton/index.js';
import { parseFormula } from '../../../bindings/languages/logic/index.js';
import { Abstraction } from '../../../bindings/observations/abstraction/index.js';
import { compileGuard } from '../../../bindings/rules/risk/index.js';
import { parseSpecification } from '../../../bindings/rules/specification/index.js';
import {
  createSession,
  type SessionOptions,
  type ToolCall,
} from '../../../bindings/runtime/enforcement/index.js';
import { createGuard, Monitor } from '../../../bindings/runtime/guard/index.js';
import { guardFile, ruleOf } from '../guard/guardFiles.js';

const quiet = { alarm: false, acked: false };
const alarm = { alarm: true, acked: false };
const acked = { alarm: false, acked: true };
const RUNS = [
  [quiet, alarm, alarm, acked, quiet, quiet],
  [quiet, alarm, acked, quiet, quiet, quiet],
  [quiet, quiet, quiet, alarm, alarm, acked],
  [quiet, alarm, alarm, alarm, acked, quiet],
  [quiet, alarm, alarm, alarm, alarm, alarm, alarm],
];
const call = (id: string, name = 'look'): ToolCall => ({ id, name, arguments: {} });

/** A session in an alarm that nobody acks, which is to be acked within 3 s. */
async function inAlarm(
  model: 'dtmc' | 'mdp',
  resample: string,
  levels: string,
  more: Partial<SessionOptions> = {},
) {
  const specification = parseSpecification(`version: 1
samplingPeriod: 1s
resample: ${resample}
learning: { model: ${model}, smoothing: 0 }
predicates: { alarm: alarm, acked: acked }
rules: { answer: { formula: 'G (alarm -> F[0s,3s] acked)', levels: ${levels} } }`);
  const traces = RUNS.map((run, id) => ({
    id: String(id),
    steps: run.map((state, time) => ({
      state,
      time,
      action: { name: run[time + 1]?.acked ? 'ack' : 'look', arguments: {} },
    })),
  }));
  const { abstraction, learning } = specification;
  const learnt = await (model === 'mdp' ? learnMdp : learn)(new Abstraction(abstraction), traces, learning);
  const clock = { now: 0 };
  const world: { state: Readonly<Record<string, unknown>> } = { state: alarm };
  const session = createSession({
    guard: createGuard(compileGuard(specification, learnt.model as never)),
    tools: ['look', 'ack'],
    state: () => world.state,
    time: () => clock.now,
    ...more,
  });
  return { session, clock, world };
}

const STOP = '[{ threshold: 0.6, strategy: stop }]';
const late = { error: 'irregular-time', hold: 'violated' } as const;

describe.each(['error', 'hold'] as const)('20 s after a call, under resample: %s', (resample) => {
  it.each(['comes back', 'runs', 'given up'])('a deadline has passed where the call %s', async (fate) => {
    const { session, clock } = await inAlarm('mdp', resample, STOP);
    const first = await session.check(call('1'));
    expect(first.decision).toBe('allow');
    if (fate === 'comes back') await session.ran(first, { result: 1 });
    else if (fate === 'given up') await session.withdraw(first);
    clock.now = 20;
    expect(await session.check(call('2'))).toMatchObject({
      decision: 'stop',
      reason: late[resample],
      run: null,
    });
  });

  it('a deadline has passed where a person has refused the call', async () => {
    const levels = '[{ threshold: 0.3, strategy: inspect }, { threshold: 0.95, strategy: stop }]';
    const { session, clock } = await inAlarm('dtmc', resample, levels);
    const first = await session.check(call('1'));
    expect(first.decision).toBe('inspect');
    await session.answer(first.inspection?.id ?? '', { approved: false });
    clock.now = 20;
    expect(await session.check(call('2'))).toMatchObject({ decision: 'stop', reason: late[resample] });
  });
});

describe.each(['error', 'hold'] as const)('a yes 20 s after the question, under resample: %s', (resample) => {
  it.each([false, true])(
    'does not count where a deadline has passed; a call runs meanwhile: %s',
    async (runs) => {
      const levels = '[{ threshold: 0.3, strategy: inspect }, { threshold: 0.95, strategy: stop }]';
      const { session, clock, world } = await inAlarm('mdp', resample, levels);
      if (runs) {
        world.state = quiet;
        expect((await session.check(call('0'))).run).not.toBeNull();
        world.state = alarm;
        clock.now = 1;
      }
      const asked = await session.check(call('1'));
      expect(asked.decision).toBe('inspect');
      clock.now += 20;
      const answered = await session.answer(asked.inspection?.id ?? '', { approved: true });
      expect(answered).toMatchObject({ run: null });
    },
  );
});

describe('while a call runs', () => {
  it('the world is observed as it is, once the time of a step has come', async () => {
    const { session, clock, world } = await inAlarm('mdp', 'hold', STOP);
    await session.check(call('1'));
    // Before that nobody knows what the call has done.
    world.state = acked;
    clock.now = 0.5;
    const early = await session.check(call('2'));
    expect(early.step?.step).toBe(0);
    clock.now = 2;
    const inTime = await session.check(call('3'));
    expect(inTime).toMatchObject({ decision: 'allow' });
    expect(inTime.step?.state).not.toBe(early.step?.state);
    world.state = quiet;
    clock.now = 20;
    expect((await session.check(call('4'))).decision).toBe('allow');
  });

  it('a world that cannot be observed is a fault', async () => {
    let broken = false;
    const state = () => {
      if (broken) throw new Error('away');
      return alarm;
    };
    const { session, clock } = await inAlarm('mdp', 'hold', STOP, { state });
    await session.check(call('1'));
    broken = true;
    clock.now = 0.5;
    expect((await session.check(call('2'))).reason).not.toBe('state-failed');
    clock.now = 1;
    expect((await session.check(call('3'))).reason).toBe('state-failed');
  });
});

describe('where predicates read the action', () => {
  const FORMULA = 'G (b -> WX G[0,9] !b)';
  /** At most one send in ten periods; a session whose calls are decided beside those that run. */
  function sending() {
    const automaton = buildAutomaton(parseFormula(FORMULA));
    const strategy = { kind: 'block' } as const;
    const rule = ruleOf(automaton, [0.1, 0.1, 0.1, 0.1], {
      formula: FORMULA,
      strategy,
      afterViolation: strategy,
    });
    const guard = createGuard(
      guardFile([rule], {
        samplingPeriodSeconds: 1,
        predicates: [
          { name: 'a', expression: 'a' },
          { name: 'b', expression: 'has(action.name) && action.name == "send"' },
        ],
      }),
    );
    const clock = { now: 0 };
    const session = createSession({
      guard,
      tools: ['send', 'look'],
      state: () => ({ a: false }),
      time: () => clock.now,
      maxPending: 6,
    });
    const byDefinition = new Monitor(automaton, ['a', 'b']);
    return {
      guard,
      clock,
      session,
      read: (sent: boolean) => byDefinition.advance(Uint32Array.of(sent ? 2 : 0)),
      byDefinition,
    };
  }

  it('a call that runs for longer than a period is done once', async () => {
    const { guard, clock, session, read, byDefinition } = sending();
    const send = await session.check(call('0', 'send'));
    read(true);
    for (let second = 1; second <= 3; second++) {
      clock.now = second;
      const look = await session.check(call(String(second)));
      read(false);
      expect(look.decision).toBe('allow');
      expect(guard.rules[0].verdict).toBe(byDefinition.verdict);
      expect(guard.rules[0].automatonState).toBe(byDefinition.state);
    }
    expect((await session.check(call('4', 'send'))).decision).toBe('block');
    await session.ran(send, { result: 1 });
    expect(guard.rules[0].violated).toBe(false);
  });

  it('a call that was let through beside others in one period is what is done in the next', async () => {
    const { guard, clock, session, read, byDefinition } = sending();
    const look = await session.check(call('0'));
    const send = await session.check(call('1', 'send'));
    expect([look.decision, send.decision]).toEqual(['allow', 'allow']);
    read(false);
    clock.now = 1;
    expect((await session.check(call('2'))).decision).toBe('allow');
    read(true);
    expect(guard.rules[0].automatonState).toBe(byDefinition.state);
    clock.now = 2;
    // The look of before is read first.
    expect((await session.check(call('3', 'send'))).decision).toBe('block');
    read(false);
    expect(guard.rules[0].automatonState).toBe(byDefinition.state);
    await session.ran(look, { result: 1 });
    expect(guard.rules[0].violated).toBe(false);
  });
});
