import { describe, expect, it } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import { learnMdp } from '../../../bindings/estimation/learning/index.js';
import { Abstraction } from '../../../bindings/observations/abstraction/index.js';
import type { Trace } from '../../../bindings/observations/trace/index.js';
import { compileGuard } from '../../../bindings/rules/risk/index.js';
import { parseSpecification } from '../../../bindings/rules/specification/index.js';
import {
  createSession,
  type RunRecord,
  type SessionOptions,
} from '../../../bindings/runtime/enforcement/index.js';
import { createGuard, type GuardFile } from '../../../bindings/runtime/guard/index.js';
import { expectReplayed } from './replayed.js';

const specificationOf = (more: string, rule = 'threshold: 0.1') =>
  parseSpecification(`version: 1
predicates: { hot: hot, fire: fire }
rules: { noFire: { formula: 'G !fire', ${rule} } }
shield: budget
${more}
learning: { model: mdp, smoothing: 0 }`);

const step = (hot: boolean, fire: boolean, name?: string) => ({
  state: { hot, fire },
  ...(name !== undefined && { action: { name } }),
});

/** A stove that was left on burns in half of the cases; one that is off does nothing. */
async function stove(more = '', rule?: string): Promise<GuardFile> {
  const specification = specificationOf(more, rule);
  const traces: Trace[] = Array.from({ length: 40 }, (_, i) => ({
    id: String(i),
    steps:
      i % 2 === 0
        ? [step(false, false), step(false, false, 'heat'), step(true, false, 'off'), step(false, false)]
        : [step(false, false, 'heat'), step(true, false), step(i % 4 === 1, i % 4 === 1)],
  }));
  const { model } = await learnMdp(
    new Abstraction(specification.abstraction),
    traces,
    specification.learning,
  );
  return compileGuard(specification, model);
}

const cold = { hot: false, fire: false };
const hot = { hot: true, fire: false };
const call = (name: string) => ({ id: name, name, arguments: {} });

async function sessionOf(more: string, options: Partial<SessionOptions> = {}) {
  const world = { now: cold as Record<string, boolean> };
  const guard = createGuard(await stove(more));
  const session = createSession({ guard, tools: ['heat', 'off'], state: () => world.now, ...options });
  const heat = await session.decide(call('heat'));
  expect(heat.decision).toBe('allow');
  world.now = hot;
  await session.ran(heat, { result: null });
  return { session, world, guard };
}

const off = { replacements: { 'turn it off': { name: 'off', arguments: {} } } };

