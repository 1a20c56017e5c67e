import { describe, expect, it } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import { parsePolicies } from '../../../bindings/rules/specification/index.js';
import { guardCalls } from '../../../bindings/runtime/adapters/plain.js';
import { bindAgentSpec, parseAgentSpec } from '../../../bindings/runtime/agentspec/index.js';
import { createSession } from '../../../bindings/runtime/enforcement/index.js';
import { policyJudge } from '../../../bindings/runtime/guard/index.js';
import { mailbox, mailGuard, mailShield, mailTools } from '../../../examples/mail/mail.mjs';

const proposed = (...names: string[]) =>
  names.map((name, i) => ({ id: String(i), name, arguments: { to: 'x', url: 'u', query: 'q' } }));

describe('under a guard of a chain, which does not know what calls do', () => {
  it('calls of one turn run one at a time, each judged by what those before it did', async () => {
    const box = mailbox();
    const session = createSession({ guard: await mailGuard(), tools: mailTools, state: box.state });
    const answers = await guardCalls(session, box.tools)(proposed('fetch', 'send'));
    expect(answers.map(({ verdict }) => verdict.decision)).toEqual(['allow', 'block']);
    expect([box.ran, box.world.leaked]).toEqual([['fetch'], false]);
  });

  it('a call is blocked where a framework decides on it beside another, and may be proposed again', async () => {
    const box = mailbox();
    const session = createSession({ guard: await mailGuard(), tools: mailTools, state: box.state });
    const [search, other] = proposed('search', 'search');
    const first = await session.decide(search);
    expect(first.decision).toBe('allow');
    expect(await session.decide(other)).toMatchObject({
      decision: 'block',
      reason: 'calls-running',
      run: null,
    });
    await session.ran(first, { result: 1 });
    expect((await session.decide(other)).decision).toBe('allow');
  });
});

describe.each([
  ['a chain', mailGuard],
  ['a decision process', mailShield],
])('under a guard of %s', (_, guard) => {
  it.each([0, 2])('no more calls are let through beside others than maxPending: %i', async (maxPending) => {
    const box = mailbox();
    const session = createSession({ guard: await guard(), tools: mailTools, state: box.state, maxPending });
    const verdicts = [];
    for (const call of proposed('search', 'search', 'search', 'search'))
      verdicts.push(await session.check(call));
    const through = verdicts.filter(({ run }) => run !== null);
    expect(through.length).toBe(maxPending + 1);
    expect(verdicts.slice(maxPending + 1).every(({ reason }) => reason === 'calls-running')).toBe(true);
    await session.withdraw(verdicts[0]);
    expect((await session.check(proposed('search')[0])).decision).toBe('allow');
  });
});

describe('what looks at the present', () => {
  const once = () =>
    bindAgentSpec(parseAgentSpec('rule @once trigger pay check paid enforce stop end').rules, {
      predicates: { paid: 'history.exists(c, c.name == "pay")' },
    });
  const small = async () => {
    const { set, hash } = parsePolicies(
      `{ version: 1, inputs: { amount: { type: integer } },
        policies: { small: { tools: [pay], permit: { few: 'amount <= 10' } } } }`,
    );
    return policyJudge(set, hash);
  };
  const ofMine = {
    name: 'mine',
    hash: 'once',
    decisions: [{ kind: 'block' }] as const,
    begin: () => ({
      propose: (_: unknown, { state }: { readonly state: { readonly calls?: { readonly pay?: number } } }) =>
        decided((state.calls?.pay ?? 0) > 0),
      decideAgain: (read: unknown) => decided((read as { readonly paid: boolean }).paid),
    }),
  };
  const decided = (paid: boolean) =>
    ({ decision: paid ? 'block' : 'allow', reason: 'paid', read: { paid } }) as const;

  it.each([
    ['rules of AgentSpec', once],
    ['a judge that does not say', () => ofMine],
  ])(
    '%s, beside policies that can judge beside any number of calls, sees what each call does',
    async (_, judge) => {
      const session = createSession({ judges: [judge() as never, await small()], tools: ['pay'] });
      let paid = 0;
      const run = guardCalls(session, { pay: async () => void paid++ });
      await run(['1', '2', '3'].map((id) => ({ id, name: 'pay', arguments: { amount: 1 } })));
      expect(paid).toBe(1);
    },
  );
});
