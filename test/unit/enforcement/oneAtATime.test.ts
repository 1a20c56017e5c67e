import { describe, expect, it } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import { guardCalls } from '../../../bindings/runtime/adapters/plain.js';
import { createSession } from '../../../bindings/runtime/enforcement/index.js';
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
