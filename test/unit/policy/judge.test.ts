import { beforeAll, describe, expect, it } from 'vitest';
import { loadRegexEngine } from '../../../bindings/languages/expression/index.js';
import {
  compileRules,
  parsePolicies,
  parseSpecification,
} from '../../../bindings/rules/specification/index.js';
import {
  type AuditEntry,
  createSession,
  type RunRecord,
  replayAudit,
  type SessionOptions,
} from '../../../bindings/runtime/enforcement/index.js';
import { createGuard, type Judge, policyJudge } from '../../../bindings/runtime/guard/index.js';

beforeAll(loadRegexEngine);

const TEXT = `
version: 1
inputs:
  to: { list: text, max: 3 }
  amount: { integer: [0, 1000] }
policies:
  mail: { tools: [send], permit: { home: 'to.all(r, domainOf(r) == "home.example")' }, onDeny: { strategy: reflect, escalate: [stop] } }
  money: { tools: [pay], permit: { small: 'amount < 100' }, onDeny: { strategy: inspect } }
`;
const RULES = `
version: 1
predicates: { pays: 'has(action.name) && action.name == "pay"' }
rules: { once: { formula: 'G count(pays) <= 1' } }
`;
const TOOLS = ['send', 'pay', 'look'];

function judge(text = TEXT): Promise<Judge> {
  const { set, hash } = parsePolicies(text);
  return policyJudge(set, hash);
}

async function session(options: Partial<SessionOptions> = {}) {
  const records: RunRecord[] = [];
  const made = createSession({
    judges: [await judge()],
    tools: TOOLS,
    log: { append: async (record) => void records.push(structuredClone(record)) },
    ...options,
  });
  let id = 0;
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const verdict = await made.decide({ id: `${id++}`, name, arguments: args });
    if (verdict.run) await made.ran(verdict, { result: 'done' });
    return verdict;
  };
  return { made, records, call };
}

describe('a yes to a policy', () => {
  const text = `
version: 1
inputs:
  amount: { integer: [0, 1000] }
  to: { type: text }
  tainted: { from: state.tainted, type: boolean }
policies:
  money: { tools: [pay], permit: { small: 'amount < 100' }, forbid: { private: 'tainted' }, onDeny: { strategy: inspect } }
  whom: { tools: [pay], permit: { known: 'to == "bob"' } }
`;
  const asking = async (of: string) => {
    const asked: string[] = [];
    const world = { tainted: false, taints: false };
    const { call } = await session({
      judges: [await judge(of)],
      onFault: 'block',
      state: () => ({ tainted: world.tainted }),
      ask: async ({ question }) => {
        asked.push(question);
        world.tainted ||= world.taints;
        return { approved: true };
      },
    });
    return { call, asked, world };
  };

  it('is none to another that denies the call as well', async () => {
    const { call, asked } = await asking(text);
    expect((await call('pay', { amount: 500, to: 'bob' })).decision).toBe('allow');
    expect(asked).toHaveLength(1);
    expect((await call('pay', { amount: 500, to: 'eve' })).rule).toBe('whom');
    expect((await call('pay', { amount: 500, to: 'eve', more: 1 })).decision).toBe('block');
    expect((await call('pay', { amount: 500, to: 7 })).decision).toBe('block');
    expect(asked).toHaveLength(1);
  });

  it('is to all that was named, and to no condition that holds only since', async () => {
    const both = text.replace(
      'known: \'to == "bob"\' }',
      'known: \'to == "bob"\' }, onDeny: { strategy: inspect }',
    );
    const { call, asked, world } = await asking(both);
    world.tainted = true;
    expect((await call('pay', { amount: 500, to: 'eve' })).decision).toBe('allow');
    for (const named of [
      'forbids it: "private"',
      '"small" (amount < 100)',
      'also overrules "whom: nothing permits it" (inspect)',
    ])
      expect(asked[0]).toContain(named);
    Object.assign(world, { tainted: false, taints: true });
    expect(await call('pay', { amount: 500, to: 'bob' })).toMatchObject({ decision: 'block', run: null });
    expect(asked).toHaveLength(2);
  });
});

describe('a yes with other arguments', () => {
  const text = `
version: 1
inputs: { to: { type: text }, amount: { integer: [0, 1000] } }
policies:
  pay:
    tools: [pay]
    requires: 'amount < 100'
    permit: { known: 'to == "bob"' }
    forbid: { seven: 'amount == 7' }
    onDeny: { strategy: inspect }
`;
  const answered = async (proposed: Record<string, unknown>, changed: Record<string, unknown>) => {
    const { call } = await session({
      judges: [await judge(text)],
      onFault: 'block',
      edits: true,
      ask: async () => ({ approved: true, arguments: changed }),
    });
    return (await call('pay', proposed)).decision;
  };
  const [extra, unknown] = [
    { to: 'bob', amount: 1, more: 1 },
    { to: 'eve', amount: 1 },
  ];
  const [large, wrong] = [
    { to: 'bob', amount: 500 },
    { to: 'bob', amount: '1' },
  ];
  const seven = { to: 'bob', amount: 7 };

  it('is none to what was not shown of the same policy, whatever kind of denial that is', async () => {
    const denied = [extra, unknown, large, wrong, seven];
    for (const proposed of denied)
      for (const changed of denied)
        expect(await answered(proposed, changed), JSON.stringify([proposed, changed])).toBe(
          proposed === changed ? 'allow' : 'block',
        );
    expect(await answered(extra, { ...extra, more: 2 })).toBe('allow');
    expect(await answered(extra, { ...extra, other: 2, more: undefined })).toBe('block');
    expect(await answered(large, { to: 'bob', amount: 600 })).toBe('allow');
  });
});

