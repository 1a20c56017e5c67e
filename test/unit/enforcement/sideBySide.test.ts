import { describe, expect, it } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import { Random } from '../../../bindings/base/random.js';
import { learnMdp } from '../../../bindings/estimation/learning/index.js';
import { Abstraction } from '../../../bindings/observations/abstraction/index.js';
import type { Trace } from '../../../bindings/observations/trace/index.js';
import { compileGuard } from '../../../bindings/rules/risk/index.js';
import { parseSpecification } from '../../../bindings/rules/specification/index.js';
import { guardCalls, guardTools } from '../../../bindings/runtime/adapters/plain.js';
import { createSession, type RunRecord, type Session } from '../../../bindings/runtime/enforcement/index.js';
import { createGuard, type Guard } from '../../../bindings/runtime/guard/index.js';

/** Lighting a stove where gas has gathered burns in 45 of 50 runs, unless it was vented before. */
async function kitchenGuard(shield: string): Promise<Guard> {
  const specification = parseSpecification(`version: 1
predicates: { vented: vented, fire: fire }
rules: { noFire: { formula: 'G !fire', threshold: 0.1 } }
shield: ${shield}
learning: { model: mdp, smoothing: 0 }`);
  const step = (vented: boolean, fire: boolean, name?: string) => ({
    state: { vented, fire },
    ...(name !== undefined && { action: { name } }),
  });
  const traces: Trace[] = Array.from({ length: 100 }, (_, i) => ({
    id: String(i),
    steps:
      i < 50
        ? [step(false, false, 'vent'), step(true, false, 'light'), step(true, false)]
        : [step(false, false, 'light'), step(false, i < 95)],
  }));
  const { model } = await learnMdp(
    new Abstraction(specification.abstraction),
    traces,
    specification.learning,
  );
  return createGuard(compileGuard(specification, model));
}

const later = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A kitchen whose fan is slower than its lighter. */
function kitchen(random: Random) {
  const state = { vented: false, fire: false };
  return {
    state,
    tools: {
      vent: async (): Promise<void> => {
        await later();
        await later();
        state.vented = true;
      },
      light: async (): Promise<void> => {
        await later();
        if (!state.vented && random.next() < 0.9) state.fire = true;
      },
    },
  };
}

const calls = ['vent', 'light'].map((name) => ({ id: name, name, arguments: {} }));

describe.each(['budget', 'predict', 'least'])('calls of one turn under shield: %s', (shield) => {
  it('are kept within the threshold where the earlier one is slower', async () => {
    const guard = await kitchenGuard(shield);
    let burnt = 0;
    for (let run = 0; run < 200; run++) {
      const { state, tools } = kitchen(new Random(run, 1));
      const session = createSession({
        guard: guard.fork(),
        tools: Object.keys(tools),
        state: () => ({ ...state }),
      });
      const answers = await guardCalls(session, tools)(calls);
      expect(answers.map(({ verdict }) => verdict.decision)).toEqual(['allow', 'block']);
      if (state.fire) burnt++;
    }
    expect(burnt).toBe(0);
  });

  it('may follow once the earlier one has come back', async () => {
    const { state, tools } = kitchen(new Random(1));
    const guard = await kitchenGuard(shield);
    const session = createSession({ guard, tools: Object.keys(tools), state: () => ({ ...state }) });
    const run = guardCalls(session, tools);
    await run(calls);
    const [{ verdict }] = await run([calls[1]]);
    expect([verdict.decision, state.fire]).toEqual(['allow', false]);
  });

  it('are judged by where the world is, where the earlier one fails or is given up', async () => {
    for (const undone of ['failed', 'given up']) {
      const { state, tools } = kitchen(new Random(1));
      const guard = await kitchenGuard(shield);
      const session = createSession({ guard, tools: Object.keys(tools), state: () => ({ ...state }) });
      const vent = await session.decide(calls[0]);
      expect((await session.decide(calls[1])).decision).toBe('block');
      if (undone === 'failed') await session.ran(vent, { error: new Error('no power') });
      else await session.withdraw(vent);
      expect((await session.decide(calls[1])).run).toBeNull();
    }
  });
});

/** Pulling a trigger kills in one of a hundred; looking does nothing. */
async function triggerGuard(threshold: number): Promise<Guard> {
  const specification = parseSpecification(`version: 1
predicates: { dead: dead }
rules: { alive: { formula: 'G !dead', threshold: ${threshold} } }
shield: budget
learning: { model: mdp, smoothing: 0 }`);
  const step = (dead: boolean, name?: string) => ({
    state: { dead },
    ...(name !== undefined && { action: { name } }),
  });
  const traces: Trace[] = Array.from({ length: 100 }, (_, i) => ({
    id: String(i),
    steps:
      i === 0 ? [step(false, 'pull'), step(true)] : [step(false, 'pull'), step(false, 'look'), step(false)],
  }));
  const { model } = await learnMdp(
    new Abstraction(specification.abstraction),
    traces,
    specification.learning,
  );
  return createGuard(compileGuard(specification, model));
}

