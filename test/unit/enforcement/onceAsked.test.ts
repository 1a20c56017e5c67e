import { describe, expect, it } from 'vitest';
import { compileRules, parseSpecification } from '../../../bindings/rules/specification/index.js';
import {
  createSession,
  type RunRecord,
  type SessionOptions,
} from '../../../bindings/runtime/enforcement/index.js';
import { createGuard } from '../../../bindings/runtime/guard/index.js';
import { expectReplayed } from './replayed.js';

const file = compileRules(
  parseSpecification(`version: 1
predicates: { wires: 'action.name == "wire"' }
rules: { aPerson: { formula: 'G !wires', strategy: inspect } }`),
);

const wire = { id: '1', name: 'wire', arguments: { to: 'eve' } };
const look = { id: '2', name: 'look', arguments: {} };

/** A call about which two questions are open, asked before and after another call. */
async function askedTwice(options: Partial<SessionOptions>) {
  const records: RunRecord[] = [];
  const begin = (resume?: readonly RunRecord[]) =>
    createSession({
      guard: createGuard(file),
      tools: ['wire', 'look'],
      id: 'run',
      log: { append: (record) => void records.push(structuredClone(record)) },
      ...options,
      ...(resume && { resume }),
    });
  const session = begin();
  const first = await session.check(wire);
  await session.ran(await session.check(look), { result: null });
  const second = await session.check(wire);
  const questions = [first, second].map(({ inspection }) => inspection?.id ?? '');
  expect(new Set(questions).size).toBe(2);
  return { session, records, questions, resumed: () => begin([...records]) };
}

describe('a call about which two questions are open', () => {
  it('runs once under once, however many of them are answered yes', async () => {
    for (const order of [
      [0, 1],
      [1, 0],
    ]) {
      const { session, records, questions, resumed } = await askedTwice({ once: true });
      const [one, other] = order.map((i) => questions[i]);
      const let1 = await session.answer(one, { approved: true });
      expect(let1.run).toEqual(wire);
      await session.ran(let1, { result: null });
      const again = await session.answer(other, { approved: true, by: 'Ann' });
      expect([again.decision, again.reason, again.run]).toEqual(['block', 'repeated-call', null]);
      expect(again.message).toContain(`decision ${let1.number} of the run`);
      expect(records.at(-1)).toMatchObject({ outcome: 'no-answer', by: 'Ann' });
      await expectReplayed(records, file);
      expect(await resumed().check(wire)).toMatchObject({ decision: 'block', reason: 'repeated-call' });
    }
  });

  it('may still run by the other where the first was given up, and twice without once', async () => {
    const given = await askedTwice({ once: true });
    await given.session.withdraw(await given.session.answer(given.questions[0], { approved: true }));
    expect((await given.session.answer(given.questions[1], { approved: true })).run).toEqual(wire);
    const { session, questions } = await askedTwice({});
    for (const id of questions) {
      const verdict = await session.answer(id, { approved: true });
      expect(verdict.run).toEqual(wire);
      await session.ran(verdict, { result: null });
    }
  });
});
