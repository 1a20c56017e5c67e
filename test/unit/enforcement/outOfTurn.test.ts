import { describe, expect, it } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import { learn, learnMdp } from '../../../bindings/estimation/learning/index.js';
import { Abstraction } from '../../../bindings/observations/abstraction/index.js';
import type { Step } from '../../../bindings/observations/trace/index.js';
import { compileGuard } from '../../../bindings/rules/risk/index.js';
import { parseSpecification } from '../../../bindings/rules/specification/index.js';
import { bindAgentSpec, parseAgentSpec } from '../../../bindings/runtime/agentspec/index.js';
import {
  createSession,
  type RunRecord,
  type SessionOptions,
} from '../../../bindings/runtime/enforcement/index.js';
import { createGuard, type GuardFile } from '../../../bindings/runtime/guard/index.js';
import { expectReplayed } from './replayed.js';

const times = <T>(count: number, one: () => T): T[] => Array.from({ length: count }, one);
const call = (name: string, id = name) => ({ id, name, arguments: {} });

async function guardOf(text: string, runs: readonly (readonly Step[])[]): Promise<GuardFile> {
  const specification = parseSpecification(`version: 1\n${text}`);
  const traces = runs.map((steps, i) => ({ id: String(i), steps: [...steps] }));
  const abstraction = new Abstraction(specification.abstraction);
  const { model } = await (specification.learning.model === 'mdp' ? learnMdp : learn)(
    abstraction,
    traces,
    specification.learning,
  );
  return compileGuard(specification, model);
}

/** Whoever reads the secret and then posts breaks the rule. */
const leak = (levels: string): Promise<GuardFile> => {
  const did = (name: string): Step => ({ state: { x: 1 }, action: { name } });
  return guardOf(
    `predicates: { reads: 'action.name == "readSecret"', posts: 'action.name == "post"' }
rules: { noLeak: { formula: 'G (reads -> G !posts)', levels: [${levels} { threshold: 1, strategy: stop }] } }
learning: { smoothing: 0 }`,
    [
      ...times(6, () => [did('readSecret'), did('post'), did('note')]),
      ...times(5, () => [did('readSecret'), did('note'), did('note')]),
      ...times(60, () => [did('note'), did('post'), did('note')]),
    ],
  );
};

/** A session that is given the log of another, whose records go nowhere. */
const resumedFrom = (
  { log: _, ...options }: SessionOptions,
  file: GuardFile,
  records: readonly RunRecord[],
) => createSession({ ...options, guard: createGuard(file), resume: structuredClone(records) as RunRecord[] });

/** A session over tools in a world that stays as it is, with what it logs. */
function leaking(file: GuardFile) {
  const records: RunRecord[] = [];
  const options: SessionOptions = {
    guard: createGuard(file),
    tools: ['readSecret', 'post', 'note'],
    state: () => ({ x: 1 }),
    log: { append: (record) => void records.push(record) },
  };
  return { records, options, session: createSession(options) };
}

