import { describe, expect, it } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import { learnMdp } from '../../../bindings/estimation/learning/index.js';
import { Abstraction } from '../../../bindings/observations/abstraction/index.js';
import type { Step } from '../../../bindings/observations/trace/index.js';
import { compileGuard } from '../../../bindings/rules/risk/index.js';
import { compileRules, parseSpecification } from '../../../bindings/rules/specification/index.js';
import { createGuard, type Guard, type GuardFile } from '../../../bindings/runtime/guard/index.js';
import { eventually, guardFile, never, ruleOf } from './guardFiles.js';

const step = (tainted: boolean, leaked: boolean, name?: string, to = 'me@home.example'): Step => ({
  state: { tainted, leaked },
  ...(name !== undefined && { action: { name, arguments: { to } } }),
});
const traces = [
  [step(false, false, 'fetch'), step(true, false, 'send', 'you@elsewhere.example'), step(true, true)],
  [step(false, false, 'fetch'), step(true, false, 'send'), step(true, false)],
  [step(false, false, 'fetch'), step(true, false, 'forget'), step(false, false)],
  [step(false, false, 'send'), step(false, false)],
  ...[false, false, false, true].map((leaks) => [step(true, false, 'quote'), step(true, leaks)]),
].map((steps, i) => ({ id: `${i}`, steps }));

/** The assistant for mail, whose actions are judged; `settings` are lines of its specification. */
async function mail(settings: string, rules = ''): Promise<GuardFile> {
  const specification = parseSpecification(`version: 1
predicates: { tainted: tainted, leaked: leaked }
actions: { send: { abroad: '!to.endsWith("@home.example")' } }
rules:
  noLeak: { formula: 'G !leaked', threshold: 0.5 }
${rules}
learning: { model: mdp, smoothing: 0 }
${settings}`);
  const { model } = await learnMdp(
    new Abstraction(specification.abstraction),
    traces,
    specification.learning,
  );
  return compileGuard(specification, model);
}

const CLEAN = { tainted: false, leaked: false };
const TAINTED = { tainted: true, leaked: false };
const handOver = { name: 'handOver', arguments: {} };
const unreadable = { name: 'send', arguments: { to: 7 } };

/** A guard after one step. */
function stepped(file: GuardFile, state: Readonly<Record<string, unknown>> = CLEAN): Guard {
  const guard = createGuard(file);
  guard.step(state);
  return guard;
}