describe('policies in a session', () => {
  it('permit and deny by themselves, without any guard', async () => {
    const { made, call } = await session();
    expect((await call('send', { to: ['a@home.example'] })).decision).toBe('allow');
    const denied = await call('send', { to: ['a@evil.example'] });
    expect(denied).toMatchObject({ decision: 'reflect', rule: 'mail', reason: 'policy', run: null });
    expect(denied.message).toContain('permits it only if one of these holds: "home"');
    expect((await call('look')).message).toContain('No policy decides calls of this tool.');
    expect((await call('send', { to: ['a@home.example'], bcc: 'x' })).message).toContain(
      'the argument "bcc"',
    );
    expect((await call('pay', { amount: 'all' })).decision).toBe('inspect');
    await made.end();
  });

  it('come to what onDeny says once the agent has reflected too often', async () => {
    const { made, call } = await session({ maxReflections: 1 });
    const away = { to: ['a@evil.example'] };
    expect((await call('send', away)).decision).toBe('reflect');
    expect((await call('send', away)).decision).toBe('stop');
    expect((await call('send', { to: ['a@home.example'] })).run).toBeNull();
    await made.end();
  });

  it('let run what a person approves, of a policy that asks', async () => {
    const { made, call } = await session({ ask: async () => ({ approved: true, by: 'Ada' }) });
    expect((await call('pay', { amount: 500 })).run).not.toBeNull();
    await made.end();
  });

  it('stand beside rules: the most severe decides, and what a policy denies is no step', async () => {
    const rules = () => createGuard(compileRules(parseSpecification(RULES)));
    const { made, call } = await session({ judges: [rules(), await judge()] });
    expect((await call('pay', { amount: 500 })).decision).toBe('inspect');
    expect((await call('pay', { amount: 50 })).decision).toBe('allow');
    expect(await call('pay', { amount: 50 })).toMatchObject({ decision: 'block', rule: 'once' });
    await made.end();
  });

  it('are recorded without arguments, replayed to the bit, and resumed under the same policies alone', async () => {
    const { made, records, call } = await session();
    for (const to of [['a@home.example'], ['secret@evil.example'], 'secret@evil.example'])
      await call('send', { to });
    await call('look');
    const cut = structuredClone(records);
    await made.end();
    const read = records.flatMap((record) =>
      record.kind === 'decision' ? [JSON.stringify([record.observed, record.beside])] : [],
    );
    expect(read).toHaveLength(4);
    expect(read.join()).not.toContain('secret');
    const entries = (async function* () {
      for (const [sequence, record] of records.entries()) yield { sequence, record } as AuditEntry;
    })();
    const replayed = await replayAudit(entries, null, { judges: [await judge()] });
    expect(replayed).toMatchObject({ decisions: 4, faults: 0, reactive: 0, difference: null });
    const resumed = createSession({ judges: [await judge()], tools: TOOLS, resume: cut });
    expect(
      (await resumed.decide({ id: '9', name: 'send', arguments: { to: ['a@home.example'] } })).decision,
    ).toBe('allow');
    await resumed.end();
    const other = TEXT.replace('amount < 100', 'amount < 101');
    const changed = await judge(other);
    expect(() => createSession({ judges: [changed], tools: TOOLS, resume: cut })).toThrow();
  });
});

describe('policies of the state', () => {
  const COUNTED = `
version: 1
inputs:
  n: { from: state.calls.pay, integer: [0, 1000], optional: true }
policies:
  twice: { tools: [pay], permit: { few: 'n == null || n < 2' } }
`;

  it('let no more calls run than they permit, also where calls are proposed at once', async () => {
    const { made } = await session({ judges: [await judge(COUNTED)] });
    const decide = (id: number) => made.decide({ id: `${id}`, name: 'pay', arguments: {} }, { wait: true });
    const ran = [1, 2, 3, 4].map(async (id) => {
      const verdict = await decide(id);
      if (verdict.run) await made.ran(verdict, { result: 'done' });
      return verdict.decision;
    });
    expect(await Promise.all(ran)).toEqual(['allow', 'allow', 'block', 'block']);
    const { made: other } = await session({ judges: [await judge(COUNTED)] });
    const verdicts = [];
    for (const id of ['1', '2', '3']) verdicts.push(await other.decide({ id, name: 'pay', arguments: {} }));
    expect(verdicts.map(({ reason }) => reason)).toEqual(['permitted', 'calls-running', 'calls-running']);
  });

  it('judge calls side by side if they read nothing but who is asking', async () => {
    const whom = COUNTED.replace(
      'state.calls.pay, integer: [0, 1000], optional',
      'state.principal.id, type: text, optional',
    ).replace('n == null || n < 2', 'n == "ann"');
    const { made } = await session({ judges: [await judge(whom)], principal: { id: 'ann' } });
    const decisions = [];
    for (const id of ['1', '2', '3'])
      decisions.push((await made.decide({ id, name: 'pay', arguments: {} })).decision);
    expect(decisions).toEqual(['allow', 'allow', 'allow']);
  });
});

it.each(['strategy: report', 'strategy: reflect, escalate: [report]'])(
  'a policy that would let a denied call run is refused: %s',
  (onDeny) => {
    expect(() =>
      parsePolicies(`version: 1
inputs: { to: { type: text } }
policies: { mail: { tools: [send], permit: { home: 'to == "ann"' }, onDeny: { ${onDeny} } } }
`),
    ).toThrow('a policy that only reports denies nothing');
  },
);