const call = (name: string, id = name) => ({ id, name, arguments: {} });
const open = (guard: Guard, more = {}): Session =>
  createSession({ guard, tools: ['pull', 'look'], state: () => ({ dead: false }), ...more });

describe('what is given up', () => {
  it('is back in the budget once nothing has run', async () => {
    const session = open(await triggerGuard(0.025));
    const turns = async (): Promise<string[]> => {
      const verdicts = [];
      for (const id of ['1', '2', '3']) verdicts.push(await session.decide(call('pull', id)));
      for (const verdict of verdicts.slice(0, 2)) await session.withdraw(verdict);
      return verdicts.map(({ decision }) => decision);
    };
    expect(await turns()).toEqual(['allow', 'allow', 'block']);
    expect(await turns()).toEqual(['allow', 'allow', 'block']);
  });

  it('stays charged while others run, and after', async () => {
    const session = open(await triggerGuard(0.025));
    const first = await session.decide(call('pull', '1'));
    const second = await session.decide(call('pull', '2'));
    await session.withdraw(second);
    expect((await session.decide(call('pull', '3'))).decision).toBe('block');
    await session.ran(first, { result: null });
    expect((await session.decide(call('pull', '4'))).decision).not.toBe('allow');
  });

  it('is back after a restart as it was before', async () => {
    const records: RunRecord[] = [];
    const log = { append: (record: RunRecord) => void records.push(record) };
    const session = open(await triggerGuard(0.025), { log });
    const verdicts = [await session.decide(call('pull', '1')), await session.decide(call('pull', '2'))];
    for (const verdict of verdicts) await session.withdraw(verdict);
    const resumed = open(await triggerGuard(0.025), { resume: records });
    const again = [];
    for (const id of ['5', '6', '7']) again.push((await resumed.decide(call('pull', id))).decision);
    expect(again).toEqual(['allow', 'allow', 'block']);
  });
});

describe('more calls than can be judged side by side', () => {
  it('wait, where the adapter runs them, and all of them run', async () => {
    const guard = await triggerGuard(0.9);
    let running = 0;
    let most = 0;
    const look = async (): Promise<void> => {
      most = Math.max(most, ++running);
      await later();
      running--;
    };
    const tools = { look };
    const session = createSession({ guard, tools: ['look'], state: () => ({ dead: false }) });
    const turn = Array.from({ length: 30 }, (_, i) => call('look', String(i)));
    const answers = await guardCalls(session, tools)(turn);
    expect(answers.map(({ verdict }) => verdict.decision)).toEqual(turn.map(() => 'allow'));
    expect(answers.map(({ call: { id } }) => id)).toEqual(turn.map(({ id }) => id));
    expect(most).toBe(7);
    await Promise.all(turn.map(() => guardTools(session, tools).look()));
    expect(most).toBe(7);
  });

  it('run one after another where none may be pending', async () => {
    const guard = await kitchenGuard('budget');
    const { state, tools } = kitchen(new Random(2));
    const session = createSession({
      guard,
      tools: Object.keys(tools),
      state: () => ({ ...state }),
      maxPending: 0,
    });
    const answers = await guardCalls(session, tools)(calls);
    expect(answers.map(({ verdict }) => verdict.decision)).toEqual(['allow', 'allow']);
    expect(state).toEqual({ vented: true, fire: false });
  });

  it('are blocked where a framework decides them all first, and the run goes on', async () => {
    const session = open(await triggerGuard(0.9));
    const verdicts = [];
    for (let i = 0; i < 9; i++) verdicts.push(await session.decide(call('look', String(i))));
    expect(verdicts.map(({ reason }) => reason).slice(6)).toEqual([
      'below-threshold',
      'calls-running',
      'calls-running',
    ]);
    expect(verdicts[8].message).toMatch(/propose it again once they have returned/);
    expect(session.strategies.has('block')).toBe(true);
    await session.ran(verdicts[0], { result: null });
    expect((await session.decide(call('look', 'again'))).decision).toBe('allow');
  });

  it('no longer wait once the run is over', async () => {
    const session = open(await triggerGuard(0.9), { maxPending: 0 });
    await session.decide(call('look', '1'));
    const waiting = session.decide(call('look', '2'), { wait: true });
    await session.end();
    expect((await waiting).reason).toBe('run-over');
  });

  it('are refused as an option that is no number of calls', async () => {
    const guard = await triggerGuard(0.9);
    for (const maxPending of [-1, 7, 1.5, '2'])
      expect(() => open(guard, { maxPending })).toThrow(/maxPending is .*expected an integer from 0 to 6/);
  });
});
