import { describe, expect, it } from 'vitest';
import { Random } from '../../bindings/base/random.js';
import {
  createGuard,
  type Guard,
  type GuardFile,
  type GuardProposal,
  severity,
  UNKNOWN_POLICIES,
  UNREADABLE_POLICIES,
} from '../../bindings/runtime/guard/index.js';
import { below, guardFileOf } from './actionWorlds.js';

const SHIELDS = ['predict', 'least', 'budget'] as const;
/** `d` is no tool of the data, and not every other one was called in every state. */
const TOOLS = ['a', 'b', 'c', 'd'];

/** One question to a guard, drawn from a seed: a state that may be unknown or unreadable, a call that may be untried, and calls beside it. */
interface Question {
  readonly state: Readonly<Record<string, unknown>>;
  readonly name: string;
  readonly pending: readonly { readonly name: string }[];
  readonly isStep: boolean;
}

function questions(random: Random, count: number): Question[] {
  let state: Question['state'] = {};
  return Array.from({ length: count }, () => {
    const isStep = random.next() < 0.4;
    if (isStep) state = random.next() < 0.1 ? {} : { x: below(random, 5) };
    const pending = random.next() < 0.2 ? [{ name: random.pick(TOOLS) }] : [];
    return { state, name: random.pick(TOOLS), pending, isStep };
  });
}

function ask(guard: Guard, { state, name, pending, isStep }: Question): GuardProposal {
  if (isStep) guard.step(state);
  return guard.propose(state, { name }, { pending });
}

/** Guards of decision processes with a rule that nothing satisfies for good; `more` is another rule. */
async function* files(count: number, more = ''): AsyncGenerator<{ file: GuardFile; random: Random }> {
  for (let seed = 1; seed <= count; seed++) {
    const random = new Random(seed, 11);
    for (const shield of SHIELDS) {
      const threshold = shield === 'budget' ? 0.97 : Number(random.next().toFixed(2));
      try {
        const file = await guardFileOf(seed, shield, `{ formula: 'G !bad', threshold: ${threshold} }${more}`);
        yield { file, random };
      } catch (error) {
        expect((error as Error).message).toContain('the budget is smaller');
      }
    }
  }
}

describe('settings for what is untried, unknown and unreadable', () => {
  it('decide as onUnknown alone does where all are alike', async () => {
    const reasons = new Map<string, number>();
    for await (const { file, random } of files(40)) {
      const onUnknown = random.pick(UNKNOWN_POLICIES);
      const onUnreadable = onUnknown === 'allow' || onUnknown === 'report' ? 'stop' : onUnknown;
      const one: GuardFile = { ...file, onUnknown, unsafeAllowUnknown: true };
      const together = createGuard(one);
      const apart = createGuard({ ...one, onUntried: onUnknown, onUnreadable });
      for (const question of questions(random, 60)) {
        const decided = ask(together, question);
        expect(ask(apart, question)).toEqual(decided);
        reasons.set(decided.reason, (reasons.get(decided.reason) ?? 0) + 1);
      }
    }
    for (const reason of ['untried-action', 'predicate-failed', 'at-threshold', 'below-threshold'])
      expect(reasons.get(reason), reason).toBeGreaterThan(50);
  });

  it('let nothing run that could not be read, however lenient the others are', async () => {
    let unread = 0;
    for await (const { file, random } of files(15)) {
      const lenient = { onUnknown: 'allow', onUntried: 'allow', unsafeAllowUnknown: true } as const;
      const onUnreadable = random.pick(['rule', 'block', 'reflect'] as const);
      const guard = createGuard({ ...file, ...lenient, onUnreadable });
      for (const question of questions(random, 60)) {
        const { decision, predicate } = ask(guard, question);
        if (predicate === null) continue;
        unread++;
        expect(severity[decision]).toBeGreaterThan(severity.report);
      }
    }
    expect(unread).toBeGreaterThan(100);
  });

  it('in no combination let run what the setting for it withholds, nor what breaks a rule', async () => {
    const withheld = new Map<string, number>();
    for await (const { file, random } of files(
      25,
      ", once: { formula: 'F one', atEnd: strong, threshold: 0.995 }",
    )) {
      const settings = {
        onUnknown: random.pick(UNKNOWN_POLICIES),
        onUntried: random.pick(UNKNOWN_POLICIES),
        onUnreadable: random.pick(UNREADABLE_POLICIES),
        unsafeAllowUnknown: true,
      };
      const { onUntried, onUnknown, onUnreadable } = settings;
      // Of one state the data do not know what follows.
      const draws = file.states.draws.map((count, state) => (state === 0 ? 0 : count));
      const known = { ...file, states: { ...file.states, draws } };
      const guard = createGuard({ ...known, ...settings });
      // A guard without them tells which fault a question has.
      const plain = createGuard({ ...known, onUnknown: 'stop' });
      for (const question of questions(random, 60)) {
        ask(plain, question);
        const { decision, predicate } = ask(guard, question);
        const fault = plain.rules.find((rule) => rule.fault !== null)?.fault ?? null;
        const isBroken = guard.rules.some(({ violated }) => violated);
        const policy = fault === null ? null : fault === 'untried-action' ? onUntried : onUnknown;
        const least =
          predicate !== null
            ? onUnreadable
            : isBroken
              ? 'block'
              : policy === 'rule' && guard.rules.some(({ verdict }) => verdict === 2)
                ? null
                : policy;
        if (least === null || least === 'allow' || least === 'report') continue;
        const named = predicate !== null ? 'unreadable' : isBroken ? 'broken' : (fault ?? '');
        withheld.set(named, (withheld.get(named) ?? 0) + 1);
        expect(severity[decision]).toBeGreaterThanOrEqual(severity[least === 'rule' ? 'reflect' : least]);
        expect(severity[decision]).toBeGreaterThan(severity.report);
      }
    }
    for (const named of ['unreadable', 'broken', 'untried-action', 'unknown-state'])
      expect(withheld.get(named), named).toBeGreaterThan(20);
  });
});

describe('calls of safe tools', () => {
  it('change nothing for other calls, whatever the budget, before them or beside them', async () => {
    let safe = 0;
    for await (const { file, random } of files(25)) {
      const guarded: GuardFile = { ...file, tools: { handOver: { safe: true } } };
      const [alone, among] = [createGuard(guarded), createGuard(guarded)];
      for (const question of questions(random, 40)) {
        const decided = ask(alone, question);
        const pending = random.next() < 0.5 ? [...question.pending, { name: 'handOver' }] : question.pending;
        expect(ask(among, { ...question, pending })).toEqual(decided);
        if (random.next() < 0.5) continue;
        const passed = ask(among, { ...question, name: 'handOver', isStep: false });
        safe++;
        const isWithheld = decided.predicate !== null || among.rules.some(({ violated }) => violated);
        expect(passed.reason === 'safe-tool').toBe(!isWithheld);
        expect(passed.decision === 'allow').toBe(!isWithheld);
      }
    }
    expect(safe).toBeGreaterThan(300);
  });
});