describe('untried, unknown and unreadable', () => {
  const apart = 'onUntried: block\nonUnknown: inspect\nonUnreadable: reflect';

  it('have a setting each', async () => {
    const guard = stepped(await mail(apart));
    expect(guard.propose(CLEAN, handOver)).toMatchObject({ decision: 'block', reason: 'untried-action' });
    expect(guard.propose(CLEAN, unreadable)).toMatchObject({
      decision: 'reflect',
      reason: 'predicate-failed',
    });
    const unknown = guard.propose({ tainted: false, leaked: true }, handOver);
    expect(unknown.reason).toBe('violated');
    const file = guardFile([ruleOf(never, [0.1, 0.1, 0.1, 0.1])], {
      states: { words: 1, valuations: [0, 1, 2, 3], draws: [9, 5, 0, 0] },
      onUnknown: 'inspect',
      onUnreadable: 'block',
    });
    const chain = createGuard(file);
    expect(chain.step({ a: false, b: true })).toMatchObject({ decision: 'inspect', reason: 'unknown-state' });
    expect(chain.step({ a: false })).toMatchObject({ decision: 'block', reason: 'predicate-failed' });
  });

  it.each(['rule', 'stop', 'block', 'inspect', 'reflect', 'report', 'allow'] as const)(
    'without settings of their own fall back to onUnknown: %s',
    async (policy) => {
      const file = await mail(`onUnknown: ${policy}\nunsafeAllowUnknown: true`);
      expect(file).not.toHaveProperty('onUntried');
      expect(file).not.toHaveProperty('onUnreadable');
      const guard = stepped(file, TAINTED);
      const untried = policy === 'rule' ? 'stop' : policy;
      expect(guard.propose(TAINTED, handOver)).toMatchObject({ decision: untried, reason: 'untried-action' });
      const unread = policy === 'allow' || policy === 'report' ? 'stop' : untried;
      guard.reset();
      guard.step(CLEAN);
      expect(guard.propose(CLEAN, unreadable)).toMatchObject({
        decision: unread,
        reason: 'predicate-failed',
      });
    },
  );

  it('of two faults at once the more severe setting counts', async () => {
    const file = { ...(await mail('onUnknown: stop\nonUnreadable: block')), states: undefined };
    const known = await mail('onUnknown: stop\nonUnreadable: block');
    const guard = createGuard({
      ...file,
      states: { ...known.states, draws: known.states.draws.map(() => 0) },
    } as GuardFile);
    guard.step(CLEAN);
    const stopped = guard.propose(CLEAN, unreadable);
    expect(stopped).toMatchObject({ decision: 'stop', reason: 'unknown-state' });
    expect(guard.explain(stopped)).toContain('onUnknown: stop decides');
  });

  it('decide an untried action even where a lenient onUnknown lets a step out of time go on', async () => {
    const lenient = 'onUnknown: allow\nunsafeAllowUnknown: true';
    const file = { ...(await mail(lenient)), samplingPeriodSeconds: 1 };
    const apart = { ...file, onUntried: 'block' } as const;
    const late = (file: GuardFile): Guard => {
      const guard = createGuard(file);
      guard.step(CLEAN, { time: 0 });
      guard.step(CLEAN, { time: 17.3 });
      return guard;
    };
    const guard = late(apart);
    expect(guard.propose(CLEAN, { name: 'fetch' })).toMatchObject({ reason: 'irregular-time' });
    const refused = guard.propose(CLEAN, handOver);
    expect(refused).toMatchObject({ decision: 'block', reason: 'untried-action', rule: '' });
    const again = late(apart);
    expect(again.decideAgain(JSON.parse(JSON.stringify(guard.observed())))).toEqual(refused);
    expect(late(file).propose(CLEAN, handOver).decision).toBe('allow');
  });

  it('never let a call run whose arguments could not be read, whatever lets others run', async () => {
    const guard = stepped(await mail('onUntried: allow\nonUnknown: allow\nunsafeAllowUnknown: true'));
    expect(guard.propose(CLEAN, handOver).decision).toBe('allow');
    expect(guard.propose(CLEAN, unreadable).decision).toBe('stop');
  });
});

