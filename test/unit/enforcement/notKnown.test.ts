import { describe, expect, it } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import { replayAudit } from '../../../bindings/runtime/enforcement/audit/index.js';
import type { Inspection, RunRecord, SessionOptions } from '../../../bindings/runtime/enforcement/index.js';
import { createGuard, type GuardFile } from '../../../bindings/runtime/guard/index.js';
import { guardFile, never, ruleOf } from '../guard/guardFiles.js';
import { mailbox, mailShield } from './mail.js';
import { expectReplayed } from './replayed.js';
import { guardThat, RISKY, SAFE, setting } from './setting.js';

const TOOLS = ['search', 'fetch', 'send', 'forget', 'handOver'];

/** A run of the assistant for mail, whose data never have `forget` where nothing was read, nor `handOver` at all. */
async function mail(more: Partial<GuardFile>, options: Partial<SessionOptions> = {}) {
  const { file } = await mailShield();
  const guard = createGuard({ ...file, ...more });
  return { file: guard.file, ...setting({ guard, tools: TOOLS, state: mailbox().state, ...options }) };
}

/** Where deciding again on the records differs from them. */
async function difference(records: readonly RunRecord[], file: GuardFile) {
  async function* entries() {
    for (const [sequence, record] of records.entries()) yield { sequence, record, previous: '', hash: '' };
  }
  return (await replayAudit(entries() as never, file)).difference;
}

describe('a call that is refused for what is not known', () => {
  it('names no rule in verdict, message and record, and is decided again alike', async () => {
    const run = await mail({ onUntried: 'block' });
    const { verdict } = await run.propose('handOver');
    expect(verdict).toMatchObject({ decision: 'block', reason: 'untried-action', rule: '' });
    for (const told of [verdict.message, verdict.explanation]) {
      expect(told).toContain('This action was never seen in this state');
      expect(told).not.toContain('noLeak');
    }
    expect(run.records.at(-1)).toMatchObject({ kind: 'decision', rule: '', reason: 'untried-action' });
    expect(await expectReplayed(run.records, run.file)).toBe(1);
  });

  it('is the same in logs that name the rule whose strategy was taken, and no other', async () => {
    const run = await mail({});
    await run.propose('handOver');
    const named = (rule: string) =>
      run.records.map((record) => (record.kind === 'decision' ? { ...record, rule } : record));
    expect(await difference(named('noLeak'), run.file)).toBeNull();
    expect(await difference(named('other'), run.file)).toMatchObject({ field: 'rule', replayed: '' });
  });

  it('is asked about without a rule, and once, however many rules there are', async () => {
    const asked: Inspection[] = [];
    const data = {
      states: { words: 1, valuations: [0, 1, 2, 3], draws: [9, 5, 0, 0] },
      onUnknown: 'inspect' as const,
    };
    const rules = ['refunds', 'writes'].map((name) => ruleOf(never, [0.1, 0.6, 0.1, 1], { name }));
    const run = setting({
      guard: createGuard(guardFile(rules, data)),
      state: () => ({ a: false, b: true }),
      ask: async (inspection) => {
        asked.push(inspection);
        return { approved: true };
      },
    });
    const { verdict } = await run.propose('move');
    expect(verdict).toMatchObject({ decision: 'allow', reason: 'approved', rule: '' });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({ rule: '', risk: 1 });
    expect(asked[0].question).toBe(
      'Shall the agent call move? Step 0: inspect. This state is not known: the data never left it; onUnknown: inspect decides. State: b; not a.',
    );
    expect(await expectReplayed(run.records, createGuard(guardFile(rules, data)).file)).toBe(1);
  });

  it('is told of beside a rule that asks, and a yes does not cover it if it was not told of', async () => {
    const unknown = guardThat(
      {},
      {
        states: { words: 1, valuations: [0, 1, 2, 3], draws: [9, 0, 9, 0] },
        onUnknown: 'inspect',
      },
    );
    const asks = guardThat({ name: 'noHarm', strategy: { kind: 'inspect' } });
    const questions: string[] = [];
    const both = setting({
      guard: asks,
      judges: [unknown],
      state: () => RISKY,
      ask: async ({ question }) => {
        questions.push(question);
        return { approved: true };
      },
    });
    expect((await both.propose('move')).verdict).toMatchObject({ reason: 'approved', rule: 'noHarm' });
    expect(questions[0]).toContain('A yes also overrules that the state is not known (inspect).');

    // The world is known when it is asked, and not when the answer comes.
    let draws: unknown = RISKY;
    const moved = setting({
      guard: guardThat(
        { name: 'noHarm', strategy: { kind: 'inspect' } },
        { states: { words: 1, valuations: [0, 1, 2, 3], draws: [9, 5, 0, 0] }, onUnknown: 'inspect' },
      ),
      state: () => draws,
      ask: async () => {
        draws = { a: false, b: true };
        return { approved: true };
      },
    });
    expect((await moved.propose('move')).verdict).toMatchObject({
      decision: 'block',
      reason: 'no-answer',
      explanation: expect.stringContaining('unknown-state'),
    });
  });

  it('is followed by onFailure where nobody answers', async () => {
    const { file } = await mailShield();
    const rules = file.rules.map((rule) => ({ ...rule, onFailure: { kind: 'block' as const } }));
    const run = setting({
      guard: createGuard({ ...file, rules, onUntried: 'inspect' }),
      tools: TOOLS,
      state: mailbox().state,
      ask: async () => Promise.reject(new Error('nobody')),
    });
    expect((await run.propose('handOver')).verdict).toMatchObject({ decision: 'block', reason: 'no-answer' });
  });

  it('may be decided by any of the three, as adapters are told', async () => {
    const run = await mail({ onUntried: 'reflect', onUnreadable: 'inspect' });
    for (const strategy of ['reflect', 'inspect'] as const)
      expect(run.session.strategies).toContain(strategy);
  });

  it('goes on as it was when the run is resumed', async () => {
    const first = await mail({ onUntried: 'block' });
    await first.propose('handOver');
    const again = await mail({ onUntried: 'block' }, { resume: first.records });
    expect((await again.propose('search')).verdict.decision).toBe('allow');
  });
});