describe('doing nothing where it would burn', () => {
  it('stops the run, by default', async () => {
    const { session } = await sessionOf('');
    const verdict = await session.idle();
    expect(verdict).toMatchObject({ decision: 'stop', reason: 'over-budget', run: null, ends: true });
    expect(verdict.message).toMatch(/Doing nothing would add more to the least risk/);
    expect((await session.decide(call('off'))).reason).toBe('run-over');
  });

  it('is explained by what decides on it, not by the strategy of the rule', async () => {
    const file = await stove('', 'threshold: 0.3, strategy: reflect');
    for (const mode of ['least', 'predict'] as const) {
      const guard = createGuard({ ...file, ...(file.actions && { actions: { ...file.actions, mode } }) });
      guard.step(cold, { action: { name: 'heat' } });
      const refused = guard.idle(hot);
      expect([refused.decision, refused.reason]).toEqual(['stop', 'at-threshold']);
      const number = mode === 'least' ? 'least risk' : 'risk';
      expect(guard.explain(refused)).toContain(
        `; not permitted from ${number} >= 0.3, and onIdle says what happens then.`,
      );
    }
  });

  it('is answered by an action, which runs instead and is judged itself', async () => {
    const { session, world } = await sessionOf('onIdle: turn it off', off);
    const verdict = await session.idle();
    expect(verdict).toMatchObject({ decision: 'replace', run: { name: 'off' }, ends: false });
    world.now = cold;
    await session.ran(verdict, { result: null });
    expect((await session.idle()).decision).toBe('allow');
  });

  it('is put to a person, and what that person permits is done', async () => {
    const asked: string[] = [];
    for (const approved of [true, false]) {
      const { session } = await sessionOf('onIdle: ask', {
        ask: async ({ question }) => {
          asked.push(question);
          return { approved };
        },
      });
      const verdict = await session.idle();
      expect(verdict).toMatchObject(
        approved
          ? { decision: 'allow', reason: 'approved', run: null }
          : { decision: 'block', reason: 'refused', run: null },
      );
      expect((await session.decide(call('off'))).decision).toBe('allow');
    }
    expect(asked[0]).toMatch(/^May the agent do nothing\?/);
  });

  it('is shown with its risk where an action is refused', async () => {
    const guard = createGuard(await stove());
    guard.step(hot);
    const refused = guard.propose(hot, { name: 'heat' });
    expect(refused.idle).toMatchObject({ name: null, permitted: false });
    expect(refused.idle!.risk).toBeGreaterThanOrEqual(0.5);
    expect(guard.permitted(hot).actions.find(({ name }) => name === null)!.risk).toBeGreaterThanOrEqual(0.5);
  });

  it('is allowed where it does no harm, again and again, each a step', async () => {
    const guard = createGuard(await stove());
    expect(guard.step(cold).step).toBe(0);
    expect(guard.idle(cold)).toMatchObject({ decision: 'allow', step: 0 });
    for (let n = 1; n < 5; n++) expect(guard.idle(cold)).toMatchObject({ decision: 'allow', step: n });
    expect(guard.propose(cold, { name: 'heat' })).toMatchObject({ decision: 'allow', step: 5 });
  });

  it('takes of the budget what it takes', async () => {
    const guard = createGuard(await stove('', 'threshold: 0.6'));
    guard.step(hot);
    expect(guard.idle(hot).decision).toBe('allow');
    expect(guard.idle(hot)).toMatchObject({ decision: 'stop', reason: 'over-budget' });
  });

  it('is replayed from a log, and resumed', async () => {
    const records: RunRecord[] = [];
    const log = { append: (record: RunRecord) => void records.push(record) };
    const { session, world, guard } = await sessionOf('onIdle: turn it off', { ...off, log });
    const verdict = await session.idle();
    world.now = cold;
    await session.ran(verdict, { result: null });
    for (let i = 0; i < 3; i++) expect((await session.idle()).decision).toBe('allow');
    expect(await expectReplayed(records, guard.file)).toBe(5);
    const resumed = createSession({
      guard: createGuard(guard.file),
      tools: ['heat', 'off'],
      state: () => world.now,
      resume: records,
      ...off,
    });
    expect((await resumed.idle()).step).toMatchObject({ decision: 'allow', step: 5 });
  });
});

/** Arming and shooting are safe apart; nothing that is shot at while armed stays whole. Doing nothing burns a tenth of what is hot. */
async function range(more: string): Promise<GuardFile> {
  const specification = specificationOf(more, 'threshold: 0.05, strategy: block');
  const traces: Trace[] = Array.from({ length: 100 }, (_, i) => ({
    id: String(i),
    steps: [
      [step(false, false, 'arm'), step(true, false, 'shoot'), step(true, true)],
      [step(false, false, 'shoot'), step(false, false)],
      [step(false, false, 'arm'), step(true, false, 'disarm'), step(false, false)],
      [step(false, false), step(false, false)],
      [step(false, false, 'arm'), step(true, false), step(true, false)],
    ][i % 5].map((one, time) => ({ ...one, time })),
  }));
  const { model } = await learnMdp(
    new Abstraction(specification.abstraction),
    traces,
    specification.learning,
  );
  return compileGuard(specification, model);
}

