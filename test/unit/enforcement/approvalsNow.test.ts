import { describe, expect, it } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import { learnMdp } from '../../../bindings/estimation/learning/index.js';
import { Abstraction } from '../../../bindings/observations/abstraction/index.js';
import type { Step } from '../../../bindings/observations/trace/index.js';
import { compileGuard } from '../../../bindings/rules/risk/index.js';
import { parseSpecification } from '../../../bindings/rules/specification/index.js';
import { guardCalls } from '../../../bindings/runtime/adapters/plain.js';
import { bindAgentSpec, parseAgentSpec } from '../../../bindings/runtime/agentspec/index.js';
import {
  createSession,
  type Inspection,
  type RunRecord,
} from '../../../bindings/runtime/enforcement/index.js';
import { createGuard, type GuardFile } from '../../../bindings/runtime/guard/index.js';
import { settled } from '../../settled.js';
import { expectReplayed } from './replayed.js';

const state = (flame: boolean, gas: boolean, boom = false) => ({ flame, gas, boom });
const step = (at: ReturnType<typeof state>, name?: string): Step => ({
  state: at,
  ...(name && { action: { name } }),
});
const times = (n: number, steps: (i: number) => Step[]): Step[][] =>
  Array.from({ length: n }, (_, i) => steps(i));

/** Gas alone explodes in two of ten; a flame alone never; both always. */
async function stove(rules: string): Promise<GuardFile> {
  const specification = parseSpecification(`
version: 1
predicates: { flame: flame, gas: gas, boom: boom }
rules: ${rules}
learning: { model: mdp, smoothing: 0 }
onUnknown: stop`);
  const runs = [
    ...times(10, (i) => [step(state(false, false), 'gas'), step(state(false, true, i < 2))]),
    ...times(10, () => [
      step(state(false, false), 'light'),
      step(state(true, false), 'out'),
      step(state(false, false)),
    ]),
    ...times(40, () => [step(state(true, false), 'out'), step(state(false, false))]),
    ...times(3, () => [step(state(true, false), 'gas'), step(state(true, true, true))]),
    ...times(3, () => [step(state(false, true), 'light'), step(state(true, true, true))]),
  ];
  const traces = runs.map((steps, i) => ({ id: `${i}`, steps }));
  const { model } = await learnMdp(
    new Abstraction(specification.abstraction),
    traces,
    specification.learning,
  );
  return compileGuard(specification, model);
}

const ASKS = `{ noBoom: { formula: 'G !boom', levels: [{ threshold: 0.2, strategy: inspect }, { threshold: 0.6, strategy: block }] } }`;

function kitchen(file: GuardFile, slow: boolean) {
  let world = state(false, false);
  let asked: (() => void) | undefined;
  let answer: (() => void) | undefined;
  let lit: (() => void) | undefined;
  const isAsked = new Promise<void>((resolve) => (asked = resolve));
  const isAnswered = new Promise<void>((resolve) => (answer = resolve));
  const burns = new Promise<void>((resolve) => (lit = resolve));
  const shown: Inspection[] = [];
  const records: RunRecord[] = [];
  const session = createSession({
    guard: createGuard(file),
    tools: ['gas', 'light', 'out'],
    state: () => ({ ...world }),
    ask: async (inspection) => {
      shown.push(inspection);
      asked?.();
      await isAnswered;
      return { approved: true, by: 'Ada' };
    },
    log: { append: (record) => void records.push(structuredClone(record)) },
  });
  const ran: string[] = [];
  const run = guardCalls(session, {
    gas: () => {
      ran.push('gas');
      world = state(world.flame, true, world.flame);
    },
    light: async () => {
      ran.push('light');
      if (slow) await burns;
      world = state(true, world.gas, world.gas);
    },
    out: () => undefined,
  });
  return { run, ran, isAsked, answer: () => answer?.(), burn: () => lit?.(), records, shown };
}

const call = (name: string) => ({ id: name, name, arguments: {} });

