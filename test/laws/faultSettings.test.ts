import { describe, expect, it } from 'vitest';
import { Random } from '../../bindings/base/random.js';
import {
  createGuard,
  type Guard,
  type GuardFile,
  type GuardProposal,
  severity,
  UNKNOWN_POLICIES,
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

/** Guards of decision processes whose rules nothing satisfies for good. */
async function* files(count: number): AsyncGenerator<{ file: GuardFile; random: Random }> {
  for (let seed = 1; seed <= count; seed++) {
    const random = new Random(seed, 11);
    for (const shield of SHIELDS) {
      const threshold = shield === 'budget' ? 0.97 : Number(random.next().toFixed(2));
      try {
        const file = await guardFileOf(seed, shield, `{ formula: 'G !bad', threshold: ${threshold} }`);
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
