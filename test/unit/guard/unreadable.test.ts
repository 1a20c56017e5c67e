import { describe, expect, it } from 'vitest';
import {
  Abstraction,
  compileGuard,
  learnMdp,
  parseSpecification,
} from '../../../bindings/face/entries/index.js';
import '../../../bindings/solvers/kernel/inline.js';
import { createSession } from '../../../bindings/runtime/enforcement/index.js';
import {
  createGuard,
  createGuardStep,
  createProposal,
  type GuardFile,
  type GuardProposal,
  severity,
  type UnknownPolicy,
} from '../../../bindings/runtime/guard/index.js';
import { guardFile, never, response, ruleOf } from './guardFiles.js';

const LOW = [0.1, 0.1, 0.1, 0.1];
const lets = ['report', 'allow'] as const;
const policies: readonly UnknownPolicy[] = ['rule', 'stop', 'block', 'inspect', 'reflect', ...lets];

const fileThat = (onUnknown: UnknownPolicy, more: Partial<GuardFile> = {}) =>
  guardFile([ruleOf(never, LOW), { ...ruleOf(response, LOW), name: 'second' }], {
    onUnknown,
    unsafeAllowUnknown: true,
    ...more,
  });

const unreadable: readonly [what: string, state: unknown][] = [
  ['a field is missing', { a: false }],
  ['a field is of the wrong type', { a: false, b: 'no' }],
  ['a getter throws', Object.defineProperty({ a: false }, 'b', { get: () => Number('x').toFixed(1e9) })],
  ['the state is none', null],
];

describe.each(policies)(
  'under onUnknown: %s, what a predicate could not read is never let through',
  (policy) => {
    const refused = ({ decision }: { decision: keyof typeof severity }) =>
      expect(severity[decision]).toBeGreaterThan(severity.report);

    it.each(unreadable)('by step, stepInto, propose, observe and decideAgain: %s', (_, given) => {
      const state = given as Readonly<Record<string, unknown>>;
      const guard = createGuard(fileThat(policy));
      const again = createGuard(fileThat(policy));
      refused(guard.step(state));
      refused(again.decideAgain(guard.observed()));
      refused(guard.stepInto(state, {}, createGuardStep()));
      refused(guard.propose(state, { name: 'move' }));
      refused(guard.observe(state));
      guard.reset();
      guard.step({ a: false, b: false });
      const step = guard.propose(state, { name: 'move' });
      refused(step);
      expect(step).toMatchObject({ reason: 'predicate-failed' });
      expect(guard.explain(step)).toContain('could not be read');
    });

    it('also where steps are held', () => {
      const held = createGuard(
        fileThat(policy, { samplingPeriodSeconds: 1, periodTolerance: 0.1, resample: 'hold' }),
      );
      held.step({ a: false, b: false }, { time: 0 });
      refused(held.step({ a: false }, { time: 3 }));
      refused(held.step({ a: false }, { time: 5 }));
    });

    it('in a session, whose record says so', async () => {
      const records: unknown[] = [];
      const session = createSession({
        guard: createGuard(fileThat(policy)),
        tools: ['move'],
        state: () => ({ a: false }),
        log: { append: (record) => void records.push(record) },
        ask: async () => ({ approved: false }),
      });
      const verdict = await session.decide({ id: '1', name: 'move', arguments: {} });
      expect(verdict.run).toBeNull();
      expect(records).toContainEqual(
        expect.objectContaining({ kind: 'decision', reason: 'predicate-failed' }),
      );
    });
  },
);