describe('doing nothing while calls run', () => {
  const armed = (file: GuardFile) =>
    createSession({ guard: createGuard(file), tools: ['arm', 'shoot', 'disarm'], state: () => cold });

  it.each(['budget', 'least'])(
    'under %s is blocked, and the running call is not forgotten',
    async (shield) => {
      const session = armed({
        ...(await range('')),
        actions: { ...(await range('')).actions!, mode: shield as never },
      });
      const arm = await session.decide(call('arm'));
      expect(arm.decision).toBe('allow');
      expect(await session.idle()).toMatchObject({
        decision: 'block',
        reason: 'calls-running',
        run: null,
        ends: false,
        message: 'Other calls are still running; propose it again once they have returned.',
      });
      expect((await session.decide(call('shoot'))).decision).not.toBe('allow');
      await session.ran(arm, { result: null });
      expect((await session.idle()).decision).toBe('allow');
    },
  );

  it('cannot be had back by giving up what ran beside it', async () => {
    const specification = specificationOf('', 'threshold: 0.15');
    const traces: Trace[] = Array.from({ length: 200 }, (_, i) => ({
      id: String(i),
      steps:
        i % 10 === 0
          ? [step(true, false), step(true, true)]
          : i % 10 < 5
            ? [step(true, false), step(true, false, 'off'), step(false, false)]
            : [step(true, false), step(true, false, 'stir'), step(true, false, 'off'), step(false, false)],
    }));
    const { model } = await learnMdp(
      new Abstraction(specification.abstraction),
      traces,
      specification.learning,
    );
    const guard = createGuard(compileGuard(specification, model));
    guard.step(hot);
    // Stirring costs nothing; it is let through, and given up after a moment in which the stove may have burnt.
    expect(guard.propose(hot, { name: 'stir' }).decision).toBe('allow');
    expect(guard.idle(hot, { pending: [{ name: 'stir' }] }).decision).toBe('allow');
    guard.withhold('all');
    expect(guard.idle(hot)).toMatchObject({ decision: 'stop', reason: 'over-budget' });
  });

  it('as a person wants it, leaves others judged beside the running call', async () => {
    const file = await range('onIdle: ask');
    const session = createSession({
      guard: createGuard(file),
      tools: ['arm', 'shoot', 'disarm'],
      state: () => cold,
      ask: async () => ({ approved: true }),
    });
    const arm = await session.decide(call('arm'));
    await session.idle();
    expect((await session.decide(call('shoot'))).run).toBeNull();
    await session.withdraw(arm);
    expect((await session.decide(call('shoot'))).decision).toBe('allow');
  });
});

describe('doing nothing where recordings only end', () => {
  /** A vehicle that cruises near another hits it in two of three cases; a quarter of the recordings end there, without an action. */
  async function cruise(complete: boolean) {
    const specification = parseSpecification(`version: 1
predicates: { near: near, hit: hit }
rules: { noHit: { formula: 'G !hit', threshold: 0.3, strategy: block } }
learning: { model: mdp, smoothing: 0 }`);
    const at = (near: boolean, hit: boolean, name?: string) => ({
      state: { near, hit },
      ...(name !== undefined && { action: { name } }),
    });
    const traces: Trace[] = Array.from({ length: 40 }, (_, i) => ({
      id: String(i),
      ...(i % 4 === 0
        ? { complete, steps: [at(false, false, 'cruise'), at(true, false)] }
        : { steps: [at(false, false, 'cruise'), at(true, false, 'cruise'), at(i % 3 > 0, i % 3 > 0)] }),
    }));
    const { abstraction, learning } = specification;
    const { model } = await learnMdp(new Abstraction(abstraction), traces, learning);
    const guard = createGuard(compileGuard(specification, model));
    const session = createSession({
      guard,
      tools: ['cruise'],
      state: () => ({ near: true, hit: false }),
    });
    return (await session.decide(call('cruise'))).message;
  }

  it('is told for what it is in the data: doing nothing, or the end of the run', async () => {
    const message = await cruise(true);
    expect(message).toContain(
      'The risk of doing nothing, or of ending the run, is at most 0; it is permitted.',
    );
    expect(message).toContain('Permitted here: doing nothing (or ending the run).');
  });

  it('is not permitted where those recordings were cut', async () => {
    const message = await cruise(false);
    expect(message).toMatch(/^The run is stopped\. .*Nothing that was ever done in this state is permitted/);
    expect(message).not.toContain('Permitted here');
  });
});

