import { describe, expect, it } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import { learnMdp } from '../../../bindings/estimation/learning/index.js';
import { Abstraction } from '../../../bindings/observations/abstraction/index.js';
import { compileGuard } from '../../../bindings/rules/risk/index.js';
import { parseSpecification } from '../../../bindings/rules/specification/index.js';
import { bindAgentSpec, parseAgentSpec } from '../../../bindings/runtime/agentspec/index.js';
import type { RunRecord, Session, ToolCall, Verdict } from '../../../bindings/runtime/enforcement/index.js';
import { createGuard } from '../../../bindings/runtime/guard/index.js';
import { guardThat, RISKY, SAFE, setting } from './setting.js';

describe('a run that is resumed', () => {
  it('stays stopped where nobody had answered', async () => {
    const guard = () => guardThat({ strategy: { kind: 'inspect' } });
    const silent = async () => {
      throw new Error('nobody is there');
    };
    const first = setting({ guard: guard(), state: () => RISKY, ask: silent });
    expect((await first.propose('move')).verdict).toMatchObject({ reason: 'no-answer', ends: true });
    const again = setting({ guard: guard(), state: () => SAFE, resume: first.records });
    expect(again.session.stopped).toMatchObject({ decision: 'stop', call: { name: 'move' } });
    expect((await again.propose('move')).verdict).toMatchObject({ reason: 'run-over', run: null });
  });

  it('goes on where a person had refused, or silence only blocks', async () => {
    for (const approved of [false, undefined] as unknown as boolean[]) {
      const guard = () => guardThat({ strategy: { kind: 'inspect' }, onFailure: { kind: 'block' } });
      const first = setting({ guard: guard(), state: () => RISKY, ask: async () => ({ approved }) });
      expect((await first.propose('move')).verdict.decision).toBe('block');
      const again = setting({ guard: guard(), state: () => SAFE, resume: first.records });
      expect((await again.propose('move')).ran).toBe(true);
    }
  });

  it('has as much of its budget left as without a restart', async () => {
    const file = await gamble();
    const begin = (resume?: readonly RunRecord[]) =>
      setting({
        guard: createGuard(file),
        state: () => ({ x: 0 }),
        tools: ['try', 'leave'],
        rules: [askedTwice()],
        maxPending: 6,
        ...(resume && { resume }),
      });
    for (const [earlier, left] of [
      [nothing, 3],
      [oneOfTwoCameBack, 1],
      [aRuleForbadeIt, 3],
      [itWasWithdrawn, 3],
    ] as const) {
      const { session, records } = begin();
      const running = await earlier(session);
      const { session: again } = begin(structuredClone(records));
      if (running !== null) await again.settle(running.number, { result: null });
      expect(await triesLeft(again), earlier.name).toBe(left);
      if (running !== null) await session.ran(running, { result: null });
      expect(await triesLeft(session), earlier.name).toBe(left);
    }
  });
});

const attempt = (twice = false): ToolCall => ({ id: crypto.randomUUID(), name: 'try', arguments: { twice } });

// What comes before the restart, and which call is still running then.
async function nothing(session: Session): Promise<Verdict> {
  return session.check({ id: '1', name: 'leave', arguments: {} });
}

async function oneOfTwoCameBack(session: Session): Promise<Verdict> {
  const [first, second] = [await session.check(attempt()), await session.check(attempt())];
  await session.ran(first, { result: null });
  return second;
}

async function aRuleForbadeIt(session: Session): Promise<null> {
  expect(await session.check(attempt(true))).toMatchObject({ reason: 'reactive-rule', run: null });
  return null;
}

async function itWasWithdrawn(session: Session): Promise<null> {
  await session.withdraw(await session.check(attempt()));
  return null;
}

/** Forbids calls that say that they are made twice. */
function askedTwice() {
  const { rules } = parseAgentSpec('rule @twice trigger try check twice enforce user_inspection end');
  return bindAgentSpec(rules, {
    predicates: { twice: ({ action }) => action.arguments?.twice === true },
  });
}

/** How often `try` is let through, each time after the one before has come back. */
async function triesLeft(session: Session): Promise<number> {
  for (let tries = 0; ; tries++) {
    const verdict = await session.check(attempt());
    if (verdict.run === null) return tries;
    await session.ran(verdict, { result: null });
  }
}

/** A guard that has 0.3 to spend: `try` breaks the rule with 0.09 and comes back otherwise, `leave` is safe. */
async function gamble() {
  const specification = parseSpecification(`version: 1
predicates: { bad: 'x == 1', done: 'x == 2' }
rules: { safe: { formula: 'G !bad', threshold: 0.3, strategy: block } }
shield: budget
learning: { model: mdp, smoothing: 0 }`);
  const step = (x: number, name?: string) => ({ state: { x }, ...(name && { action: { name } }) });
  const traces = Array.from({ length: 100 }, (_, id) => ({
    id: String(id),
    steps: id < 9 ? [step(0, 'try'), step(1)] : [step(0, 'try'), step(0, 'leave'), step(2)],
  }));
  const abstraction = new Abstraction(specification.abstraction);
  return compileGuard(specification, (await learnMdp(abstraction, traces, specification.learning)).model);
}
