import { describe, expect, it } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import { buildAutomaton } from '../../../bindings/languages/automaton/index.js';
import { parseFormula } from '../../../bindings/languages/logic/index.js';
import { bindAgentSpec, parseAgentSpec } from '../../../bindings/runtime/agentspec/index.js';
import {
  InspectionStore,
  type SessionOptions,
  type Verdict,
} from '../../../bindings/runtime/enforcement/index.js';
import { createGuard } from '../../../bindings/runtime/guard/index.js';
import { guardFile, ruleOf } from '../guard/guardFiles.js';
import { MemoryFolder } from './memoryFolder.js';
import { setting } from './setting.js';

const call = (id: string, name = 'move') => ({ id, name, arguments: {} });
const formula = 'G !b';
/** Asks where `a` holds, and blocks where `b` does: there the rule is broken. */
const file = guardFile(
  [
    ruleOf(buildAutomaton(parseFormula(formula)), [0.1, 0.6, 0.95, 0.95], {
      formula,
      levels: [
        { threshold: { compare: 'risk>=', value: 0.5 }, strategy: { kind: 'inspect' } },
        { threshold: { compare: 'risk>=', value: 0.9 }, strategy: { kind: 'block' } },
      ],
      afterViolation: { kind: 'block' },
    }),
  ],
  { onUnknown: 'block' },
);

const idOf = ({ inspection }: Verdict): string => {
  if (inspection === null) throw new Error('nobody was asked');
  return inspection.id;
};

describe('a yes to a question about a state that has passed', () => {
  it.each<[string, unknown, boolean]>([
    ['graver', { a: false, b: true }, false],
    ['graver, and the agent has proposed something there', { a: false, b: true }, true],
    ['unreadable', { a: '?', b: '?' }, false],
    ['unreadable, and the agent has proposed something there', { a: '?', b: '?' }, true],
  ])('lets nothing run where the world is %s', async (_, by, proposes) => {
    let world: unknown = { a: true, b: false };
    const { session } = setting({ guard: createGuard(file), onFault: 'block', state: () => world as never });
    const asked = await session.check(call('1'));
    world = by;
    if (proposes) expect((await session.check(call('2', 'brake'))).run).toBeNull();
    const yes = await session.answer(idOf(asked), { approved: true });
    expect(yes).toMatchObject({ decision: 'block', reason: 'no-answer', run: null });
  });

  it('counts where the world reads as it did, and is no step', async () => {
    const guard = createGuard(file);
    const { session } = setting({ guard, state: () => ({ a: true, b: false }) });
    const asked = await session.check(call('1'));
    expect(await session.answer(idOf(asked), { approved: true })).toMatchObject({ run: { name: 'move' } });
    expect(guard.counters.steps).toBe(1);
  });
});

describe('a yes to one question', () => {
  const rules = ['one', 'two'].map((field) => {
    const rule = `rule @${field}\ntrigger\nmove\ncheck\n${field}\nenforce\nuser_inspection("${field}")\nend`;
    return bindAgentSpec(parseAgentSpec(rule).rules, { predicates: { [field]: field } });
  });

  function asking() {
    const store = new InspectionStore(new MemoryFolder(), { key: 'k'.repeat(40), pollMs: 1 });
    const world = { a: false, b: false, one: true, two: false };
    const options: Partial<SessionOptions> = { rules, state: () => ({ ...world }), ask: store.ask };
    return { store, world, options };
  }

  it('is none to the one that would be asked after a restart, with more rules against the call', async () => {
    const { store, world, options } = asking();
    const { ask: _, ...silent } = options;
    const first = setting({ ...silent, id: 'run' });
    const asked = await first.session.check(call('1'));
    await store.open(asked.inspection as never);
    await store.answer(idOf(asked), { approved: true });

    world.two = true;
    const again = setting({ ...options, id: 'run', resume: first.records, askTimeoutMs: 50 });
    expect(await again.session.decide(call('2'))).toMatchObject({ reason: 'no-answer', run: null });
    world.two = false;
    const same = setting({ ...options, id: 'run', resume: first.records });
    expect(await same.session.decide(call('2'))).toMatchObject({ reason: 'approved', run: { name: 'move' } });
  });

  it('is none to the same call that was proposed again, with more rules against it', async () => {
    const { store, world, options } = asking();
    const { session } = setting({ ...options, onFault: 'block' });
    const first = session.decide(call('1'));
    await expect.poll(() => store.list()).toHaveLength(1);
    world.two = true;
    const second = session.decide(call('1'));
    await expect.poll(() => store.list()).toHaveLength(2);
    const open = await store.list();
    const [both, about] = ['two', 'one'].map(
      (name) => open.find(({ inspection }) => inspection.question.includes('two') === (name === 'two'))!,
    );
    await store.answer(about.inspection.id, { approved: true });
    expect((await first).run).toBeNull();
    // The other is still open, so that its own answer counts.
    await store.answer(both.inspection.id, { approved: false });
    expect((await second).run).toBeNull();
  });
});

describe('a session that goes on with a run', () => {
  it.each([
    ['shadow', { shadow: true }],
    ['onFault', { onFault: 'block' as const }],
    ['maxReflections', { maxReflections: 5 }],
  ])('has the same %s', async (name, other) => {
    const first = setting({ guard: createGuard(file) });
    await first.propose('move');
    const resumed = { guard: createGuard(file), resume: first.records };
    expect(() => setting({ ...resumed, ...other })).toThrow(new RegExp(`began with ${name}`));
    expect(() => setting(resumed)).not.toThrow();
  });
});

describe('a path to redact', () => {
  it('is refused where it would hide nothing', () => {
    expect(() => setting({ redact: ['user.email'] })).toThrow(/would hide nothing.*"arguments.user.email"/);
    expect(() => setting({ redact: ['email', 'arguments.user.email'] })).not.toThrow();
  });
});