describe('what replaces doing nothing', () => {
  it('has taken its share of the budget after a resume, too', async () => {
    const specification = specificationOf('onIdle: off', 'threshold: 0.1, strategy: block');
    // Each call burns in 4 of 100 cases, doing nothing in 50.
    const traces: Trace[] = ['off', 'go', undefined].flatMap((name) =>
      Array.from({ length: 100 }, (_, i) => ({
        id: `${name}${i}`,
        steps: [step(false, false, name), step(false, i < (name === undefined ? 50 : 4))],
      })),
    );
    const safe: Trace[] = Array.from({ length: 100 }, (_, i) => ({
      id: `safe${i}`,
      steps: [step(false, false, 'safe'), step(false, false)],
    }));
    const { model } = await learnMdp(
      new Abstraction(specification.abstraction),
      [...traces, ...safe],
      specification.learning,
    );
    const file = compileGuard(specification, model);
    const records: RunRecord[] = [];
    const sessionWith = (more: Partial<SessionOptions>) =>
      createSession({
        guard: createGuard(file),
        tools: ['off', 'go', 'safe'],
        state: () => cold,
        replacements: { off: { name: 'off', arguments: {} } },
        ...more,
      });
    const session = sessionWith({ log: { append: (record) => void records.push(record) } });
    const verdict = await session.idle();
    expect(verdict.run?.name).toBe('off');
    await session.ran(verdict, { result: null });
    const resumed = sessionWith({ resume: structuredClone(records) });
    for (const one of [session, resumed]) {
      const first = await one.decide(call('go'));
      expect(first).toMatchObject({ decision: 'allow', step: { step: 1 } });
      await one.withdraw(first);
      const again = await one.decide(call('go'));
      expect(again.decision).toBe('allow');
      await one.ran(again, { result: null });
      expect((await one.decide(call('go'))).reason).toBe('over-budget');
    }
  });
});

describe('what a budget does not go with', () => {
  it.each(['hold', 'skip'])(
    'is a world that is looked at only now and then: resample: %s',
    async (policy) => {
      await expect(range(`samplingPeriod: 1s\nresample: ${policy}`)).rejects.toThrow(
        /a budget judges each call where the world is, and resample: (hold|skip) leaves out/,
      );
      const file = await range('samplingPeriod: 1s');
      expect(() => createGuard({ ...file, resample: policy as 'hold' })).toThrow(/choose resample: error/);
    },
  );

  it.each([
    'strategy: reflect, escalate: [report]',
    'strategy: inspect, onFailure: report',
    'escalate: [stop, report]',
  ])('is refused when compiled: %s', async (rule) => {
    await expect(stove('', `threshold: 0.1, ${rule}`)).rejects.toThrow(
      /rule "noFire": (escalate|onFailure) holds report, which would let an action run that the budget refuses; name stop/,
    );
    const { rules, ...file } = await stove();
    const altered = rules.map((one) => ({ ...one, escalate: [{ kind: 'report' as const }] }));
    expect(() => createGuard({ ...file, rules: altered })).toThrow(/escalate holds report/);
  });

  it('is said of onIdle without actions, and of replacements that there are not', async () => {
    expect(() =>
      parseSpecification(`version: 1
predicates: { a: a }
rules: { r: { formula: 'G a', threshold: 0.1 } }
onIdle: stop`),
    ).toThrow(/onIdle is about the actions of a decision process/);
    await expect(sessionOf('onIdle: turn it off')).rejects.toThrow(
      /"turn it off", which is not among replacements/,
    );
  });
});
