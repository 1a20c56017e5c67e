import { describe, expect, it } from 'vitest';
import { compileRules, parseSpecification } from '../../../bindings/rules/specification/index.js';
import { createSession, type RunRecord } from '../../../bindings/runtime/enforcement/index.js';
import { createGuard } from '../../../bindings/runtime/guard/index.js';
import { expectReplayed } from './replayed.js';

const PAID = 'history.filter(c, c.name == "refund" && c.time > time - 3600).map(c, c.arguments.amount)';

/** Refunds of at most 200 an hour, those above 100 with a person's yes, none after a time. */
function clerk(clock: { now: number }, more: Record<string, unknown> = {}) {
  const guard = createGuard(
    compileRules(
      parseSpecification(
        JSON.stringify({
          version: 1,
          predicates: {
            over: `has(action.name) && action.name == "refund" && action.arguments.amount + sum(${PAID}) > 200`,
            large: 'has(action.name) && action.name == "refund" && action.arguments.amount > 100',
            late: 'time > 5000',
          },
          rules: {
            hour: { formula: 'G !over', strategy: 'block' },
            ask: { formula: 'G !large', strategy: 'inspect' },
            closed: { formula: 'G !(late & large)', strategy: 'block' },
          },
          ...more,
        }),
      ),
    ),
  );
  const records: RunRecord[] = [];
  const session = createSession({
    guard,
    tools: ['refund', 'park'],
    time: () => clock.now,
    replacements: { park: { name: 'park', arguments: {} } },
    log: { append: (record) => void records.push(structuredClone(record)) },
  });
  let id = 0;
  const call = async (amount: number) => {
    const asked = await session.check({ id: `${id++}`, name: 'refund', arguments: { amount } });
    clock.now += 10;
    const { inspection } = asked;
    const verdict = inspection === null ? asked : await session.answer(inspection.id, { approved: true });
    if (verdict.run) await session.ran(verdict, { result: 'paid' });
    return `${asked.decision} ${verdict.decision} ${verdict.run?.name ?? '-'}: ${verdict.reason}`;
  };
  const replays = async () => {
    await session.end();
    return expectReplayed(records, guard.file);
  };
  return { call, replays };
}

describe('a predicate that reads the clock', () => {
  it('is read when a person has approved a call, at the time of the answer', async () => {
    const clock = { now: 1000 };
    const { call, replays } = clerk(clock);
    expect(await call(90)).toBe('allow allow refund: kept');
    expect(await call(105)).toBe('inspect allow refund: approved');
    // 195 of 200 an hour are paid: a yes to a large refund is none to more.
    expect(await call(110)).toBe('block block -: violated');
    clock.now += 3601;
    expect(await call(110)).toBe('inspect allow refund: approved');
    expect(await replays()).toBe(4);
  });

  it('is against an approval that comes too late', async () => {
    const { call } = clerk({ now: 4995 });
    expect(await call(105)).toBe('inspect block -: no-answer');
  });

  it('is read of the call that runs in place of another', async () => {
    const rules = {
      ask: { formula: 'G !large', strategy: { replace: 'park' } },
      closed: { formula: 'G !late' },
    };
    const clock = { now: 1000 };
    const { call, replays } = clerk(clock, { rules });
    expect(await call(105)).toBe('replace replace park: violated');
    expect(await call(50)).toBe('allow allow refund: kept');
    clock.now = 5001;
    expect(await call(50)).toBe('stop stop -: violated');
    expect(await replays()).toBe(3);
  });
});
