import { describe, expect, it } from 'vitest';
import { readJsonLines } from '../../../bindings/observations/trace/index.js';
import { compileRules, parseSpecification } from '../../../bindings/rules/specification/index.js';
import {
  createSession,
  type KeptStep,
  type SessionOptions,
  type Verdict,
} from '../../../bindings/runtime/enforcement/index.js';
import { loadGuard } from '../../../bindings/runtime/guard/index.js';
import { chunked, collect } from '../trace/bytes.js';
import { memoryTraces } from './memoryTraces.js';

const TOOLS = ['look', 'send'];

function rulesGuard(rule = 'G !sends', more = '') {
  return loadGuard(
    compileRules(
      parseSpecification(`{ version: 1, ${more}
        predicates: { sends: 'has(action.name) && action.name == "send"', looks: 'has(action.name) && action.name == "look"' },
        rules: { rule: { formula: '${rule}' } } }`),
    ),
  );
}

function recorded(options: Partial<SessionOptions> = {}) {
  const record = memoryTraces();
  const session = createSession({ tools: TOOLS, shadow: true, record, id: 'run', ...options });
  let calls = 0;
  const decide = (name: string, args: unknown = {}): Promise<Verdict> =>
    session.check({ id: `${calls++}`, name, arguments: args as Record<string, unknown> });
  const call = async (name: string, args: unknown = {}, result: unknown = 'done'): Promise<Verdict> => {
    const verdict = await decide(name, args);
    if (verdict.run !== null) await session.ran(verdict, { result });
    return verdict;
  };
  return { record, session, decide, call };
}

const before = { lastTool: '', lastToolFailed: false, lastArguments: {}, lastResult: null };
const none = { look: 0, send: 0 };