describe('a rule that is satisfied for good', () => {
  const settled = { ...ruleOf(eventually, [0.1, 0.1, 0.1, 0.1]), formula: 'F b' };
  const data = { states: { words: 1, valuations: [0, 1, 2, 3], draws: [9, 0, 5, 0] } };
  const done = { a: false, b: true };

  it('refuses nothing of its own for what is not known, once the three are told apart', () => {
    const rule = { ...data, onUnknown: 'rule' } as const;
    const guard = createGuard(guardFile([settled], { ...rule, onUnreadable: 'block' }));
    expect(guard.step({ a: true, b: false })).toMatchObject({ decision: 'stop', reason: 'unknown-state' });
    guard.reset();
    guard.step(done);
    expect(guard.step({ a: true, b: false })).toMatchObject({ decision: 'allow', risk: 0, upper: 0 });
    expect(guard.rules[0].fault).toBeNull();
    const before = createGuard(guardFile([settled], rule));
    before.step(done);
    expect(before.step({ a: true, b: false })).toMatchObject({ decision: 'stop', reason: 'unknown-state' });
  });

  it.each(['rule', 'stop', 'block', 'inspect', 'reflect'] as const)(
    'leaves what could not be read to onUnreadable: %s, which never lets it run',
    (onUnreadable) => {
      const guard = createGuard(guardFile([settled], { ...data, onUnknown: 'rule', onUnreadable }));
      guard.step(done);
      expect(guard.step({ a: true })).toMatchObject({
        decision: onUnreadable === 'rule' ? 'stop' : onUnreadable,
        reason: 'predicate-failed',
        rule: '',
        risk: 0,
      });
    },
  );

  it('leaves a state that is not known to the policy of onUnknown, if that names one', () => {
    const guard = createGuard(guardFile([settled], { ...data, onUnknown: 'block', onUnreadable: 'stop' }));
    guard.step(done);
    expect(guard.step({ a: true, b: false })).toMatchObject({ decision: 'block', reason: 'unknown-state' });
  });

  it('leaves other rules to decide', () => {
    const open = { ...ruleOf(never, [0.1, 0.1, 0.1, 0.1]), name: 'open' };
    const guard = createGuard(
      guardFile([settled, open], { ...data, onUnknown: 'stop', onUnreadable: 'block' }),
    );
    guard.step(done);
    expect(guard.step({ a: true, b: false })).toMatchObject({ decision: 'stop', reason: 'unknown-state' });
    expect(guard.step({ a: true })).toMatchObject({ decision: 'block', reason: 'predicate-failed' });
  });

  it('refuses as before where onUnknown alone is set', () => {
    const guard = createGuard(guardFile([settled], { ...data, onUnknown: 'block' }));
    guard.step(done);
    expect(guard.step({ a: true, b: false })).toMatchObject({ decision: 'block', reason: 'unknown-state' });
    expect(guard.step({ a: true })).toMatchObject({ decision: 'block', reason: 'predicate-failed' });
  });

  it('still counts as open where a step that could not be read may have broken it', () => {
    // a W b would be broken by neither; the rule G !(a & b) is never satisfied for good.
    const open = ruleOf(never, [0.1, 0.1, 0.1, 0.1]);
    const guard = createGuard(guardFile([open], { onUnknown: 'rule', onUnreadable: 'rule' }));
    expect(guard.step({ a: true })).toMatchObject({ decision: 'stop', reason: 'predicate-failed', risk: 1 });
  });

  it('permits an action that was never tried, where actions are judged', async () => {
    const rules = "  sent: { formula: 'F tainted', atEnd: strong, threshold: 0.5 }";
    const file = await mail('onUntried: rule', rules);
    const alone = { ...file, rules: file.rules.filter(({ name }) => name === 'sent') };
    const guard = stepped(alone, CLEAN);
    expect(guard.propose(CLEAN, handOver)).toMatchObject({ decision: 'stop', reason: 'untried-action' });
    guard.step(TAINTED);
    expect(guard.propose(TAINTED, handOver)).toMatchObject({ decision: 'allow', risk: 0 });
    expect(guard.propose(TAINTED, unreadable)).toMatchObject({
      decision: 'stop',
      reason: 'predicate-failed',
      risk: 0,
    });
    const { onUntried, ...before } = alone;
    expect(onUntried).toBe('rule');
    const named = stepped({ ...before, onUntried: 'block' }, TAINTED);
    expect(named.propose(TAINTED, handOver)).toMatchObject({ decision: 'block', reason: 'untried-action' });
    expect(stepped(before, TAINTED).propose(TAINTED, handOver)).toMatchObject({
      decision: 'stop',
      reason: 'untried-action',
    });
  });

  it('refuses nothing in a forbidden state, under rules alone', () => {
    const text = (more: string) => `version: 1
predicates: { cut: cut, sewn: sewn }
constraints: { state: '!(cut && sewn)' }
rules: { prepared: { formula: 'F cut', strategy: block } }
${more}`;
    for (const [more, decision] of [
      ['', 'block'],
      ['onUnreadable: block', 'allow'],
    ] as const) {
      const guard = createGuard(compileRules(parseSpecification(text(more))));
      guard.step({ cut: true, sewn: false });
      expect(guard.step({ cut: true, sewn: true })).toMatchObject({ decision });
    }
  });
});

