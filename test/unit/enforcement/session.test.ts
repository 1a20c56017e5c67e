import { describe, expect, it } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import {
  type Answer,
  createSession,
  type DecisionRecord,
  type RunRecord,
  requireStrategies,
  type Verdict,
} from '../../../bindings/runtime/enforcement/index.js';
import { createGuard, type Guard } from '../../../bindings/runtime/guard/index.js';
import { mailbox, mailShield, mailTools } from './mail.js';
import { guardThat, RISKY, SAFE, setting } from './setting.js';

const call = (name: string, id = name) => ({ id, name, arguments: {} });
const decisionsIn = (records: readonly RunRecord[]): DecisionRecord[] =>
  records.filter((record): record is DecisionRecord => record.kind === 'decision');

describe('calls that are proposed together', () => {
  it('are judged where the ones before them will have led', async () => {
    const box = mailbox();
    const guard = await mailShield();
    const session = createSession({ guard, tools: [...mailTools], state: box.state });
    const [fetch, send] = await Promise.all([session.check(call('fetch')), session.check(call('send'))]);
    expect([fetch.decision, send.decision]).toEqual(['allow', 'block']);
    expect(send.step?.risk).toBe(1);
    const alone = createSession({ guard: await mailShield(), tools: [...mailTools], state: box.state });
    expect((await alone.check(call('send'))).decision).toBe('allow');
  });

  it('are judged from what was observed between them, once the first has run', async () => {
    const box = mailbox();
    const session = createSession({ guard: await mailShield(), tools: [...mailTools], state: box.state });
    const fetch = await session.check(call('fetch'));
    const forget = await session.check(call('forget'));
    expect([fetch.decision, forget.decision]).toEqual(['allow', 'allow']);
    await box.tools.fetch({ url: 'x' });
    await session.ran(fetch, { result: 'page' });
    // What forgetting would make harmless may run before it.
    expect((await session.check(call('send', 'beside forget'))).decision).toBe('block');
    const late = await session.check(call('fetch', 'again'));
    expect(late.step?.name).toBe('fetch');
    await box.tools.forget({});
    await session.ran(forget, { result: null });
    await session.withdraw(late);
    expect((await session.check(call('send', 'after forget'))).decision).toBe('allow');
  });

  it('are no longer pending when they did not run', async () => {
    const box = mailbox();
    const session = createSession({ guard: await mailShield(), tools: [...mailTools], state: box.state });
    const fetch = await session.check(call('fetch'));
    expect((await session.check(call('send', '1'))).decision).toBe('block');
    await session.withdraw(fetch);
    expect((await session.check(call('send', '2'))).decision).toBe('allow');
  });
});

describe('what the agent is told', () => {
  it('names what would be permitted', async () => {
    const box = mailbox();
    const session = createSession({ guard: await mailShield(), tools: [...mailTools], state: box.state });
    const fetch = await session.check(call('fetch'));
    await box.tools.fetch({ url: 'x' });
    await session.ran(fetch, { result: 'page' });
    const send = await session.check(call('send'));
    expect(send.run).toBeNull();
    expect(send.message).toContain('Permitted here: forget');
    expect(send.step?.alternatives).toContain('forget');
  });

  it('is to reflect, with state, rule and probability, then a person is asked, then the run stops', async () => {
    const guard = guardThat({
      strategy: { kind: 'reflect' },
      maxReflections: 2,
      escalate: [{ kind: 'inspect' }, { kind: 'stop' }],
    });
    const { session } = setting({ guard, state: () => RISKY });
    const verdicts = [];
    for (let i = 0; i < 4; i++) verdicts.push(await session.check(call('move', `${i}`)));
    expect(verdicts.map(({ decision }) => decision)).toEqual(['reflect', 'reflect', 'inspect', 'stop']);
    expect(verdicts[0].message).toMatch(/present state: a[\s\S]*must hold[\s\S]*60 %/);
    expect(verdicts[2].inspection?.question).toMatch(/Shall the agent call move\?.*0\.6/);
    expect(session.stopped).toBe(verdicts[3]);
  });
});