describe.each(lets)('onUnknown: %s', (policy) => {
  it('still lets through what was read and has no data, and says what a stop is for', () => {
    const guard = createGuard(
      fileThat(policy, {
        states: { words: 1, valuations: [0, 1, 2], draws: [9, 5, 0] },
        seen: { rowStart: [0, 2, 4, 4], columns: [0, 1, 0, 2] },
        rules: [ruleOf(never, [0.1, 0.1, 0.1])],
      }),
    );
    expect(guard.step({ a: false, b: true })).toMatchObject({ decision: policy, reason: 'unknown-state' });
    expect(guard.step({ a: false })).toMatchObject({
      decision: 'stop',
      reason: 'predicate-failed',
      predicate: 'b',
    });
    expect(guard.explain(guard.step({ a: false }))).toContain(
      `onUnknown: ${policy} applies to what was read`,
    );
    expect(guard.step({ a: false, b: false })).toMatchObject({ decision: 'allow' });
    expect(guard.counters.faults).toBe(3);
  });

  it.each([true, '1', [1]])('holds a code that comes as %j for unreadable, and null for another', (code) => {
    const file = fileThat(policy);
    const predicates = [file.predicates[0], { name: 'b', expression: 'red == 1' }];
    const guard = createGuard({ ...file, predicates });
    expect(guard.step({ a: false, red: code })).toMatchObject({
      decision: 'stop',
      reason: 'predicate-failed',
    });
    expect(createGuard({ ...file, predicates }).step({ a: false, red: null }).decision).toBe('allow');
  });

  it('in shadow mode tells what it would have done', () => {
    const shadow = createGuard(
      guardFile([ruleOf(never, LOW, { shadow: true })], { onUnknown: policy, unsafeAllowUnknown: true }),
    );
    expect(shadow.step({ a: false })).toMatchObject({ decision: 'report', wouldDecide: 'stop' });
    // A rule that only ever reports is one that is in shadow mode.
    const reporting = ruleOf(never, LOW, { strategy: { kind: 'report' } });
    const reports = createGuard(guardFile([reporting], { onUnknown: policy, unsafeAllowUnknown: true }));
    expect(reports.step({ a: false }).decision).toBe('report');
  });
});

describe('predicates over arguments of an action', () => {
  const shield = async (mode: string, policy: UnknownPolicy) => {
    const specification = parseSpecification(`
version: 1
predicates: { tainted: tainted, leaked: leaked }
actions: { send: { abroad: '!to.endsWith("@home.example")' } }
shield: ${mode}
onUnknown: ${policy}
unsafeAllowUnknown: true
rules:
  noLeak: { formula: 'G !leaked', threshold: 0.5 }
${mode === 'budget' ? '' : "  soon: { formula: 'P<0.5 [ F<=2 leaked ]', strategy: block }"}
learning: { model: mdp, smoothing: 0 }`);
    const step = (name?: string) => ({
      state: { tainted: false, leaked: false },
      ...(name && { action: { name, arguments: { to: 'me@home.example' } } }),
    });
    const traces = [0, 1].map((i) => ({
      id: `${i}`,
      steps: [step('send'), { state: { tainted: true, leaked: false } }],
    }));
    const { model } = await learnMdp(
      new Abstraction(specification.abstraction),
      traces,
      specification.learning,
    );
    return createGuard(compileGuard(specification, model));
  };

  it.each(['predict', 'budget', 'least'])(
    'that cannot be read let nothing through, under %s',
    async (mode) => {
      for (const policy of policies) {
        const state = { tainted: false, leaked: false };
        const bad = { name: 'send', arguments: { to: 7 } };
        const refused = (found: GuardProposal) => {
          expect(severity[found.decision], `${policy}: ${found.reason}`).toBeGreaterThan(severity.report);
          expect(found).toMatchObject({ reason: 'predicate-failed', predicate: 'abroad' });
        };
        const guard = await shield(mode, policy);
        refused(guard.stepInto(state, { action: bad }, createProposal()));
        refused(guard.propose(state, bad));
        const again = await shield(mode, policy);
        again.step(state);
        refused(again.propose(state, bad));
        expect(again.permitted(state, [bad]).safest).toBeNull();
        expect(again.propose(state, { name: 'send', arguments: { to: 'me@home.example' } }).decision).toBe(
          'allow',
        );
      }
    },
  );
});
