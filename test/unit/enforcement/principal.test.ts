import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import { readJsonLines } from '../../../bindings/observations/trace/index.js';
import { compileRules, parseSpecification } from '../../../bindings/rules/specification/index.js';
import { bindAgentSpec, parseAgentSpec } from '../../../bindings/runtime/agentspec/index.js';
import {
  continueRun,
  createSession,
  type Principal,
  type RunRecord,
  type SessionOptions,
} from '../../../bindings/runtime/enforcement/index.js';
import { createGuard } from '../../../bindings/runtime/guard/index.js';
import { chunked, collect } from '../trace/bytes.js';
import { memoryRuns } from './memoryRuns.js';
import { memoryTraces } from './memoryTraces.js';
import { expectReplayed } from './replayed.js';

/** A guard that blocks `set` unless the predicate holds. */
const only = (predicate: string) => {
  const specification = parseSpecification(`version: 1
predicates:
  sets: 'has(action.name) && action.name == "set"'
  may: ${JSON.stringify(predicate)}
rules: { may: { formula: 'G (sets -> may)', strategy: block } }`);
  return { file: compileRules(specification) };
};
const admins = only('"admin" in principal.roles');
const ada: Principal = { id: 'ada', roles: ['admin', 'user'], tenant: 'home', email: 'ada@home.example' };

function begin(options: Partial<SessionOptions>) {
  const records: RunRecord[] = [];
  const session = createSession({
    ...('judges' in options ? {} : { guard: createGuard(admins.file) }),
    tools: ['set', 'look'],
    id: 'run',
    log: { append: (record) => void records.push(JSON.parse(JSON.stringify(record))) },
    ...options,
  });
  let calls = 0;
  const call = async (name: string, args = {}, result: unknown = 1) => {
    const verdict = await session.decide({ id: String(calls++), name, arguments: args });
    if (verdict.run !== null) await session.ran(verdict, { result });
    return verdict;
  };
  return { session, records, call };
}