describe('the recording of a run', () => {
  it('has a step for each call, with the state before it, and the last state', async () => {
    const { session, record, call } = recorded();
    await call('look', { at: 'inbox' }, '{"mails": 2}');
    await call('send', { to: 'ann' });
    await session.end();
    const looked = { ...none, look: 1 };
    expect(record.withoutHistory()).toEqual([
      {
        id: 'run',
        complete: true,
        steps: [
          {
            state: { ...before, calls: none, failures: none },
            action: { name: 'look', arguments: { at: 'inbox' } },
          },
          {
            state: {
              ...before,
              lastTool: 'look',
              lastArguments: { at: 'inbox' },
              lastResult: { mails: 2 },
              calls: looked,
              failures: none,
            },
            action: { name: 'send', arguments: { to: 'ann' } },
          },
          {
            state: {
              ...before,
              lastTool: 'send',
              lastArguments: { to: 'ann' },
              lastResult: 'done',
              calls: { look: 1, send: 1 },
              failures: none,
            },
          },
        ],
      },
    ]);
  });

  it('has no step for a refused call, and one for a call that failed', async () => {
    const { session, record, call, decide } = recorded({ judges: [await rulesGuard()], shadow: false });
    expect((await call('send')).run).toBeNull();
    const look = await decide('look');
    await session.ran(look, { error: new Error('no') });
    expect((await call('send')).run).toBeNull();
    await session.end();
    const [{ steps, complete }] = record.ended;
    expect(complete).toBe(true);
    expect(steps.map(({ action }) => action?.name)).toEqual(['look', undefined]);
    expect(steps[1].state).toMatchObject({ lastToolFailed: true, calls: { look: 1 }, failures: { look: 1 } });
  });

  it('has the state that was given, and the time, as they were when the call was decided on', async () => {
    let now = 10;
    let mails = 0;
    const { session, record, call } = recorded({
      judges: [await rulesGuard()],
      shadow: false,
      state: () => ({ mails }),
      time: () => now,
    });
    await call('look');
    [now, mails] = [11.5, 1];
    await call('send');
    [now, mails] = [12, 3];
    await call('look');
    [now, mails] = [14, 4];
    await session.end();
    expect(record.asGiven()[0].steps).toEqual([
      { state: { mails: 0 }, action: { name: 'look', arguments: {} }, time: 10 },
      { state: { mails: 3 }, action: { name: 'look', arguments: {} }, time: 12 },
      { state: { mails: 4 }, time: 14 },
    ]);
  });

  it('lists with each step the calls that answered since the one before, of which readers make the history', async () => {
    let now = 1;
    const { session, record, decide, call } = recorded({ time: () => now++, redact: ['card'] });
    await call('look', { at: 'inbox' });
    const [first, second] = [await decide('look', { n: 1 }), await decide('send', { card: 7 })];
    await session.ran(second, { error: 'no' });
    await session.ran(first, { result: 1 });
    await session.end();
    const [trace] = record.ended;
    const answered = trace.steps.map((step) => (step as KeptStep).answered);
    expect(answered).toEqual([
      [],
      [{ name: 'look', arguments: { at: 'inbox' }, failed: false, time: expect.any(Number) }],
      [{ name: 'send', arguments: {}, failed: true, time: expect.any(Number) }],
      [{ name: 'look', arguments: { n: 1 }, failed: false, time: expect.any(Number) }],
    ]);
    const [read] = await collect(readJsonLines(chunked(JSON.stringify(trace)), { source: 'runs.jsonl' }));
    expect(read.steps.map(({ state }) => state.history)).toEqual(
      answered.map((_, i) => answered.slice(0, i + 1).flat()),
    );
    expect(read.notRecorded).toHaveProperty(['history.arguments.card']);
  });

  it('has what follows from the calls beside the state that was given, though no judge reads it yet', async () => {
    const { session, record, call } = recorded({ state: () => ({ mails: 1, lastTool: 'own' }) });
    await call('look');
    await session.end();
    const line = JSON.stringify(record.ended[0]);
    const [{ steps }] = await collect(readJsonLines(chunked(line), { source: 'runs.jsonl' }));
    expect(steps[1].state).toEqual({
      mails: 1,
      lastTool: 'own',
      lastToolFailed: false,
      lastArguments: {},
      lastResult: expect.anything(),
      calls: { look: 1, send: 0 },
      failures: { look: 0, send: 0 },
      history: [{ name: 'look', arguments: {}, failed: false }],
    });
  });

  it('has a history of its own where the given state has one, or none where that is hidden', async () => {
    const own = recorded({ state: () => ({ history: ['mine'] }) });
    await own.call('look');
    await own.session.end();
    const line = JSON.stringify(own.record.ended[0]);
    const [read] = await collect(readJsonLines(chunked(line), { source: 'runs.jsonl' }));
    expect(read.steps.map(({ state }) => [state.history, state.lastTool])).toEqual([
      [['mine'], ''],
      [['mine'], 'look'],
    ]);
    const hidden = recorded({ redact: ['history'] });
    await hidden.call('look');
    await hidden.session.end();
    expect(hidden.record.ended[0].steps.some((step) => 'answered' in step || 'history' in step.state)).toBe(
      false,
    );
    expect(hidden.record.ended[0].notRecorded).toEqual({ history: 'it is hidden by redact' });
  });

  it('is kept step by step: a call stands there before it runs', async () => {
    const { record, call, decide } = recorded();
    await call('look');
    await decide('send');
    const { steps, complete } = record.running.get('run')!;
    expect(complete).toBe(false);
    expect(steps.map(({ action }) => action?.name)).toEqual(['look', 'send']);
  });

  it('is of a run that was cut if a call never came back, the guard stopped it, or whoever ends it says so', async () => {
    const open = recorded();
    await open.call('look');
    await open.decide('send');
    await open.decide('look');
    await open.session.end();
    expect(open.record.ended[0].complete).toBe(false);
    expect(open.record.ended[0].steps.map(({ action }) => action?.name)).toEqual(['look', 'send']);

    const stopped = recorded({ judges: [await rulesGuard()], shadow: false });
    await stopped.call('look');
    await stopped.call('nothing known');
    expect(stopped.session.stopped).not.toBeNull();
    await stopped.session.end();
    expect(stopped.record.ended[0].complete).toBe(false);
    expect(stopped.record.ended[0].steps).toHaveLength(2);

    const said = recorded();
    await said.call('look');
    await said.session.end({ complete: false });
    expect(said.record.ended[0].complete).toBe(false);
    expect(said.record.ended[0].steps).toHaveLength(2);
  });

  it('is none of a run that was asked nothing, and one state if nothing ran', async () => {
    const nothing = recorded();
    await nothing.session.end();
    expect(nothing.record.ended).toEqual([]);
    expect(nothing.record.running.size).toBe(0);
    const refused = recorded({ judges: [await rulesGuard()], shadow: false });
    await refused.call('send');
    await refused.session.end();
    expect(refused.record.withoutHistory()[0].steps).toEqual([
      { state: { ...before, calls: none, failures: none } },
    ]);
  });

  it('has concurrent calls in the order in which they came back, each in the state before that', async () => {
    const { session, record, decide } = recorded();
    const [first, second, third] = [
      await decide('look', { n: 1 }),
      await decide('send'),
      await decide('look'),
    ];
    await session.ran(second, { result: 'sent' });
    await session.withdraw(third);
    await session.ran(first, { result: 'seen' });
    await session.end();
    expect(
      record.ended[0].steps.map(({ state, action }) => [state.lastResult, action?.name, action?.arguments]),
    ).toEqual([
      [null, 'send', {}],
      ['sent', 'look', { n: 1 }],
      ['seen', undefined, undefined],
    ]);
    expect(record.ended[0].complete).toBe(true);
  });

  it('has no step of a call that was given up', async () => {
    const { session, record, call, decide } = recorded();
    await call('look');
    await session.withdraw(await decide('send'));
    await session.end();
    expect(record.ended[0].steps.map(({ action }) => action?.name)).toEqual(['look', undefined]);
  });

  it('has a step for doing nothing', async () => {
    const { session, record, call } = recorded();
    await session.idle();
    await call('look');
    await session.end();
    expect(record.ended[0].steps.map(({ action }) => action?.name)).toEqual([undefined, 'look', undefined]);
  });

  it('has the call that ran instead of the one that was asked about', async () => {
    const guard = await loadGuard(
      compileRules(
        parseSpecification(`{ version: 1, predicates: { sends: 'has(action.name) && action.name == "send"' },
          rules: { rule: { formula: 'G !sends', strategy: { replace: look } } } }`),
      ),
    );
    const { session, record, call } = recorded({
      judges: [guard],
      shadow: false,
      replacements: { look: { name: 'look', arguments: { at: 'rules' } } },
    });
    await call('send');
    await session.end();
    expect(record.ended[0].steps[0].action).toEqual({ name: 'look', arguments: { at: 'rules' } });
  });

  it('has calls as steps of their own where their time came beside one that was running', async () => {
    let now = 0;
    let world = 'a';
    const { session, record, decide } = recorded({
      judges: [await rulesGuard('G !(sends & looks)', 'samplingPeriod: 1s,')],
      shadow: false,
      maxPending: 6,
      state: () => ({ world }),
      time: () => now,
    });
    const first = await decide('look');
    [now, world] = [1, 'b'];
    const second = await decide('send');
    [now, world] = [2, 'c'];
    await session.ran(second, { result: '' });
    await session.ran(first, { result: '' });
    [now, world] = [3, 'd'];
    await session.end();
    expect(record.asGiven()[0].steps).toEqual([
      { state: { world: 'a' }, action: { name: 'look', arguments: {} }, time: 0 },
      { state: { world: 'b' }, action: { name: 'send', arguments: {} }, time: 1 },
      { state: { world: 'd' }, time: 3 },
    ]);
  });
});

