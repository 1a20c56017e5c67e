import { describe, expect, it } from 'vitest';
import { compileRules, parseSpecification } from '../../../bindings/rules/specification/index.js';
import { createSession, type RunRecord, type Verdict } from '../../../bindings/runtime/enforcement/index.js';
import { createGuard } from '../../../bindings/runtime/guard/index.js';
import { expectReplayed } from './replayed.js';

const RULES = `version: 1
predicates:
  sends: 'action.name == "send"'
  reviews: 'action.name == "review"'
rules:
  reviewFirst: { formula: 'G (sends -> O reviews)', strategy: inspect }`;
const file = compileRules(parseSpecification(RULES));

/** Calls beside each other under rules that read them. */
function runOf(resume?: readonly RunRecord[]) {
  const records: RunRecord[] = [...(resume ?? [])];
  const asked: string[] = [];
  const world = { steps: 0 };
  const session = createSession({
    guard: createGuard(file),
    tools: ['send', 'review', 'look'],
    state: () => ({ ...world }),
    maxPending: 3,
    id: 'run',
    log: { append: (record) => void records.push(JSON.parse(JSON.stringify(record))) },
    ask: async ({ call }) => {
      asked.push(call.name);
      return { approved: true };
    },
    ...(resume && { resume }),
  });
  let calls = resume?.length ?? 0;
  const verdicts: Verdict[] = [];
  return {
    session,
    records,
    asked,
    world,
    async decide(name: string) {
      const verdict = await session.decide({ id: `${calls++}`, name, arguments: {} });
      verdicts.push(verdict);
      return `${verdict.decision} ${verdict.reason}`;
    },
    /** Reports the call of this decision, from 0. */
    ran: (which: number) => session.ran(verdicts[which], { result: null }),
    withdraw: (which: number) => session.withdraw(verdicts[which]),
  };
}

describe('an approved call that is still running', () => {
  it('stays excused where another is decided beside it, whichever comes back first', async () => {
    for (const order of [
      [0, 1],
      [1, 0],
    ]) {
      const { decide, ran, asked, session, records, world } = runOf();
      expect(await decide('send')).toBe('allow approved');
      expect(await decide('look')).toBe('allow kept');
      world.steps++;
      for (const which of order) await ran(which);
      for (let i = 0; i < 3; i++) {
        expect(await decide('look')).toBe('allow kept');
        await ran(2 + i);
      }
      expect(await decide('send')).toBe('allow approved');
      expect(asked).toEqual(['send', 'send']);
      expect(session.stopped).toBeNull();
      await session.end();
      await expectReplayed(records, file);
    }
  });

  it('is excused beside others that were running when it was approved', async () => {
    for (const first of [0, 1]) {
      const { decide, ran, asked, session, records } = runOf();
      expect(await decide('look')).toBe('allow kept');
      expect(await decide('send')).toBe('allow approved');
      expect(await decide('look')).toBe('allow kept');
      await ran(first);
      expect(await decide('look')).toBe('allow kept');
      for (const which of [1 - first, 2, 3]) await ran(which);
      expect(await decide('look')).toBe('allow kept');
      expect([session.stopped, asked]).toEqual([null, ['send']]);
      await session.end();
      await expectReplayed(records, file);
    }
  });

  it('excuses nothing of another call, nor once it was given up', async () => {
    const { decide, asked, withdraw, ran, records, session } = runOf();
    expect(await decide('send')).toBe('allow approved');
    expect(await decide('send')).toBe('allow approved');
    expect(asked).toEqual(['send', 'send']);
    await withdraw(0);
    await ran(1);
    expect(await decide('look')).toBe('allow kept');
    expect(await decide('send')).toBe('allow approved');
    expect(asked).toHaveLength(3);
    await session.end();
    await expectReplayed(records, file);
  });

  it('stays excused after a restart', async () => {
    const before = runOf();
    await before.decide('look');
    await before.decide('send');
    await before.decide('look');
    await before.ran(2);
    const after = runOf(before.records);
    expect(await after.decide('look')).toBe('allow kept');
    expect(await after.decide('send')).toBe('allow approved');
    await after.session.end();
    await expectReplayed(after.records, file);
  });
});
