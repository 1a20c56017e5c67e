import { describe, expect, it } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import { learnMdp } from '../../../bindings/estimation/learning/index.js';
import { Abstraction } from '../../../bindings/observations/abstraction/index.js';
import { compileGuard } from '../../../bindings/rules/risk/index.js';
import { compileRules, parseSpecification } from '../../../bindings/rules/specification/index.js';
import {
  createSession,
  type RunRecord,
  type SessionOptions,
} from '../../../bindings/runtime/enforcement/index.js';
import { createGuard, type GuardFile } from '../../../bindings/runtime/guard/index.js';
import { expectReplayed } from './replayed.js';
import { guardThat } from './setting.js';

const RULES = `version: 1
predicates:
  sends: 'action.name == "send"'
  reviews: 'action.name == "review"'
  leaked: leaked
rules:
  reviewFirst: { formula: 'G (sends -> O reviews)', strategy: inspect }
  noLeak: { formula: 'G !leaked', strategy: inspect }`;

function sessionOf(options: Partial<SessionOptions> = {}) {
  const records: RunRecord[] = [];
  const asked: string[] = [];
  const world = { leaked: false };
  const answers = { yes: true };
  const file: GuardFile = compileRules(parseSpecification(RULES));
  const session = createSession({
    guard: createGuard(file),
    tools: ['send', 'review', 'look'],
    state: () => ({ ...world }),
    log: { append: (record) => void records.push(JSON.parse(JSON.stringify(record))) },
    ask: async ({ rule, call }) => {
      asked.push(`${call.name}: ${rule}`);
      return { approved: answers.yes, by: 'Ada' };
    },
    ...options,
  });
  let calls = 0;
  const call = async (name: string) => {
    const verdict = await session.decide({ id: String(calls++), name, arguments: {} });
    if (verdict.run !== null) await session.ran(verdict, { result: null });
    return `${verdict.decision} ${verdict.reason}`;
  };
  return { session, records, asked, world, answers, call, file };
}

/** A session on what was learnt of an agent that sends what it fetched half of the time, which leaks. */
async function learntSession(shield: string) {
  const specification = parseSpecification(`version: 1
predicates: { tainted: tainted, leaked: leaked }
rules: { noLeak: { formula: 'G !leaked', threshold: 0.9, strategy: inspect } }
shield: ${shield}
learning: { model: mdp, smoothing: 0 }`);
  const step = (tainted: boolean, leaked: boolean, name?: string) => ({
    state: { tainted, leaked },
    ...(name !== undefined && { action: { name } }),
  });
  const begins = [step(false, false, 'look'), step(false, false, 'fetch')];
  const traces = [
    [...begins, step(true, false, 'send'), step(true, true, 'look'), step(true, true)],
    [...begins, step(true, false, 'forget'), step(false, false)],
  ].map((steps, i) => ({ id: `${i}`, steps }));
  const { model } = await learnMdp(
    new Abstraction(specification.abstraction),
    traces,
    specification.learning,
  );
  const file = compileGuard(specification, model);
  const world = { tainted: false, leaked: false };
  const run = sessionOf({
    guard: createGuard(file),
    tools: ['look', 'fetch', 'forget', 'send'],
    state: () => ({ ...world }),
  });
  const call = async (name: string) => {
    const verdict = await run.session.decide({ id: crypto.randomUUID(), name, arguments: {} });
    if (verdict.run !== null) {
      if (name === 'fetch') world.tainted = true;
      if (name === 'forget') world.tainted = false;
      if (name === 'send') world.leaked = true;
      await run.session.ran(verdict, { result: null });
    }
    return `${verdict.decision} ${verdict.reason}`;
  };
  return { ...run, call, world, file };
}