describe('a yes under a guard of a decision process', () => {
  it('does not let a call run that would be refused where another has come back', async () => {
    const file = await stove(ASKS);
    const { run, ran, isAsked, answer, records } = kitchen(file, false);
    const gas = run([call('gas')]);
    await isAsked;
    await run([call('light')]);
    answer();
    const [{ verdict }] = await gas;
    expect(verdict).toMatchObject({ decision: 'block', reason: 'no-answer', run: null });
    expect(verdict.message).toContain('the world has changed since the question: at-threshold');
    expect(ran).toEqual(['light']);
    await expectReplayed(records, file);
  });

  it.each([false, true])('nor beside one that is still running; of one turn: %s', async (together) => {
    const file = await stove(ASKS);
    const { run, ran, isAsked, answer, burn, records } = kitchen(file, true);
    const turn = together ? run([call('gas'), call('light')]) : run([call('gas')]);
    await isAsked;
    const light = together ? null : run([call('light')]);
    await settled();
    answer();
    if (light !== null) await turn;
    else await settled();
    burn();
    const [gas] = await turn;
    await light;
    expect(gas.verdict).toMatchObject({ decision: 'block', reason: 'no-answer', run: null });
    expect(ran).toEqual(['light']);
    await expectReplayed(records, file);
  });

  it('lets it run where nothing else is against it', async () => {
    const file = await stove(ASKS);
    const { run, ran, isAsked, answer, records } = kitchen(file, false);
    const gas = run([call('gas')]);
    await isAsked;
    answer();
    expect((await gas)[0].verdict).toMatchObject({ decision: 'allow', reason: 'approved' });
    expect(ran).toEqual(['gas']);
    await expectReplayed(records, file);
  });
});

describe('a yes to a question', () => {
  const one = (name: string) => ({ id: name, name, arguments: {} });

  it('does not count where another rule asks by now, or the risk is greater', async () => {
    // Alone, gas is asked about for its own sake; beside a flame noBoom asks, too, at risk 1.
    const file = await stove(`
  onlyGas: { formula: 'G !gas', threshold: 0.9, strategy: inspect }
  noBoom: { formula: 'G !boom', threshold: 0.5, strategy: inspect }`);
    let world = state(false, false);
    const session = createSession({
      guard: createGuard(file),
      tools: ['gas', 'light', 'out'],
      state: () => world,
    });
    const asked = await session.check(one('gas'));
    expect(asked.inspection?.question).not.toContain('noBoom');
    const light = await session.check(one('light'));
    world = state(true, false);
    await session.ran(light, { result: null });
    const late = await session.answer(asked.inspection?.id ?? '', { approved: true });
    expect(late).toMatchObject({ decision: 'block', reason: 'no-answer', run: null });
    const afresh = await session.check(one('gas'));
    expect(afresh.inspection?.question).toContain('noBoom');
    expect((await session.answer(afresh.inspection?.id ?? '', { approved: true })).run?.name).toBe('gas');
  });

  it('does not count where a reactive rule has come to forbid the call', async () => {
    const rule = (name: string, check: string, enforce: string) =>
      `rule @${name}\ntrigger out\ncheck\n${check}\nenforce\n${enforce}\nend\n`;
    const text = rule('ask', 'true', 'user_inspection("may it?")') + rule('never_lit', 'lit', 'stop');
    const rules = [bindAgentSpec(parseAgentSpec(text).rules, { predicates: { lit: 'flame' } })];
    const file = await stove(`{ noBoom: { formula: 'G !boom', threshold: 1, strategy: block } }`);
    let world = state(false, false);
    const session = createSession({
      guard: createGuard({ ...file, onUnknown: 'allow', unsafeAllowUnknown: true }),
      tools: ['gas', 'light', 'out'],
      rules,
      state: () => world,
    });
    const asked = await session.check(one('out'));
    expect(asked.decision).toBe('inspect');
    const light = await session.check(one('light'));
    world = state(true, false);
    await session.ran(light, { result: null });
    const late = await session.answer(asked.inspection?.id ?? '', { approved: true });
    expect(late).toMatchObject({ decision: 'block', run: null });
    expect(late.message).toContain('reactive-rule');
  });
});