describe('an approval that comes after another call has come back', () => {
  it.each([false, true])('leaves what was approved read by the rules: late %s', async (late) => {
    const file = await leak('{ threshold: 0.4, strategy: inspect },');
    const { session, options, records } = leaking(file);
    const asked = await session.check(call('readSecret'));
    expect(asked.decision).toBe('inspect');
    if (late) {
      const note = await session.check(call('note'));
      await session.ran(note, { result: 1 });
    }
    const approved = await session.answer(asked.inspection!.id, { approved: true });
    expect(approved.run?.name).toBe('readSecret');
    await session.ran(approved, { result: 'the secret' });
    const resumed = resumedFrom(options, file, records);
    for (const one of [session, resumed])
      expect(await one.check(call('post'))).toMatchObject({ decision: 'stop', reason: 'violated' });
    await expectReplayed(records, file);
  });

  const tainting = (shield: string, threshold = 0.5): Promise<GuardFile> => {
    const at = (tainted: boolean, leaked: boolean, name?: string): Step => ({
      state: { tainted, leaked },
      ...(name && { action: { name } }),
    });
    return guardOf(
      `predicates: { tainted: tainted, leaked: leaked }
rules: { noLeak: { formula: 'G !leaked', levels: [{ threshold: ${threshold}, strategy: inspect }] } }
shield: ${shield}
learning: { model: mdp, smoothing: 0 }`,
      [
        ...times(4, () => [at(false, false, 'fetch'), at(true, false, 'send'), at(true, true)]),
        ...times(4, () => [at(false, false, 'send'), at(false, false)]),
        ...times(4, () => [at(false, false, 'fetch'), at(true, false, 'forget'), at(false, false)]),
        ...times(4, () => [at(false, false, 'danger'), at(false, true)]),
      ],
    );
  };

  it.each(['least', 'budget'])('does not make the next call judged in a stale world: %s', async (shield) => {
    const world = { tainted: false, leaked: false };
    const session = createSession({
      guard: createGuard(await tainting(shield)),
      tools: ['fetch', 'send', 'forget', 'danger'],
      state: () => ({ ...world }),
    });
    const asked = await session.check(call('danger'));
    expect(asked.decision).toBe('inspect');
    const fetched = await session.check(call('fetch'));
    expect(fetched.decision).toBe('allow');
    world.tainted = true;
    await session.ran(fetched, { result: 'a page' });
    expect((await session.answer(asked.inspection!.id, { approved: true })).run?.name).toBe('danger');
    expect((await session.check(call('send'))).run).toBeNull();
  });

  it('gives nothing of the budget back that calls before it have taken', async () => {
    const at = (bad: boolean, name?: string): Step => ({ state: { bad }, ...(name && { action: { name } }) });
    const file = await guardOf(
      `predicates: { bad: bad }
rules: { noBad: { formula: 'G !bad', levels: [{ threshold: 0.25, strategy: inspect }] } }
shield: budget
learning: { model: mdp, smoothing: 0 }`,
      [
        ...times(9, () => [at(false, 'risky'), at(false, 'safe'), at(false)]),
        [at(false, 'risky'), at(true)],
        ...times(4, () => [at(false, 'safe'), at(false)]),
        ...times(5, () => [at(false, 'worse'), at(true)]),
      ],
    );
    const records: RunRecord[] = [];
    const options: SessionOptions = {
      guard: createGuard(file),
      tools: ['risky', 'safe', 'worse'],
      state: () => ({ bad: false }),
      log: { append: (record) => void records.push(record) },
    };
    let session = createSession(options);
    for (let i = 0; i < 2; i++) {
      const asked = await session.check(call('worse', `w${i}`));
      const risky = await session.check(call('risky', `r${i}`));
      expect(risky.decision).toBe('allow');
      await session.ran(risky, { result: 1 });
      await session.withdraw(await session.answer(asked.inspection!.id, { approved: true }));
    }
    expect((await session.check(call('risky', 'r2'))).reason).toBe('over-budget');
    await expectReplayed(records, file);
    // A run that was cut while a charged call was running: after a restart that call may have run.
    records.length = 0;
    session = createSession({ ...options, guard: createGuard(file) });
    expect((await session.check(call('risky', 'r0'))).decision).toBe('allow');
    let allowed = 1;
    for (let i = 1; i < 6; i++) {
      session = createSession({ ...options, guard: createGuard(file), resume: structuredClone(records) });
      await session.withdraw(await session.check(call('safe', `s${i}`)));
      if ((await session.check(call('risky', `r${i}`))).run === null) break;
      allowed++;
    }
    expect(allowed).toBe(2);
  });
});

describe('calls of a chain that come back in another order', () => {
  it.each(['alone', 'in order', 'second first', 'first given up'])(
    'are all read by the rules: %s',
    async (order) => {
      const file = await leak('');
      const records: RunRecord[] = [];
      const options: SessionOptions = {
        guard: createGuard(file),
        tools: ['readSecret', 'post', 'note'],
        state: () => ({ x: 1 }),
        maxPending: 6,
        log: { append: (record) => void records.push(record) },
      };
      const session = createSession(options);
      const note = order === 'alone' ? null : await session.check(call('note'));
      const read = await session.check(call('readSecret'));
      expect(read.decision).toBe('allow');
      if (order === 'in order') await session.ran(note!, { result: 1 });
      if (order === 'first given up') await session.withdraw(note!);
      await session.ran(read, { result: 'the secret' });
      if (order === 'second first') await session.ran(note!, { result: 1 });
      const { log: _log, ...again } = options;
      const resumed = createSession({ ...again, guard: createGuard(file), resume: structuredClone(records) });
      const posted = await session.check(call('post'));
      expect(posted).toMatchObject({ decision: 'stop', reason: 'violated' });
      expect((await resumed.check(call('post'))).step).toEqual(posted.step);
      await expectReplayed(records, file);
    },
  );
});