describe('who is asking', () => {
  it('is read by predicates of rules, with and without a state of one’s own', async () => {
    for (const state of [undefined, () => ({ door: 'open' })]) {
      const given = state && { state };
      expect((await begin({ principal: ada, ...given }).call('set')).decision).toBe('allow');
      expect((await begin({ principal: { id: 'eve', roles: [] }, ...given }).call('set')).decision).toBe(
        'block',
      );
    }
  });

  it('is read by rules of AgentSpec, whose predicates may be functions', async () => {
    const rules = () =>
      bindAgentSpec(parseAgentSpec('rule @admins\ntrigger set\ncheck stranger\nenforce stop\nend').rules, {
        predicates: {
          stranger: ({ state }: { state: unknown }) =>
            !(state as { principal: Principal }).principal.roles?.includes('admin'),
        },
      } as never);
    const judged = async (principal?: Principal) =>
      (await begin({ judges: [rules()], ...(principal && { principal }) }).call('set')).decision;
    expect(await judged(ada)).toBe('allow');
    expect(await judged({ id: 'eve', roles: [] })).toBe('stop');
    expect(await judged()).toBe('stop');
  });

  it('is never taken from the state, arguments, results, or later changes of what was given', async () => {
    const forged = { id: 'eve', roles: ['admin'] };
    const own = await begin({
      principal: { id: 'eve', roles: [] },
      state: () => ({ principal: forged }),
    }).call('set');
    expect([own.decision, own.reason]).toEqual(['stop', 'state-failed']);
    expect(own.explanation).toContain('the state has a field named principal');
    const nobody = await begin({ state: () => ({ principal: forged }) }).call('set');
    expect([nobody.decision, nobody.reason]).toEqual(['stop', 'state-failed']);

    const given = { id: 'eve', roles: ['user'] };
    const { call } = begin({ principal: given });
    given.roles.push('admin');
    await call('look', { principal: forged }, { principal: forged });
    expect((await call('set', { principal: forged, roles: ['admin'] })).decision).toBe('block');
  });

  it('is read once, so that a getter tells one story', async () => {
    let read = 0;
    const principal = {
      id: 'eve',
      get roles() {
        return read++ === 0 ? [] : ['admin'];
      },
    };
    const { call } = begin({ principal });
    expect([(await call('set')).decision, (await call('set')).decision, read]).toEqual(['block', 'block', 1]);
  });

  it('lets a call run only if each claim that decides was given, and says so: against an oracle', async () => {
    const claim = fc.constantFrom(undefined, 'a', 'b', 1, null, true, ['a'], { a: 1 });
    const isMap = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
    const predicates: [string, (claims: Record<string, unknown>) => boolean][] = [
      ['principal.level == "a"', ({ level }) => level === 'a'],
      ['principal.level != "a"', ({ level }) => level === null || level === 'b'],
      [
        '!("a" in principal.level)',
        ({ level }) =>
          Array.isArray(level) ? !level.includes('a') : isMap(level) && !('a' in (level as object)),
      ],
      [
        '!(principal.level == "a") && !(principal.other == "b")',
        ({ level, other }) => [null, 'b'].includes(level as never) && [null, 'a'].includes(other as never),
      ],
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...predicates),
        fc.option(fc.record({ level: claim, other: claim }), { nil: undefined }),
        async ([predicate, permits], claims) => {
          const principal = claims && ({ id: 'x', ...claims } as Principal);
          const told = claims === undefined ? null : JSON.parse(JSON.stringify(claims));
          const session = createSession({
            guard: createGuard(only(predicate).file),
            tools: ['set'],
            ...(principal && { principal }),
          });
          const verdict = await session.decide({ id: '1', name: 'set', arguments: {} });
          const expected = told !== null && permits(told);
          expect(verdict.decision, JSON.stringify(told)).toBe(expected ? 'allow' : 'block');
        },
      ),
      { numRuns: 300 },
    );
  });

  it('has no claims that nobody gave: neither has nor a comparison makes a way through', async () => {
    for (const predicate of [
      '!has(principal.banned)',
      'principal.tenant != "other"',
      '!("guest" in principal.roles)',
    ]) {
      const { decision } = await begin({ judges: [createGuard(only(predicate).file)] }).call('set');
      expect(decision, predicate).toBe('block');
    }
  });

  const wrong: [given: unknown, words: string][] = [
    ['ada', 'principal is the text "ada"'],
    [['ada'], 'principal is a list'],
    [new Map(), 'principal is an object with nothing in it; expected plain data'],
    [{}, 'principal.id is undefined; expected text that names who is asking'],
    [{ id: '' }, 'principal.id is empty'],
    [{ id: 7 }, 'principal.id is 7'],
    [{ id: 'a', roles: 'admin' }, 'principal.roles is the text "admin"; expected a list of texts'],
    [{ id: 'a', roles: ['x', 7] }, 'principal.roles is a list with something else than text in it'],
    [{ id: 'a', tenant: null }, 'principal.tenant is null; expected text, or leave it out'],
    [{ id: 'a', since: new Date(0) }, 'since is an object with a method toJSON'],
    [{ id: 'a', check: () => true }, 'check is a function'],
    [{ id: 'a', note: 'x'.repeat(10_001) }, 'more than 10000 characters'],
    [JSON.parse('{"id": "a", "__proto__": {"roles": ["admin"]}}'), '__proto__'],
  ];
  it.each(wrong)('is refused if it is no plain principal: %j', (principal, words) => {
    expect(() => begin({ principal: principal as Principal })).toThrow(words);
  });
});

