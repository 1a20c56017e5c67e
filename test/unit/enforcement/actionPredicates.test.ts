import { beforeAll, describe, expect, it } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import { learn } from '../../../bindings/estimation/learning/index.js';
import { Abstraction } from '../../../bindings/observations/abstraction/index.js';
import { compileGuard } from '../../../bindings/rules/risk/index.js';
import { parseSpecification } from '../../../bindings/rules/specification/index.js';
import {
  createSession,
  type RunRecord,
  type SessionOptions,
} from '../../../bindings/runtime/enforcement/index.js';
import { createGuard, type GuardFile } from '../../../bindings/runtime/guard/index.js';

/** Of a chain whose predicates read the action: sending what is tainted breaks the rule. */
async function fileOf(strategy: string, more = ''): Promise<GuardFile> {
  const specification = parseSpecification(`version: 1
${more}
predicates: { tainted: tainted, sends: 'action.name == "send"' }
rules: { noLeak: { formula: 'G !(tainted & sends)', threshold: 0.6, strategy: ${strategy} } }
learning: { smoothing: 0 }`);
  const step = (tainted: boolean, name: string) => ({ state: { tainted }, action: { name } });
  const runs = [
    ...Array(6).fill([step(false, 'read'), step(true, 'drop'), step(false, 'send'), step(false, 'read')]),
    [step(false, 'read'), step(true, 'send'), step(true, 'read'), step(true, 'send')],
  ];
  const traces = runs.map((steps, id) => ({ id: String(id), steps }));
  const { model } = await learn(new Abstraction(specification.abstraction), traces, specification.learning);
  return compileGuard(specification, model);
}

const call = (name: string, id = name) => ({ id, name, arguments: {} });
const tools = ['read', 'drop', 'send'];
let blocks: GuardFile;
let inspects: GuardFile;
beforeAll(async () => {
  [blocks, inspects] = await Promise.all([fileOf('block'), fileOf('inspect')]);
});

function sessionOn(file: GuardFile, world: { tainted: boolean }, more: Partial<SessionOptions> = {}) {
  const records: RunRecord[] = [];
  const guard = createGuard(file);
  const session = createSession({
    guard,
    tools,
    state: () => ({ ...world }),
    id: 'run',
    log: { append: (record) => void records.push(structuredClone(record)) },
    ...more,
  });
  return { guard, session, records };
}

describe('where predicates read the action', () => {
  it('a call that was refused was no step: the run goes on, also when the world has changed since', async () => {
    const world = { tainted: true };
    const { guard, session } = sessionOn(blocks, world);
    expect((await session.check(call('send'))).decision).toBe('block');
    world.tainted = false;
    const read = await session.check(call('read'));
    expect(read).toMatchObject({ decision: 'allow', reason: 'below-threshold' });
    expect(guard.rules[0].violated).toBe(false);
    await session.ran(read, { result: 1 });
    expect((await session.check(call('send', '2'))).decision).toBe('allow');
  });

  it('a call that a person approved is what was done, whatever was asked about since', async () => {
    const { guard, session, records } = sessionOn(inspects, { tainted: true });
    const asked = await session.check(call('send'));
    expect(asked.decision).toBe('inspect');
    const drop = await session.check(call('drop'));
    await session.withdraw(drop);
    const approved = await session.answer(asked.inspection!.id, { approved: true });
    expect(approved.run?.name).toBe('send');
    // It was read as sending what is tainted, which breaks the rule, and is excused.
    expect(records.at(-1)).toMatchObject({
      outcome: 'approved',
      observed: { call: 'approve', valuation: [3] },
      excused: ['noLeak'],
    });
    expect(guard.rules[0].violated).toBe(false);
  });

  it('a replacement is judged as any call, and is what was done', async () => {
    const file = await fileOf('{ replace: other }');
    const world = { tainted: true };
    const send = sessionOn(file, world, { replacements: { other: { name: 'send', arguments: {} } } });
    expect(await send.session.check(call('send'))).toMatchObject({ run: null, reason: 'replacement-failed' });
    const drop = sessionOn(file, world, { replacements: { other: { name: 'drop', arguments: {} } } });
    const verdict = await drop.session.check(call('send'));
    expect(verdict).toMatchObject({ decision: 'replace', run: { name: 'drop' } });
    expect(drop.guard.rules[0].violated).toBe(false);
    await drop.session.ran(verdict, { result: null });
    world.tainted = false;
    expect((await drop.session.check(call('read'))).decision).toBe('allow');
  });

  it('another action before its time is decided on, not allowed as the last one was', async () => {
    const file = await fileOf('block', 'samplingPeriod: 1s\nresample: hold');
    const guard = createGuard(file);
    expect(guard.step({ tainted: true }, { action: { name: 'drop' }, time: 0 }).decision).toBe('allow');
    expect(guard.step({ tainted: true }, { action: { name: 'send' }, time: 0.2 }).decision).toBe('block');
    expect(guard.step({ tainted: true }, { action: { name: 'drop' }, time: 0.4 }).decision).toBe('allow');
    expect(guard.counters.steps).toBe(1);
  });

  it('goes on after a restart as without one, at every record', async () => {
    const order = ['send', 'read', 'send', 'drop', 'send', 'read'];
    const go = async (until: number, from = 0, resume?: RunRecord[]) => {
      const world = { tainted: false };
      const run = sessionOn(blocks, world, resume && { resume });
      const decisions: string[] = [];
      for (let i = from; i < until; i++) {
        world.tainted = i % 3 === 2;
        const verdict = await run.session.check(call(order[i], `${i}`));
        decisions.push(`${verdict.decision} ${verdict.step?.risk} ${verdict.step?.step}`);
        if (verdict.run !== null) await run.session.ran(verdict, { result: i });
      }
      return { decisions, records: run.records };
    };
    const whole = await go(order.length);
    expect(whole.decisions.join()).toContain('block');
    for (let cut = 1; cut < order.length; cut++) {
      const before = await go(cut);
      const after = await go(order.length, cut, before.records);
      expect([...before.decisions, ...after.decisions].map(stepless)).toEqual(whole.decisions.map(stepless));
    }
  });
});

const stepless = (decision: string) => decision.replace(/ \S+$/, '');

describe('what is found between calls that run', () => {
  it('stops the run where the guard says so, and makes nobody reflect', async () => {
    const world = { tainted: false };
    const stops = sessionOn(await fileOf('stop'), world, { maxPending: 6 });
    const both = [await stops.session.check(call('read', '1')), await stops.session.check(call('send', '2'))];
    expect(both.map(({ decision }) => decision)).toEqual(['allow', 'allow']);
    world.tainted = true;
    await stops.session.ran(both[0], { result: null });
    expect(stops.session.stopped).toMatchObject({ decision: 'stop', reason: 'violated', ends: true });
    expect((await stops.session.check(call('read', '3'))).reason).toBe('run-over');
    const resumed = sessionOn(await fileOf('stop'), world, { resume: stops.records });
    expect(resumed.session.stopped).not.toBeNull();
  });

  it('hears of what came back in any form', async () => {
    const { session, records } = sessionOn(blocks, { tainted: false });
    for (const outcome of [
      undefined,
      null,
      {
        get result() {
          throw new Error('gone');
        },
      },
    ]) {
      const verdict = await session.check(call('read'));
      await session.ran(verdict, outcome as never);
    }
    expect(records.flatMap((one) => (one.kind === 'outcome' ? [one.outcome] : []))).toEqual([
      'ran',
      'ran',
      'failed',
    ]);
  });
});