describe('a person who is asked', () => {
  const asking = () => guardThat({ strategy: { kind: 'inspect' } });

  it('lets the call run, or not, and the agent hears why', async () => {
    const yes = setting({
      guard: asking(),
      state: () => RISKY,
      ask: async () => ({ approved: true, by: 'Ada' }),
    });
    expect((await yes.propose('move')).ran).toBe(true);
    expect(yes.outcomes()).toEqual(['approved', 'ran']);
    const no = setting({
      guard: asking(),
      state: () => RISKY,
      ask: async () => ({ approved: false, comment: 'not today' }),
    });
    const refused = await no.propose('move');
    expect(refused.ran).toBe(false);
    expect(refused.verdict).toMatchObject({ decision: 'block', reason: 'refused' });
    expect(refused.verdict.message).toContain('not today');
    expect(no.session.stopped).toBeNull();
  });

  it('is asked the same question again after a restart, and an answer given meanwhile counts', async () => {
    const first = setting({ guard: asking(), state: () => RISKY });
    const before = await first.session.check(call('move', 'a'));
    const again = setting({ guard: asking(), state: () => RISKY, resume: first.records });
    const after = await again.session.check(call('move', 'b'));
    expect(after.inspection?.id).toBe(before.inspection?.id);
    expect(after.number).toBe(1);
    const other = await again.session.check(call('brake', 'c'));
    expect(other.inspection?.id).not.toBe(before.inspection?.id);
    const settled = await again.session.answer(after.inspection!.id, { approved: true });
    expect(settled).toMatchObject({ decision: 'allow', reason: 'approved', run: { name: 'move' } });
  });

  it('has no say about what was not asked, or any more', async () => {
    const { session } = setting({ guard: asking(), state: () => RISKY });
    expect(() => session.answer('x', { approved: true })).toThrow(
      /no question "x" is open in run run; open: none/,
    );
    const { inspection } = await session.check(call('move'));
    const answers = [
      session.answer(inspection!.id, { approved: false }),
      session.answer(inspection!.id, { approved: true }),
    ];
    await expect(answers[0]).resolves.toMatchObject({ decision: 'block' });
    await expect(answers[1]).rejects.toThrow(/answered already/);
  });

  it('is told of to observers twice: as asked, and as settled', async () => {
    const told: string[] = [];
    const observers = [
      { decided: ({ decision, reason, number }: Verdict) => told.push(`${number} ${decision} ${reason}`) },
    ];
    const { propose } = setting({
      guard: asking(),
      state: () => RISKY,
      ask: async () => ({ approved: false }),
      observers,
    });
    await propose('move');
    expect(told).toEqual(['0 inspect at-threshold', '0 block refused']);
  });

  it('comes too late after the deadline', async () => {
    let now = 0;
    const { session, outcomes } = setting({
      guard: asking(),
      state: () => RISKY,
      askTimeoutMs: 1000,
      now: () => now,
    });
    const { inspection } = await session.check(call('move'));
    expect(inspection?.expiresAt).toBe(1000);
    now = 1001;
    const verdict = await session.answer(inspection!.id, { approved: true } satisfies Answer);
    expect(verdict).toMatchObject({ decision: 'stop', reason: 'no-answer', run: null });
    expect(outcomes()).toEqual(['no-answer']);
  });
});

