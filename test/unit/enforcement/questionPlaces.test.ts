import { describe, expect, it } from 'vitest';
import { bindAgentSpec, parseAgentSpec } from '../../../bindings/runtime/agentspec/index.js';
import type { Inspection, SessionOptions } from '../../../bindings/runtime/enforcement/index.js';
import { setting } from './setting.js';

/** A session that asks about `brake`, and somebody who says yes to every question that has not been asked before. */
function asking(options: Partial<SessionOptions> = {}, kept = new Set<string>()) {
  const { rules } = parseAgentSpec('rule @ask trigger brake check yes enforce user_inspection end');
  const asked: string[] = [];
  const made = setting({
    rules: [bindAgentSpec(rules, { predicates: { yes: () => true } })],
    ask: async ({ id }: Inspection) => {
      if (!kept.has(id)) asked.push(id);
      kept.add(id);
      return { approved: true };
    },
    maxPending: 6,
    ...options,
  });
  return {
    ...made,
    asked,
    kept,
    decide: (id: string, name: string) => made.session.decide({ id, name, arguments: {} }),
  };
}

describe('one approval of a person', () => {
  it('lets one call run, also where another was withdrawn since', async () => {
    const { session, asked, decide } = asking();
    const beside = await decide('a', 'move');
    expect((await decide('b', 'brake')).reason).toBe('approved');
    await session.withdraw(beside);
    expect((await decide('c', 'brake')).reason).toBe('approved');
    expect(asked).toHaveLength(2);
  });

  it('is none in another run of the same name', async () => {
    const { session, kept, decide } = asking();
    await decide('a', 'brake');
    await session.end();
    const other = asking({}, kept);
    await other.decide('a', 'brake');
    expect(other.asked).toHaveLength(1);
  });

  it('counts where the run is resumed that asked, with as much beside the call as then', async () => {
    const { kept, records, session } = asking();
    await session.check({ id: 'a', name: 'move', arguments: {} });
    const { inspection } = await session.check({ id: 'b', name: 'brake', arguments: {} });
    kept.add(inspection?.id as string);
    const again = asking({ resume: structuredClone(records) }, kept);
    expect((await again.decide('c', 'brake')).reason).toBe('approved');
    expect(again.asked).toEqual([]);
  });
});

describe('arguments that cannot be shown whole', () => {
  let deep: unknown = 'rm -rf /';
  for (let i = 0; i < 110; i++) deep = { a: deep };
  const given = [
    ['100 levels', deep],
    ['10000 values', Array.from({ length: 20_000 }, () => 0)],
    ['100000 characters', 'x'.repeat(100_001)],
  ] as const;

  it.each(given)('are approved by nobody: more than %s', async (most, more) => {
    const { session, asked } = asking();
    const verdict = await session.decide({ id: 'a', name: 'brake', arguments: { more } });
    expect(verdict).toMatchObject({ decision: 'stop', reason: 'no-answer', run: null });
    expect(verdict.explanation).toContain(`the arguments have more than ${most}`);
    expect(asked).toEqual([]);
  });

  it.each(given)('are asked about where the rest is to be hidden: more than %s', async (_, more) => {
    const { session, asked } = asking({ redact: ['more'] });
    const verdict = await session.decide({ id: 'a', name: 'brake', arguments: { more } });
    expect(verdict.reason).toBe('approved');
    expect(asked).toHaveLength(1);
  });
});