describe('under rules alone', () => {
  const text = (more: string) => `version: 1
predicates: { asks: 'action.name == "ask"', abroad: 'action.name == "send" && !action.arguments.to.endsWith("home")' }
rules: { askFirst: { formula: 'G (abroad -> O asks)', strategy: reflect } }
${more}`;
  const guardOf = (more: string) => createGuard(compileRules(parseSpecification(text(more))));

  it('what may break a rule because it could not be read is decided by onUnreadable, and the rule is named', () => {
    const policies = [
      ['', 'reflect'],
      ['onUnreadable: block', 'block'],
    ] as const;
    for (const [more, decision] of policies)
      expect(guardOf(more).step({}, { action: unreadable })).toMatchObject({
        decision,
        reason: 'predicate-failed',
        rule: 'askFirst',
        risk: 1,
      });
  });

  it('what could not be read and breaks no rule is decided by onUnreadable alone, where it is set', () => {
    const policies = [
      ['', 'allow'],
      ['onUnreadable: block', 'block'],
      ['onUnreadable: rule', 'reflect'],
    ] as const;
    for (const [more, decision] of policies) {
      const guard = guardOf(more);
      guard.step({}, { action: { name: 'ask', arguments: {} } });
      const last = guard.step({}, { action: unreadable });
      expect(last.decision).toBe(decision);
      if (decision === 'allow') continue;
      expect(last).toMatchObject({ reason: 'predicate-failed', rule: '', risk: Number.NaN });
      expect(guard.explain(last)).toContain('The predicate "abroad" could not be read');
      expect(guard.explain(last)).not.toContain('askFirst');
    }
  });

  it('it is the rule that may be broken that is named, not an earlier one', () => {
    const two = text('onUnreadable: block').replace(
      'rules: {',
      "rules: { calm: { formula: 'G !(asks && abroad)', strategy: block },",
    );
    const guard = createGuard(compileRules(parseSpecification(two.replace('G !(asks && abroad)', 'G true'))));
    expect(guard.step({}, { action: unreadable })).toMatchObject({ decision: 'block', rule: 'askFirst' });
  });
});

describe('a refusal for what is not known', () => {
  it('names no rule, and says that the action was never seen', async () => {
    const guard = stepped(await mail('onUntried: block'));
    const refused = guard.propose(CLEAN, handOver);
    expect(refused).toMatchObject({ rule: '', ruleOfStrategy: 'noLeak', reason: 'untried-action' });
    expect(guard.explain(refused)).toBe(
      'Step 0: block. This action was never seen in this state, so its outcome is not known; onUntried: block decides. State: none of tainted, leaked.',
    );
  });

  it('says that the state is not known, or could not be read', () => {
    const file = guardFile([ruleOf(never, [0.1, 0.1, 0.1, 0.1])], {
      states: { words: 1, valuations: [0, 1, 2, 3], draws: [9, 5, 0, 0] },
    });
    const guard = createGuard(file);
    const unknown = guard.step({ a: false, b: true });
    expect(unknown).toMatchObject({ rule: '' });
    expect(guard.explain(unknown)).toContain(
      'stop. This state is not known: the data never left it; onUnknown: stop decides.',
    );
    const unread = guard.step({ a: false });
    expect(unread).toMatchObject({ rule: '' });
    expect(guard.explain(unread)).toMatch(
      /^Step 1: stop\. The predicate "b" could not be read \(.*\); onUnknown: stop decides\.$/,
    );
  });

  it('names the rule where a rule without tables may be broken by what it could not read', () => {
    const guard = createGuard(
      compileRules(parseSpecification("version: 1\nrules: { calm: { formula: 'G !(speed > 3)' } }")),
    );
    const unread = guard.step({});
    expect(unread).toMatchObject({ decision: 'stop', rule: 'calm', reason: 'predicate-failed' });
    expect(guard.explain(unread)).toContain('could not be read');
    expect(guard.explain(unread)).toContain('rule "calm" (G !(speed > 3)) may be broken');
  });

  it('names the rule where it is compared or broken', async () => {
    const guard = stepped(await mail('onUntried: block'), TAINTED);
    const away = { name: 'send', arguments: { to: 'you@elsewhere.example' } };
    expect(guard.propose(TAINTED, away)).toMatchObject({ rule: 'noLeak', reason: 'at-threshold' });
    expect(guard.step({ tainted: true, leaked: true })).toMatchObject({ rule: 'noLeak', reason: 'violated' });
  });

  it('that asks the agent to reflect tells it what is not known, and no rule', async () => {
    const guard = stepped(await mail('onUntried: reflect'));
    const asked = guard.propose(CLEAN, handOver);
    const told = guard.reflection(asked);
    expect(told).toContain('This action was never seen in this state');
    expect(told).not.toContain('noLeak');
    guard.propose(CLEAN, handOver);
    const escalated = guard.propose(CLEAN, handOver);
    expect(escalated).toMatchObject({ decision: 'stop', reason: 'escalated', rule: '' });
    expect(guard.explain(escalated)).toContain('asked to reflect 2 times');
    expect(guard.explain(escalated)).not.toContain('noLeak');
  });

  it('follows onFailure of the rule whose strategy was taken', async () => {
    const file = await mail('onUntried: inspect');
    const rules = file.rules.map((rule) => ({ ...rule, onFailure: { kind: 'block' as const } }));
    const guard = stepped({ ...file, rules });
    const asked = guard.propose(CLEAN, handOver);
    expect(asked.decision).toBe('inspect');
    expect(guard.failed(asked)).toMatchObject({ decision: 'block', reason: 'strategy-failed' });
  });

  it('stops the run where nothing that was ever done is permitted, and says so', async () => {
    const file = await mail('onUntried: block');
    const levels = [
      { threshold: { compare: 'risk>=' as const, value: 0 }, strategy: { kind: 'block' as const } },
    ];
    const guard = stepped({ ...file, rules: file.rules.map((rule) => ({ ...rule, levels })) });
    const refused = guard.propose(CLEAN, handOver);
    expect(refused).toMatchObject({ decision: 'stop', reason: 'nothing-permitted', rule: '' });
    expect(guard.explain(refused)).toContain(
      'This action was never seen in this state, and nothing that was ever done here is permitted',
    );
  });
});