describe('a safe tool in a session', () => {
  const safe = { tools: { handOver: { safe: true } } };

  it('is safe by the guard file, is recorded so, and is decided again alike', async () => {
    const run = await mail(safe);
    const { verdict } = await run.propose('handOver');
    expect(verdict).toMatchObject({ decision: 'allow', reason: 'safe-tool', rule: '', message: null });
    expect(run.ran).toEqual(['handOver']);
    expect(run.records.at(1)).toMatchObject({ observed: { safe: true }, risk: null });
    expect(await expectReplayed(run.records, run.file)).toBe(1);
  });

  it('is safe by declaration of the session, for this session alone', async () => {
    const { file } = await mailShield();
    const guard = createGuard(file);
    const tools = Object.fromEntries(TOOLS.map((name) => [name, { safe: name === 'handOver' }]));
    const run = setting({ guard, tools, state: mailbox().state });
    expect((await run.propose('handOver')).verdict).toMatchObject({ decision: 'allow', reason: 'safe-tool' });
    expect((await run.propose('forget')).verdict.run).toBeNull();
    expect(await expectReplayed(run.records, file)).toBe(2);
    await run.session.end();
    const other = setting({ guard, tools: TOOLS, state: mailbox().state });
    expect((await other.propose('handOver')).verdict).toMatchObject({ reason: 'untried-action' });
  });

  it.each([1, 'true', {}])('is not safe by %j, which is not true', async (wrong) => {
    const { file } = await mailShield();
    const tools = { handOver: { safe: wrong as boolean } };
    const run = setting({ guard: createGuard(file), tools, state: mailbox().state });
    expect((await run.propose('handOver')).verdict).toMatchObject({ reason: 'untried-action' });
  });

  it('makes no later call unknown while it runs, and waits like any other', async () => {
    const run = await mail(safe);
    const handed = await run.session.check({ id: 'a', name: 'handOver', arguments: {} });
    expect(handed.decision).toBe('allow');
    const beside = await run.session.check({ id: 'b', name: 'search', arguments: {} });
    expect(beside).toMatchObject({ decision: 'allow', reason: 'below-threshold' });
    await run.session.ran(handed, { result: null });
    await run.session.ran(beside, { result: null });
    const observed = run.records.filter(({ kind }) => kind === 'observation');
    expect(observed).toHaveLength(1);
    expect(run.session.stopped).toBeNull();
    expect(await expectReplayed(run.records, run.file)).toBe(2);
  });

  it('makes no call unknown either that is judged after a restart, while it may still be running', async () => {
    const first = await mail(safe);
    expect((await first.session.check({ id: 'a', name: 'handOver', arguments: {} })).decision).toBe('allow');
    const again = await mail(safe, { resume: first.records });
    expect(again.session.unsettled).toMatchObject([{ name: 'handOver' }]);
    const beside = await again.session.check({ id: 'b', name: 'search', arguments: {} });
    expect(beside).toMatchObject({ decision: 'allow', reason: 'below-threshold' });
    expect(await expectReplayed([...first.records, ...again.records], again.file)).toBe(2);
    // A call of a tool that is not safe, and was never tried, makes it unknown.
    const lenient = { onUntried: 'allow', unsafeAllowUnknown: true } as const;
    const other = await mail(lenient);
    await other.session.check({ id: 'a', name: 'handOver', arguments: {} });
    const cut = await mail(lenient, { resume: other.records });
    const unknown = await cut.session.check({ id: 'b', name: 'search', arguments: {} });
    expect(unknown.run).toBeNull();
  });

  it('is still stopped by a rule without history, and by what is wrong with the call', async () => {
    const run = await mail(safe, { tools: { handOver: { check: () => 'no' } } });
    expect((await run.propose('handOver')).verdict).toMatchObject({ reason: 'invalid-arguments', run: null });
  });

  it('runs in a state that nobody can look up, and not where the state could not be read', async () => {
    const file = guardFile([ruleOf(never, [0.1, 0.6, 0.1, 1])], {
      ...safe,
      states: { words: 1, valuations: [0, 1, 2, 3], draws: [9, 5, 0, 0] },
    });
    let state: unknown = { a: false, b: true };
    const run = setting({
      guard: createGuard(file),
      tools: ['handOver'],
      state: () => state,
      onFault: 'block',
    });
    expect((await run.propose('handOver')).verdict).toMatchObject({ decision: 'allow', reason: 'safe-tool' });
    state = SAFE;
    expect((await run.propose('handOver')).verdict.decision).toBe('allow');
    state = { a: false };
    expect((await run.propose('handOver')).verdict).toMatchObject({
      decision: 'stop',
      reason: 'predicate-failed',
      rule: '',
    });
  });
});