describe('shadow mode without any guard', () => {
  it('lets everything run, any number of calls at once, and records it in the right states', async () => {
    const { session, record, decide, call } = recorded();
    expect(session.isFull).toBe(false);
    const calls = await Promise.all(Array.from({ length: 20 }, () => decide('look')));
    for (const one of calls) await session.ran(one, { result: 1 });
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    const odd = [await call('unlisted', { a: 1 }), await call('look', cyclic), await call('look', [1])];
    expect([...calls, ...odd].every(({ run }) => run !== null)).toBe(true);
    expect(odd[1].run?.arguments).toBe(cyclic);
    await session.end();
    const [{ steps, complete, notRecorded }] = record.ended;
    expect(complete).toBe(true);
    expect(steps).toHaveLength(24);
    expect(steps.slice(20).map(({ state, action }) => [state.lastTool, action])).toEqual([
      ['look', { name: 'unlisted', arguments: { a: 1 } }],
      ['unlisted', { name: 'look' }],
      ['look', { name: 'look', arguments: { text: [1] } }],
      ['look', undefined],
    ]);
    expect(notRecorded).toEqual({
      'action.arguments': 'it could not be read',
      'history.arguments': 'it could not be read',
      lastArguments: 'it could not be read',
    });
  });

  it('needs record and shadow', () => {
    const record = memoryTraces();
    expect(() => createSession({ tools: TOOLS, record })).toThrow(/only with record and shadow: true/);
    expect(() => createSession({ tools: TOOLS, shadow: true })).toThrow(/needs what judges calls/);
    expect(() =>
      createSession({ tools: TOOLS, shadow: true, record: {} as unknown as typeof record }),
    ).toThrow(/begin\(run\)/);
  });
});