describe('a run that goes on after a restart', () => {
  it('decides as it would have without one, budgets included', async () => {
    const order = ['search', 'fetch', 'forget', 'fetch', 'send', 'search', 'fetch', 'send'];
    const whole = await follow(order, order.length);
    for (let cut = 1; cut < order.length; cut++) {
      const before = await follow(order, cut);
      const after = await follow(order, order.length, cut, before.records, before.box);
      const decided = [...decisionsIn(before.records), ...decisionsIn(after.records)];
      const plain = ({ time: _, run: __, inputs: ___, ...rest }: DecisionRecord) => rest;
      expect(decided.map(plain)).toEqual(decisionsIn(whole.records).map(plain));
    }
  });

  async function budgeted(): Promise<Guard> {
    const { file } = await mailShield({ strategy: 'block' });
    return createGuard({ ...file, actions: { ...file.actions!, mode: 'budget' } });
  }

  async function follow(
    order: readonly string[],
    until: number,
    from = 0,
    resume?: readonly RunRecord[],
    box = mailbox(),
  ) {
    const records: RunRecord[] = [];
    const session = createSession({
      guard: await budgeted(),
      tools: [...mailTools],
      state: box.state,
      id: 'run',
      log: { append: (record) => void records.push(structuredClone(record)) },
      ...(resume && { resume }),
    });
    for (let i = from; i < until; i++) {
      const verdict = await session.check(call(order[i], `${i}`));
      if (verdict.run === null) continue;
      await box.tools[order[i] as 'send']({ to: 'x' });
      await session.ran(verdict, { result: null });
    }
    return { records, box };
  }

  it('stays stopped where it was', async () => {
    const first = setting({ guard: guardThat(), state: () => RISKY });
    expect((await first.propose('move')).verdict.decision).toBe('stop');
    const again = setting({ guard: guardThat(), resume: first.records });
    expect(again.session.stopped?.decision).toBe('stop');
    expect((await again.propose('move')).verdict).toMatchObject({ reason: 'run-over', run: null });
  });

  it('is refused where the records are of another run, or have no beginning', async () => {
    const { propose, records } = setting({ guard: guardThat() });
    await propose('move');
    expect(() => setting({ guard: guardThat(), id: 'other', resume: records })).toThrow(
      /do not contain the beginning of run other; they are of run/,
    );
    expect(() => setting({ guard: guardThat(), resume: records.slice(1) })).toThrow(/beginning of run run/);
    expect(() => setting({ guard: guardThat(), resume: [] })).not.toThrow();
  });

  it('is refused under another guard, and without a way to observe the world', async () => {
    const first = setting({ guard: guardThat() });
    await first.propose('move');
    const other = () => guardThat({ maxReflections: 7 });
    expect(() => setting({ guard: other(), resume: first.records })).toThrow(
      /began with the guard file [0-9a-f]{64}/,
    );
    const predicates = [
      { name: 'a', expression: 'lastResult != null' },
      { name: 'b', expression: 'b' },
    ];
    const guard = guardThat({}, { predicates });
    expect(() => createSession({ guard, tools: ['move'], resume: first.records })).toThrow(
      /judges read lastResult; give `state`/,
    );
  });
});

describe('shadow mode', () => {
  it('lets everything run, and its log says what enforcement would have done', async () => {
    const { session, propose, records, ran } = setting({
      guard: guardThat(),
      state: () => RISKY,
      shadow: true,
    });
    expect([...session.strategies].sort()).toEqual(['allow', 'report']);
    const { verdict } = await propose('move');
    expect(verdict).toMatchObject({ decision: 'report', wouldDecide: 'stop', ends: false, message: null });
    await propose('unheard of');
    expect(ran).toEqual(['move', 'unheard of']);
    expect(
      decisionsIn(records).map(({ decision, wouldDecide, reason }) => [decision, wouldDecide, reason]),
    ).toEqual([
      ['report', 'stop', 'at-threshold'],
      ['report', 'stop', 'unknown-tool'],
    ]);
    expect(session.stopped).toBeNull();
  });
});

it('a call that cannot be read is decided, too', async () => {
  const { session, decisions } = setting();
  const unreadable = {
    id: '1',
    get name(): string {
      throw new Error('no');
    },
    arguments: {},
  };
  expect((await session.check(unreadable)).run).toBeNull();
  expect(session.stopped).not.toBeNull();
  expect(decisions().length).toBeLessThanOrEqual(1);
});