describe("a person's yes", () => {
  it('excuses what the call breaks, so that the run goes on, and is asked for again the next time', async () => {
    const { call, asked, records, session, file } = sessionOf();
    expect(await call('send')).toBe('allow approved');
    for (let i = 0; i < 3; i++) expect(await call('look')).toBe('allow kept');
    expect(await call('send')).toBe('allow approved');
    expect(await call('review')).toBe('allow kept');
    expect(await call('send')).toBe('allow kept');
    expect(asked).toEqual(['send: reviewFirst', 'send: reviewFirst']);
    const outcomes = records.flatMap((one) =>
      one.kind === 'outcome' && one.outcome === 'approved' ? [one] : [],
    );
    expect(outcomes.map(({ by, excused }) => [by, excused])).toEqual([
      ['Ada', ['reviewFirst']],
      ['Ada', ['reviewFirst']],
    ]);
    await session.end();
    expect(await expectReplayed(records, file)).toBe(7);
  });

  it('excuses nothing that was not asked about', async () => {
    const { call, answers, world } = sessionOf();
    expect(await call('send')).toBe('allow approved');
    answers.yes = false;
    expect(await call('send')).toBe('block refused');
    expect(await call('look')).toBe('allow kept');
    world.leaked = true;
    expect(await call('look')).toBe('block refused');
    // The state has broken the rule, and nobody has excused it.
    expect(await call('look')).toBe('block refused');
    answers.yes = true;
    expect(await call('look')).toBe('allow approved');
  });

  it('to an outcome that breaks a rule counts for one call: the next is asked about again', async () => {
    const { call, world, asked } = sessionOf();
    await call('review');
    world.leaked = true;
    expect(await call('look')).toBe('allow approved');
    expect(await call('look')).toBe('allow approved');
    world.leaked = false;
    expect(await call('look')).toBe('allow kept');
    expect(asked).toEqual(['look: noLeak', 'look: noLeak']);
  });

  it('to a call whose own outcome breaks the rule says nothing of the calls after it: they are asked about', async () => {
    const { session, asked, world, records, file } = sessionOf();
    await session
      .decide({ id: 'r', name: 'review', arguments: {} })
      .then((one) => session.ran(one, { result: null }));
    world.leaked = true;
    const first = await session.decide({ id: 'a', name: 'look', arguments: {} });
    expect([first.decision, first.reason]).toEqual(['allow', 'approved']);
    world.leaked = false;
    await session.ran(first, { result: null });
    const second = await session.decide({ id: 'b', name: 'look', arguments: {} });
    // Nothing was against this one; what comes of it is.
    expect([second.decision, second.reason]).toEqual(['allow', 'kept']);
    world.leaked = true;
    await session.ran(second, { result: null });
    const third = await session.decide({ id: 'b', name: 'look', arguments: {} });
    expect([third.decision, third.reason, third.rule]).toEqual(['allow', 'approved', 'noLeak']);
    expect(asked).toEqual(['look: noLeak', 'look: noLeak']);
    expect(session.stopped).toBeNull();
    await session.end();
    await expectReplayed(records, file);
  });

  it.each(['predict', 'least', 'budget'])(
    'is asked for at the violating call itself, under %s: nothing stops the run, or asks, before it',
    async (shield) => {
      const learnt = await learntSession(shield);
      for (const name of ['look', 'fetch', 'forget', 'fetch'])
        expect(await learnt.call(name)).toMatch(/^allow (below-threshold|at-threshold)/);
      expect(learnt.asked).toEqual([]);
      expect(await learnt.call('send')).toBe('allow approved');
      expect(learnt.asked).toEqual(['send: noLeak']);
      expect(learnt.world.leaked).toBe(true);
      expect(learnt.session.stopped).toBeNull();
      // The state breaks the rule: a call in it is asked about, and does not stop the run.
      expect(await learnt.call('look')).toBe('allow approved');
      await expectReplayed(learnt.records, learnt.file);
    },
  );

  it('excuses after a restart, too', async () => {
    const { call, records } = sessionOf({ id: 'one' });
    expect(await call('send')).toBe('allow approved');
    const after = sessionOf({ id: 'one', resume: [...records] });
    expect(await after.call('look')).toBe('allow kept');
    expect(await after.call('send')).toBe('allow approved');
  });

  it('that does not count excuses nothing', async () => {
    const { session, world } = sessionOf();
    const asked = await session.check({ id: 'a', name: 'send', arguments: {} });
    world.leaked = true;
    const late = await session.answer(asked.inspection?.id ?? '', { approved: true });
    expect([late.decision, late.reason]).toEqual(['block', 'no-answer']);
    expect(await session.check({ id: 'b', name: 'look', arguments: {} })).toMatchObject({ rule: 'noLeak' });
  });

  it('excuses a violation under a learnt guard', async () => {
    const state = { a: false, b: false };
    const { session } = sessionOf({
      guard: guardThat({ strategy: { kind: 'inspect' } }, { onUnknown: 'rule' }),
      state: () => ({ ...state }),
    });
    state.a = state.b = true;
    const broken = await session.decide({ id: '1', name: 'look', arguments: {} });
    expect([broken.decision, broken.reason]).toEqual(['allow', 'approved']);
    await session.ran(broken, { result: null });
    state.a = false;
    const next = await session.decide({ id: '2', name: 'look', arguments: {} });
    expect([next.decision, next.reason]).toEqual(['allow', 'below-threshold']);
  });
});

describe('a rule has not read the call that it was excused for', () => {
  const rules = (more: string) => `version: 1
predicates: { files: 'action.name == "file"', approves: 'action.name == "approve"' }
rules:
  twoPeople: { formula: 'G !((files & (O approves)) | (approves & (O files)))', strategy: inspect }
  ${more}`;
  it.each([
    ['', 'allow'],
    ["noMore: { formula: 'G !(files & (O approves))' }", 'block'],
  ])('and what is to be remembered of it stands in a rule of its own: %j', async (more, decision) => {
    const session = createSession({
      guard: createGuard(compileRules(parseSpecification(rules(more)))),
      tools: ['file', 'approve'],
      ask: async () => ({ approved: true }),
    });
    const call = async (id: string, name: string) => {
      const verdict = await session.decide({ id, name, arguments: {} });
      if (verdict.run !== null) await session.ran(verdict, { result: null });
      return [verdict.decision, verdict.reason];
    };
    expect(await call('1', 'file')).toEqual(['allow', 'kept']);
    expect(await call('2', 'approve')).toEqual(['allow', 'approved']);
    expect((await call('3', 'file'))[0]).toBe(decision);
  });
});