describe('the records of who is asking', () => {
  it('begin with it, and replay', async () => {
    const { session, records, call } = begin({ principal: ada });
    await call('set');
    await session.end();
    expect(records[0]).toMatchObject({ kind: 'begin', principal: ada });
    expect(records[0]).not.toHaveProperty('principalHash');
    expect(await expectReplayed(records, admins.file)).toBe(1);
    const { records: without, call: again } = begin({});
    await again('look');
    expect(without[0]).not.toHaveProperty('principal');
  });

  it('hide what is to be hidden, by name and by path', async () => {
    const { records, call } = begin({ principal: ada, redact: ['principal.email', 'tenant'] });
    expect((await call('set')).decision).toBe('allow');
    expect(records[0]).toMatchObject({
      principal: { id: 'ada', roles: ada.roles, tenant: '[redacted]', email: '[redacted]' },
      principalHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(JSON.stringify(records)).not.toContain('ada@home.example');
    expect(() => begin({ redact: ['state.email'] })).toThrow('begin at arguments or principal');
  });

  it.each([
    ['in the open', {}],
    ['hidden', { redact: ['email'] }],
    ['hidden, with a key', { redact: ['principal.*'], hashKey: 'k'.repeat(16) }],
  ])('are resumed by the same alone: %s', async (_, hiding) => {
    const { records, call } = begin({ principal: ada, ...hiding });
    await call('look');
    const resumed = (principal?: Principal) =>
      begin({ ...hiding, resume: records, ...(principal && { principal }) });
    expect((await resumed({ ...ada }).call('set')).decision).toBe('allow');
    const { email, ...rest } = ada;
    expect((await resumed({ email, ...rest } as Principal).call('set')).decision).toBe('allow');
    for (const other of [{ ...ada, email: 'eve@evil.example' }, { ...ada, id: 'eve' }, rest as Principal])
      expect(() => resumed(other)).toThrow('began with another principal than this session has');
    expect(() => resumed()).toThrow('run run began with one, and this session is without a principal');
    const nobody = begin({});
    await nobody.call('look');
    expect(() => begin({ principal: ada, resume: nobody.records })).toThrow(
      'run run began without a principal, and this session is with one',
    );
  });

  it('lie in a store, where another process goes on with the same alone', async () => {
    const { store } = memoryRuns();
    const process = async (principal: Principal) =>
      begin({ ...(await continueRun(store, 'shared')), principal });
    await (await process(ada)).call('look');
    await expect(process({ ...ada, roles: [] })).rejects.toThrow('began with another principal');
    const { call, session } = await process(ada);
    expect((await session.decide({ id: 'new', name: 'set', arguments: {} })).decision).toBe('allow');
    expect((await call('look')).reason).toBe('repeated-call');
  });
});

describe('recordings of who is asking', () => {
  async function recorded(options: Partial<SessionOptions>) {
    const record = memoryTraces();
    const { session, call } = begin({ record, principal: ada, ...options });
    await call('look');
    await call('set');
    await session.end();
    const text = record.ended.map((trace) => JSON.stringify(trace)).join('\n');
    const [trace] = await collect(readJsonLines(chunked(text), { source: 'runs.jsonl' }));
    return { trace, text };
  }

  it('have it in every state, as guards read it', async () => {
    for (const options of [{}, { state: () => ({ door: 'open' }) }, { shadow: true }]) {
      const { trace } = await recorded(options);
      expect(trace.steps.map(({ state }) => state.principal)).toEqual([ada, ada, ada]);
      const guard = createGuard(admins.file);
      expect(trace.steps.map((step) => guard.step(step.state, step).decision)).toEqual([
        'allow',
        'allow',
        'allow',
      ]);
      guard.reset();
      const { principal: _, ...nobody } = trace.steps[1].state;
      expect(guard.step(nobody, trace.steps[1]).decision).toBe('block');
    }
  });

  it('lack what is hidden, and name it', async () => {
    const { trace, text } = await recorded({ redact: ['principal.email'] });
    expect(text).not.toContain('ada@home.example');
    expect(trace.notRecorded).toEqual({ 'principal.email': 'it is hidden by redact' });
    expect(trace.steps[0].state.principal).toEqual({ id: 'ada', roles: ada.roles, tenant: 'home' });
  });
});