describe('records', () => {
  it('hold what was decided and why, and hide what is named', async () => {
    const { propose, records, session } = setting({
      redact: ['password'],
      state: () => ({ ...SAFE, secret: 1 }),
    });
    await propose('move', { to: 'x', password: 'hunter2' });
    await session.end();
    expect(records.map(({ kind }) => kind)).toEqual(['begin', 'decision', 'outcome', 'observation', 'end']);
    expect(JSON.stringify(records)).not.toContain('hunter2');
    expect(decisionsIn(records)[0]).toMatchObject({
      number: 0,
      call: { name: 'move', arguments: { to: 'x', password: '[redacted]' } },
      decision: 'allow',
      reason: 'below-threshold',
      risk: 0.1,
      observed: { call: 'step', valuation: [0] },
    });
    expect(decisionsIn(records)[0].inputs).toMatch(/^[0-9a-f]{64}$/);
  });

  it('come before what they permit', async () => {
    const order: string[] = [];
    const { propose } = setting({
      log: {
        append: async ({ kind }) => {
          await new Promise((resolve) => setTimeout(resolve, 2));
          order.push(kind);
        },
      },
      tools: { move: { check: () => null } },
    });
    const carried = await propose('move');
    expect(carried.ran).toBe(true);
    expect(order).toEqual(['begin', 'decision', 'outcome']);
  });
});

it('all that a session decides is among its strategies: refusals, and what comes after the end', async () => {
  const asking = guardThat({ strategy: { kind: 'inspect' } });
  const { session } = setting({ guard: asking, state: () => RISKY, ask: async () => ({ approved: false }) });
  expect((await session.decide(call('move'))).decision).toBe('block');
  expect([...session.strategies].sort()).toEqual(['allow', 'block', 'inspect', 'stop']);

  const block = { kind: 'block' } as const;
  const blocking = guardThat(
    { strategy: block, afterViolation: block, onFailure: block },
    { onUnknown: 'block' },
  );
  const { session: over } = setting({ guard: blocking, onFault: 'block' });
  await over.end();
  expect((await over.check(call('move'))).decision).toBe('stop');
  expect([...over.strategies].sort()).toEqual(['allow', 'block', 'stop']);
});

it('a framework that cannot carry out a strategy is refused when it is configured, with what to choose instead', () => {
  const { session } = setting({ guard: guardThat({ strategy: { kind: 'inspect' } }) });
  expect(() => requireStrategies(session, 'Loops', ['inspect'])).toThrow(
    /the guard may decide inspect, which cannot be done in Loops; it can stop, block, reflect, replace: .* or give the session `ask`/,
  );
  const { session: asks } = setting({
    guard: guardThat({ strategy: { kind: 'inspect' } }),
    ask: async () => ({ approved: false }),
  });
  expect(() => requireStrategies(asks, 'Loops', ['inspect'])).not.toThrow();
});

it('a rule in shadow mode lets calls run, whatever it finds, and its log says what it would have done', async () => {
  const strategy = { kind: 'reflect' } as const;
  const unknown = { a: true, b: true };
  let state: Record<string, unknown> = RISKY;
  const { propose, records } = setting({ guard: guardThat({ strategy, shadow: true }), state: () => state });
  expect((await propose('move')).verdict).toMatchObject({
    decision: 'report',
    wouldDecide: 'reflect',
    message: null,
  });
  state = unknown;
  expect((await propose('move')).ran).toBe(true);
  state = { a: 'no Boolean' };
  expect((await propose('move')).ran).toBe(true);
  expect(decisionsIn(records).map(({ decision, wouldDecide }) => `${decision}, else ${wouldDecide}`)).toEqual(
    ['report, else reflect', 'report, else stop', 'report, else stop'],
  );
});