describe('doing nothing under a guard of a chain', () => {
  const cooling = (threshold: number, strategy: string): Promise<GuardFile> => {
    const at = (hot: boolean): Step => ({ state: { hot } });
    return guardOf(
      `predicates: { hot: hot }
rules: { cool: { formula: 'G (hot -> F<=3 !hot)', threshold: ${threshold}, strategy: ${strategy} } }
learning: { smoothing: 0 }`,
      [
        ...times(20, () => [at(false), at(true), at(false)]),
        ...times(20, () => [at(true), at(true), at(false)]),
        ...times(10, () => [at(true), at(true), at(true), at(false)]),
        ...times(2, () => [at(true), at(true), at(true), at(true), at(true), at(false)]),
      ],
    );
  };
  const options = (file: GuardFile, records: RunRecord[]): SessionOptions => ({
    guard: createGuard(file),
    id: 'r',
    tools: ['a'],
    state: () => ({ hot: true }),
    log: { append: (record) => void records.push(structuredClone(record)) },
  });

  it('is resumed where it was: deadlines pass as they do without a restart', async () => {
    const file = await cooling(0.9, 'stop');
    const seen = async (restarts: boolean): Promise<string[]> => {
      const records: RunRecord[] = [];
      const out: string[] = [];
      let session = createSession(options(file, records));
      for (let i = 0; i < 6; i++) {
        const idle = await session.idle();
        if (restarts)
          session = createSession({ ...options(file, records), resume: structuredClone(records) });
        const verdict = await session.check(call('a', String(i)));
        out.push(
          `${idle.decision} ${idle.step?.step}, ${verdict.decision} ${verdict.step?.step} ${verdict.step?.risk}`,
        );
        if (verdict.run === null) break;
        await session.ran(verdict, { result: 1 });
      }
      await expectReplayed(records, file);
      return out;
    };
    const live = await seen(false);
    expect(live.at(-1)).toMatch(/stop/);
    expect(await seen(true)).toEqual(live);
  });

  it('makes no step of its own where it is refused, or asked about again', async () => {
    const records: RunRecord[] = [];
    const session = createSession(options(await cooling(0.2, 'block'), records));
    expect(await session.idle()).toMatchObject({ decision: 'allow', step: { step: 0 } });
    for (let i = 0; i < 3; i++)
      expect(await session.idle()).toMatchObject({
        decision: 'block',
        reason: 'at-threshold',
        step: { step: 1 },
      });
  });
});

it('a run that begins anew under its name has nothing of the one before, resumed too', async () => {
  const at = (auth: boolean, sent: boolean): Step => ({ state: { auth, sent } });
  const file = await guardOf(
    `predicates: { auth: auth, sent: sent }
rules: { first: { formula: '!sent W auth', threshold: 0.2, strategy: block } }
learning: { smoothing: 0 }`,
    [
      ...times(20, () => [at(false, false), at(true, false), at(false, false), at(false, true)]),
      ...times(20, () => [at(false, false), at(false, true)]),
    ],
  );
  const records: RunRecord[] = [];
  const world = { auth: true, sent: false };
  const open = (resume?: RunRecord[]) =>
    createSession({
      guard: createGuard(file),
      tools: ['a'],
      id: 'thread',
      state: () => ({ ...world }),
      log: { append: (record) => void records.push(structuredClone(record)) },
      ...(resume && { resume }),
    });
  const first = open();
  await first.ran(await first.check(call('a')), { result: 1 });
  world.auth = false;
  const second = open();
  expect((await second.check(call('a'))).decision).toBe('block');
  expect((await open(structuredClone(records)).check(call('a', 'again'))).decision).toBe('block');
});

it.each(['allow', 'report'])(
  'under onUnknown: %s an unreadable call runs in no state, known or not',
  async (policy) => {
    const at = (tainted: boolean, leaked: boolean, name?: string, to?: string): Step => ({
      state: { tainted, leaked, known: true },
      ...(name && { action: { name, arguments: to === undefined ? {} : { to } } }),
    });
    const file = await guardOf(
      `predicates: { tainted: tainted, leaked: leaked, known: known }
actions: { send: { abroad: '!to.endsWith("@home")' } }
rules: { noLeak: { formula: 'G !leaked', threshold: 0.5 } }
onUnknown: ${policy}
unsafeAllowUnknown: true
learning: { model: mdp, smoothing: 0 }`,
      [
        [at(false, false, 'fetch'), at(true, false, 'send', 'you@away'), at(true, true)],
        [
          at(false, false, 'fetch'),
          at(true, false, 'send', 'me@home'),
          at(true, false, 'fetch'),
          at(true, false),
        ],
        [at(false, false, 'send', 'me@home'), at(false, false)],
      ],
    );
    for (const known of [true, false]) {
      const session = createSession({
        guard: createGuard(file),
        tools: ['fetch', 'send'],
        state: () => ({ tainted: false, leaked: false, known }),
      });
      const verdict = await session.check({ id: '1', name: 'send', arguments: { to: 5 } });
      expect(verdict).toMatchObject({ decision: 'stop', reason: 'predicate-failed', run: null });
      expect(verdict.step?.predicate).toBe('abroad');
    }
  },
);

