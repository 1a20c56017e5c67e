import { describe, expect, it } from 'vitest';
import { compileRules, parseSpecification } from '../../../bindings/rules/specification/index.js';
import { createSession, type RunRecord } from '../../../bindings/runtime/enforcement/index.js';
import { createGuard } from '../../../bindings/runtime/guard/index.js';
import { expectReplayed } from './replayed.js';

const fileOf = (predicate: string) =>
  compileRules(
    parseSpecification(`version: 1
predicates: { bad: ${JSON.stringify(`has(action.name) && action.name == "refund" && ${predicate}`)} }
rules: { r: { formula: 'G !bad' } }`),
  );

/** The decision on a refund after one of which nobody knows what became of it; the same after a restart. */
async function afterALostOne(predicate: string): Promise<string[]> {
  const file = fileOf(predicate);
  const records: RunRecord[] = [];
  let now = 0;
  const begin = (resume?: readonly RunRecord[]) =>
    createSession({
      guard: createGuard(file),
      tools: ['refund', 'look'],
      id: 'run',
      onFault: 'block',
      time: () => now,
      log: { append: (record) => void records.push(JSON.parse(JSON.stringify(record))) },
      ...(resume && { resume }),
    });
  const session = begin();
  const refund = { id: '1', name: 'refund', arguments: { amount: 60 } };
  const lost = await session.decide(refund);
  await session.ran(lost, { error: new Error('the connection ended'), mayHaveRun: true });
  now = 10;
  const again = await session.decide({ ...refund, id: '2' });
  if (again.run !== null) await session.withdraw(again);
  const until = records.filter((record) => !('number' in record) || record.number === 0);
  const resumed = await begin(until).decide({ ...refund, id: '2' });
  await expectReplayed(records.slice(0, 4), file);
  return [again, resumed].map(({ decision, reason }) => `${decision} ${reason}`);
}

describe('a call of which nobody knows whether it failed', () => {
  it.each([
    ['history.exists(c, c.name == "refund" && !c.failed)', 'block predicate-failed'],
    ['calls.refund > failures.refund', 'block predicate-failed'],
    ['lastTool == "refund"', 'block predicate-failed'],
    ['calls.refund >= 1', 'block violated'],
    ['history.exists(c, c.arguments.amount == 60)', 'block violated'],
    ['sum(history.filter(c, c.time > time - 3600).map(c, c.arguments.amount)) + 60 > 100', 'block violated'],
    ['sum(history.filter(c, c.time > time - 5).map(c, c.arguments.amount)) + 60 > 100', 'allow kept'],
  ])('is neither taken for failed nor for done: %s', async (predicate, decided) => {
    expect(await afterALostOne(predicate)).toEqual([decided, decided]);
  });
});