describe('what cannot be recorded', () => {
  it('is left out and said so: hidden fields, NaN, functions, sets, getters, cycles', async () => {
    const state = {
      fine: { a: 1, nothing: null, far: Number.POSITIVE_INFINITY },
      card: '4111',
      list: [{ card: 'x', b: 2 }, { b: 3 }],
      speed: Number.NaN,
      run: () => 1,
      seen: new Set([1]),
      cycle: {} as Record<string, unknown>,
      mixed: [1, Number.NaN],
      get broken() {
        throw new Error('no');
      },
      ['__proto__']: { polluted: true },
    };
    state.cycle.self = state.cycle;
    const { session, record, call } = recorded({
      state: () => state,
      redact: ['card', 'arguments.user.email', 'arguments.all.*'],
    });
    await call('send', { user: { email: 'a@b', name: 'ann' }, all: [1, 2], card: 1 });
    await session.end();
    const [{ steps, notRecorded }] = record.asGiven();
    expect(steps[0]).toEqual({
      state: {
        fine: { a: 1, nothing: null, far: Number.POSITIVE_INFINITY },
        list: [{ b: 2 }, { b: 3 }],
        cycle: {},
        ['__proto__']: { polluted: true },
      },
      action: { name: 'send', arguments: { user: { name: 'ann' } } },
    });
    expect(notRecorded).toEqual({
      card: 'it is hidden by redact',
      'list.card': 'it is hidden by redact',
      speed: 'it is NaN',
      run: 'it is a function',
      seen: 'it is of the kind Set',
      'cycle.self': 'it is cyclic',
      mixed: 'it is NaN',
      broken: 'it could not be read',
      'action.arguments.card': 'it is hidden by redact',
      'action.arguments.user.email': 'it is hidden by redact',
      'action.arguments.all': 'an element of it is hidden by redact',
      'lastArguments.card': 'it is hidden by redact',
      'lastArguments.user.email': 'it is hidden by redact',
      'lastArguments.all': 'an element of it is hidden by redact',
      'history.arguments.card': 'it is hidden by redact',
      'history.arguments.user.email': 'it is hidden by redact',
      'history.arguments.all': 'an element of it is hidden by redact',
    });
  });

  it('is hidden in the state, too, where that repeats the arguments', async () => {
    const { session, record, call } = recorded({ redact: ['arguments.user.email', 'card'] });
    await call('send', { user: { email: 'a@b', name: 'ann' } }, { card: 1, ok: true });
    await session.end();
    const [{ steps, notRecorded }] = record.ended;
    expect(steps[1].state).toMatchObject({
      lastArguments: { user: { name: 'ann' } },
      lastResult: { ok: true },
    });
    expect(JSON.stringify(record.ended)).not.toContain('a@b');
    expect(Object.keys(notRecorded ?? {}).sort()).toEqual([
      'action.arguments.user.email',
      'history.arguments.user.email',
      'lastArguments.user.email',
      'lastResult.card',
    ]);
  });

  it('is left out where it is too deep, or too much, for any reader', async () => {
    const { session, record, call } = recorded();
    await call('look', {}, `${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    await call('look', {}, JSON.stringify({ few: 1, many: Array.from({ length: 1_000_001 }, () => 1) }));
    await session.end();
    const [{ steps, complete, notRecorded }] = record.ended;
    expect(complete).toBe(true);
    expect(steps.map(({ state }) => state.lastResult)).toEqual([null, undefined, { few: 1 }]);
    expect(notRecorded).toMatchObject({
      lastResult: 'it is nested more than 1000 deep',
      'lastResult.many': 'the step has more than 1000000 values',
    });
  });

  it('of arguments that are hidden as a whole, nothing is recorded', async () => {
    const { session, record, call } = recorded({ redact: ['arguments'] });
    await call('send', { to: 'ann' });
    await session.end();
    expect(JSON.stringify(record.ended)).not.toContain('ann');
    expect(Object.keys(record.ended[0].notRecorded ?? {})).toEqual([
      'lastArguments',
      'action.arguments',
      'history.arguments',
    ]);
  });

  it('ends the trace, as cut, before a call in a state or at a time that nobody knows', async () => {
    let state: unknown = { a: 1 };
    let now = 5;
    const { session, record, call } = recorded({ state: () => state, time: () => now });
    await call('look');
    state = 'asleep';
    await call('look');
    state = { a: 2 };
    await call('look');
    await session.end();
    expect(record.ended[0]).toMatchObject({ complete: false, steps: [{ state: { a: 1 }, time: 5 }] });
    expect(record.ended[0].steps).toHaveLength(1);

    const back = recorded({ state: () => state, time: () => now });
    await back.call('look');
    now = 4;
    await back.call('look');
    await back.session.end();
    expect(back.record.ended[0].steps).toHaveLength(1);
    expect(back.record.ended[0].complete).toBe(false);
  });

  it('goes on after a call that was withheld because the world could not be observed', async () => {
    let broken = false;
    const { session, record, call } = recorded({
      judges: [await rulesGuard()],
      shadow: false,
      onFault: 'block',
      state: () => {
        if (broken) throw new Error('asleep');
        return { a: 1 };
      },
    });
    await call('look');
    broken = true;
    expect((await call('look')).reason).toBe('state-failed');
    broken = false;
    await call('look');
    await session.end();
    expect(record.ended[0]).toMatchObject({ complete: true });
    expect(record.ended[0].steps).toHaveLength(3);
  });
});

describe('an error of what keeps the recording', () => {
  it.each(['throws', 'rejects'] as const)('ends the recording and decides nothing: it %s', async (how) => {
    let puts = 0;
    const ends: boolean[] = [];
    const fail = (): never => {
      throw new Error('disk full');
    };
    const { session, call } = recorded({
      judges: [await rulesGuard()],
      shadow: false,
      record: {
        begin: () => ({
          put: () => {
            if (++puts < 2) return;
            if (how === 'throws') fail();
            return Promise.reject(new Error('disk full'));
          },
          end: (complete) => {
            ends.push(complete);
            return how === 'throws' ? fail() : Promise.reject(new Error('disk full'));
          },
        }),
      },
    });
    for (let i = 0; i < 4; i++) expect((await call('look')).decision).toBe('allow');
    expect((await call('send')).decision).toBe('block');
    await session.end();
    expect(puts).toBe(2);
    expect(ends).toEqual([false]);
  });
});

it('refuses to record a run that is resumed, which would begin in its middle', async () => {
  const judges = [await rulesGuard()];
  const options = { tools: TOOLS, judges, state: () => ({}), record: memoryTraces() };
  const resume = [{ kind: 'begin' }] as unknown as NonNullable<SessionOptions['resume']>;
  expect(() => createSession({ ...options, resume })).toThrow(/would begin in its middle/);
  expect(() => createSession({ ...options, resume: [] })).not.toThrow();
});