describe('a safe tool', () => {
  const SAFE = 'tools: { handOver: { safe: true }, send: { safe: false } }';

  it('is not refused for an action that was never seen, nor for a state that is not known', async () => {
    const guard = stepped(await mail(SAFE));
    expect(guard.propose(CLEAN, handOver)).toMatchObject({
      decision: 'allow',
      reason: 'safe-tool',
      rule: '',
    });
    const known = await mail(SAFE);
    const unknown = createGuard({
      ...known,
      states: { ...known.states, draws: known.states.draws.map(() => 0) },
    });
    unknown.step(CLEAN);
    expect(unknown.propose(CLEAN, { name: 'fetch' })).toMatchObject({ reason: 'unknown-state' });
    const passed = unknown.propose(CLEAN, handOver);
    expect(passed).toMatchObject({ decision: 'allow', reason: 'safe-tool', risk: Number.NaN });
    expect(unknown.explain(passed)).toContain('declared safe');
  });

  it('is not judged by predictive rules', async () => {
    const safe = await mail('tools: { send: { safe: true } }');
    const guard = stepped(safe, TAINTED);
    const away = { name: 'send', arguments: { to: 'you@elsewhere.example' } };
    expect(stepped(await mail(''), TAINTED).propose(TAINTED, away).decision).toBe('block');
    expect(guard.propose(TAINTED, away)).toMatchObject({ decision: 'allow', reason: 'safe-tool' });
    expect(guard.permitted(TAINTED).actions.find(({ name }) => name === 'send[abroad]')).toMatchObject({
      permitted: true,
    });
  });

  it('is withheld where its arguments, or the state, could not be read', async () => {
    const guard = stepped(await mail('tools: { send: { safe: true } }'));
    expect(guard.propose(CLEAN, unreadable)).toMatchObject({ decision: 'stop', reason: 'predicate-failed' });
    expect(
      guard.propose({ tainted: false }, { name: 'send', arguments: { to: 'me@home.example' } }),
    ).toMatchObject({
      decision: 'stop',
      reason: 'predicate-failed',
    });
  });

  it('is withheld where a rule is broken', async () => {
    const guard = stepped(await mail(SAFE), { tainted: true, leaked: true });
    expect(guard.propose({ tainted: true, leaked: true }, handOver)).toMatchObject({
      decision: 'stop',
      rule: 'noLeak',
    });
  });

  it('takes nothing of a budget, and makes no other call beside it unknown', async () => {
    const text = `shield: budget\n${SAFE}`;
    const guard = stepped(await mail(text), TAINTED);
    const away = { name: 'send', arguments: { to: 'you@elsewhere.example' } };
    // It leaks once in four times, of a budget of 0.5.
    const quote = { name: 'quote', arguments: {} };
    for (let i = 0; i < 5; i++) expect(guard.propose(TAINTED, handOver).decision).toBe('allow');
    expect(guard.propose(TAINTED, quote, { pending: [handOver] })).toMatchObject({ decision: 'allow' });
    expect(guard.propose(TAINTED, away, { pending: [handOver] })).toMatchObject({ reason: 'over-budget' });
    const other = stepped(await mail('shield: budget\nonUntried: allow\nunsafeAllowUnknown: true'), TAINTED);
    other.propose(TAINTED, handOver);
    expect(other.propose(TAINTED, quote)).toMatchObject({ decision: 'block', reason: 'over-budget' });
  });

  it('is bound by rules that are enforced exactly', () => {
    const guard = createGuard(
      compileRules(
        parseSpecification(`version: 1
predicates: { asks: 'action.name == "ask"', hands: 'action.name == "handOver"' }
rules: { askFirst: { formula: 'G (hands -> O asks)' } }
tools: { ask: {}, handOver: { safe: true } }`),
      ),
    );
    expect(guard.step({}, { action: handOver })).toMatchObject({ decision: 'block', rule: 'askFirst' });
    guard.withhold();
    guard.step({}, { action: { name: 'ask' } });
    expect(guard.step({}, { action: handOver })).toMatchObject({ decision: 'allow', reason: 'kept' });
  });

  it('is what the guard file says, where it says that a tool is not safe', async () => {
    const guard = createGuard(await mail('tools: { handOver: { safe: false }, other: {} }'));
    guard.trust(() => true);
    guard.step(CLEAN);
    expect(guard.propose(CLEAN, handOver)).toMatchObject({ decision: 'stop', reason: 'untried-action' });
    expect(guard.propose(CLEAN, { name: 'other' })).toMatchObject({ decision: 'allow', reason: 'safe-tool' });
  });

  it('is a way out: the run goes on where nothing that was ever done is permitted', async () => {
    const file = await mail(`${SAFE}\nonUntried: block`);
    const levels = [
      { threshold: { compare: 'risk>=' as const, value: 0 }, strategy: { kind: 'block' as const } },
    ];
    const guard = stepped({ ...file, rules: file.rules.map((rule) => ({ ...rule, levels })) });
    expect(guard.propose(CLEAN, { name: 'fetch' })).toMatchObject({
      decision: 'block',
      alternatives: ['handOver'],
    });
  });

  it('is told apart before its time, where the last decision is repeated for other calls', () => {
    const file = guardFile([ruleOf(never, [0.9, 0.9, 0.9, 0.9])], {
      samplingPeriodSeconds: 1,
      resample: 'skip',
      tools: { handOver: { safe: true } },
    });
    const guard = createGuard(file);
    const state = { a: false, b: false };
    expect(guard.step(state, { time: 0, action: handOver }).decision).toBe('allow');
    expect(guard.step(state, { time: 0.2, action: { name: 'move' } }).decision).toBe('stop');
    expect(guard.step(state, { time: 0.4, action: handOver }).decision).toBe('allow');
    expect(guard.step(state, { time: 0.5, action: handOver }).decision).toBe('allow');
    expect(guard.step(state, { time: 0.6 }).decision).toBe('stop');
  });

  it('decides again from its record, also for a tool that only the run trusts', async () => {
    const guard = createGuard(await mail(''));
    guard.trust((tool) => tool === 'handOver');
    guard.step(CLEAN);
    const decided = guard.propose(CLEAN, handOver);
    expect(decided).toMatchObject({ decision: 'allow', reason: 'safe-tool' });
    const observed = guard.observed();
    expect(observed.safe).toBe(true);
    const again = stepped(await mail(''));
    expect(again.decideAgain(JSON.parse(JSON.stringify(observed)))).toEqual(decided);
    expect(guard.fork().propose(CLEAN, handOver).decision).toBe('stop');
    expect(guard.propose(CLEAN, { name: 'other' }).decision).toBe('stop');
    expect(guard.observed()).not.toHaveProperty('safe');
  });
});