describe('doing nothing that a person approves', () => {
  const pot = (): Promise<GuardFile> => {
    const at = (hot: boolean, name?: string): Step => ({ state: { hot }, ...(name && { action: { name } }) });
    return guardOf(
      `predicates: { hot: hot }
rules: { cools: { formula: 'G (hot -> X !hot)', levels: [{ threshold: 0.5, strategy: inspect }] } }
shield: least
onIdle: ask
learning: { model: mdp, smoothing: 0 }`,
      [
        ...times(10, () => [at(true, 'cool'), at(false)]),
        ...times(10, () => [at(true, 'look'), at(false)]),
        ...times(10, () => [at(true), at(true, 'cool'), at(false)]),
      ],
    );
  };
  const options = (file: GuardFile, records: RunRecord[]): SessionOptions => ({
    guard: createGuard(file),
    tools: ['cool', 'look'],
    state: () => ({ hot: true }),
    log: { append: (record) => void records.push(structuredClone(record)) },
  });

  it('is a step after a resume, too', async () => {
    const file = await pot();
    const records: RunRecord[] = [];
    const session = createSession(options(file, records));
    const idle = await session.idle();
    expect(idle.decision).toBe('inspect');
    expect((await session.answer(idle.inspection!.id, { approved: true })).decision).toBe('allow');
    const resumed = createSession({ ...options(file, []), resume: structuredClone(records) });
    for (const one of [session, resumed]) {
      const verdict = await one.check(call('cool'));
      expect(verdict).toMatchObject({ reason: 'violated', run: null, step: { step: 1 } });
      if (one === session) await one.end();
    }
  });

  it('is blocked where a call runs by then, and is asked about anew', async () => {
    const session = createSession(options(await pot(), []));
    const idle = await session.idle();
    const look = await session.check(call('look'));
    expect(look.decision).toBe('allow');
    const late = await session.answer(idle.inspection!.id, { approved: true });
    expect(late).toMatchObject({ decision: 'block', reason: 'calls-running', run: null });
    await session.withdraw(look);
    expect((await session.check(call('cool'))).step?.step).toBe(0);
  });
});

it.each([false, true])(
  'an approval that cannot be recorded leaves no trace in the rules: late %s',
  async (late) => {
    const did = (name: string, x = 1): Step => ({ state: { x }, action: { name } });
    const world = { x: 1 };
    const file = await guardOf(
      `predicates: { verifies: 'action.name == "verify"', pays: 'action.name == "pay"', moved: x > 1 }
rules: { order: { formula: '(!pays) U verifies', threshold: 1, strategy: block } }
learning: { smoothing: 0 }`,
      [
        ...times(20, () => [did('verify'), did('pay', 2), did('note', 2)]),
        ...times(20, () => [did('note'), did('verify', 2), did('pay', 2)]),
        ...times(20, () => [did('note'), did('pay', 2), did('note')]),
      ],
    );
    let fails = false;
    const { rules } = parseAgentSpec('rule @v trigger verify check always enforce user_inspection end');
    const session = createSession({
      guard: createGuard(file),
      tools: ['verify', 'pay', 'note'],
      state: () => ({ ...world }),
      onFault: 'block',
      rules: [bindAgentSpec(rules, { predicates: { always: () => true } })],
      log: {
        append: (record) => {
          if (fails && record.kind === 'outcome') throw new Error('disk full');
        },
      },
    });
    const asked = await session.check(call('verify'));
    expect(asked.decision).toBe('inspect');
    if (late) {
      const note = await session.check(call('note'));
      await session.ran(note, { result: 1 });
    }
    fails = true;
    const answer = await session.answer(asked.inspection!.id, { approved: true });
    expect(answer).toMatchObject({ reason: 'log-failed', run: null });
    fails = false;
    // Nobody has verified; and where the world has gone on, the step that was approved is over.
    world.x = 2;
    expect((await session.check(call('pay'))).run).toBeNull();
  },
);