describe('shadow mode', () => {
  it('lets a call that cannot be read run as it was given', async () => {
    const file = await stove(ASKS);
    const session = createSession({
      guard: createGuard(file),
      tools: ['gas', 'light', 'out'],
      shadow: true,
      maxArguments: 100,
      state: () => state(false, false),
    });
    for (const given of [
      { when: new Date(0) },
      { text: 'x'.repeat(200_000) },
      { list: Array(20_000).fill(1) },
    ]) {
      const verdict = await session.check({ id: '1', name: 'light', arguments: given as never });
      expect(verdict).toMatchObject({ decision: 'report', reason: 'invalid-arguments' });
      expect(verdict.run?.arguments).toBe(given);
      await session.ran(verdict, { result: null });
    }
  });
});

describe('a yes to doing nothing', () => {
  it('does not count in a world that cannot be read any more', async () => {
    const specification = parseSpecification(`
version: 1
predicates: { hot: hot, burnt: burnt }
rules: { noBurn: { formula: 'G !burnt', threshold: 0.2, strategy: block } }
onIdle: ask
learning: { model: mdp, smoothing: 0 }`);
    const at = (hot: boolean, burnt = false) => ({ hot, burnt });
    const runs: Step[][] = [
      ...Array.from({ length: 10 }, (_, i) => [{ state: at(true) }, { state: at(i >= 5, i < 5) }]),
      ...Array.from({ length: 30 }, () => [
        { state: at(true), action: { name: 'cool' } },
        { state: at(false) },
      ]),
    ];
    const traces = runs.map((steps, i) => ({ id: `${i}`, steps }));
    const { model } = await learnMdp(new Abstraction(specification.abstraction), traces, { smoothing: 0 });
    const file = compileGuard(specification, model);
    for (const broken of [false, true]) {
      let world: object | null = at(true);
      let answer: (() => void) | undefined;
      const isAnswered = new Promise<void>((resolve) => (answer = resolve));
      const session = createSession({
        guard: createGuard(file),
        tools: ['cool'],
        onFault: 'block',
        state: () => {
          if (world === null) throw new Error('the sensor is gone');
          return { ...world };
        },
        ask: () => isAnswered.then(() => ({ approved: true })),
      });
      const idle = session.idle();
      const run = guardCalls(session, { cool: () => void (world = broken ? null : at(false)) });
      const [cooled] = await run([call('cool')]);
      expect(cooled.verdict.decision).toBe('allow');
      answer?.();
      expect(await idle).toMatchObject(
        broken ? { decision: 'block', reason: 'no-answer' } : { decision: 'allow', reason: 'approved' },
      );
    }
  });
});

describe('a question', () => {
  it.each(['inspect', 'reflect'])('names the other rules that a yes overrules: %s', async (strategy) => {
    const file = await stove(`
  onlyGas: { formula: 'G !gas', threshold: 0.9, strategy: inspect }
  noBoom: { formula: 'G !boom', threshold: 0.2, strategy: ${strategy} }`);
    const { run, isAsked, answer, shown, ran } = kitchen(file, false);
    const gas = run([call('gas')]);
    await isAsked;
    answer();
    await gas;
    expect(shown[0]).toMatchObject({ rule: 'onlyGas' });
    expect(shown[0].question).toMatch(
      new RegExp(`A yes also overrules "noBoom" \\(${strategy}, risk 0\\.418\\)\\.$`),
    );
    expect(ran).toEqual(['gas']);
  });
});

describe('a rule that a guard of actions decides by the state', () => {
  it('lets nothing run that was never tried there, and says that actions are not told apart', async () => {
    const file = await stove(
      `{ soon: { formula: 'G !boom', horizonSteps: 3, threshold: 0.9, strategy: block } }`,
    );
    const guard = createGuard(file);
    const found = guard.propose(state(false, false), { name: 'gas', arguments: {} });
    expect(found.decision).toBe('allow');
    expect(guard.explain(found)).toContain('It is that of the state, whatever the action.');
    for (const name of ['out', 'never-seen']) {
      const untried = guard.propose(state(false, false), { name, arguments: {} });
      expect(untried, name).toMatchObject({ decision: 'stop', reason: 'untried-action' });
    }
    const beside = guard.propose(
      state(false, false),
      { name: 'never-seen', arguments: {} },
      { pending: [{ name: 'gas', arguments: {} }] },
    );
    expect(beside).toMatchObject({ decision: 'stop', reason: 'untried-action' });
    expect(guard.permitted(state(false, false), [{ name: 'out', arguments: {} }]).safest).toBeNull();
  });
});
