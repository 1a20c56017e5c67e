import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bindAgentSpec, parseAgentSpec } from '../../../bindings/runtime/agentspec/index.js';
import {
  createSession,
  type DecisionRecord,
  type RunRecord,
  type SessionOptions,
} from '../../../bindings/runtime/enforcement/index.js';
import { createGuard } from '../../../bindings/runtime/guard/index.js';
import { guardFile, never, ruleOf } from '../guard/guardFiles.js';
import { risks, SAFE } from './setting.js';

/** Looking is refused, and tells what rules see. Pays are replaced, by what a function makes of each, and moves by the same call always. `seen` is the history that the last call was judged by. */
function begin(options: Partial<SessionOptions> = {}) {
  const records: RunRecord[] = [];
  const seen: { history: unknown[]; calls: unknown; lastTool: unknown } = {
    history: [],
    calls: {},
    lastTool: '',
  };
  const rule = (tool: string, predicate: string, action: string) =>
    bindAgentSpec(
      parseAgentSpec(
        `rule @${tool}\ntrigger\n${tool}\ncheck\n${predicate}\nenforce\ninvoke_action(${action})\nend`,
      ).rules,
      {
        predicates: {
          [predicate]: ({ state: { history, calls, lastTool } }) => {
            Object.assign(seen, structuredClone({ history, calls, lastTool }));
            return true;
          },
        },
      },
    );
  const session = createSession({
    guard: createGuard(guardFile([ruleOf(never, risks)])),
    tools: ['pay', 'payLess', 'move', 'brake', 'look'],
    state: () => SAFE,
    rules: [rule('pay', 'dear', 'cheaper'), rule('move', 'fast', 'stop'), rule('look', 'seen', 'none')],
    replacements: {
      cheaper: ({ arguments: { amount } }) => ({
        name: 'payLess',
        arguments: { amount: Number(amount) / 2 },
      }),
      stop: { name: 'brake', arguments: { hard: true } },
      none: () => ({ name: 'none', arguments: {} }),
    },
    onFault: 'block',
    time: () => 7,
    log: { append: (record) => void records.push(JSON.parse(JSON.stringify(record))) },
    id: 'run',
    ...options,
  });
  let calls = 0;
  const call = async (name: string, given: Record<string, unknown>, error?: string) => {
    const verdict = await session.decide({ id: `${records.length}-${calls++}`, name, arguments: given });
    if (verdict.run !== null) await session.ran(verdict, error === undefined ? { result: 1 } : { error });
    return verdict;
  };
  return { records, session, seen, call };
}

describe('a call that ran in place of another', () => {
  it('stands in the history of a resumed run as it ran', async () => {
    const first = begin();
    expect((await first.call('pay', { amount: 8 })).run).toMatchObject({ name: 'payLess' });
    const record = first.records.find(({ kind }) => kind === 'decision') as DecisionRecord;
    expect(record.call).toMatchObject({ name: 'pay', arguments: { amount: 8 } });
    expect(record.instead).toEqual({ name: 'payLess', arguments: { amount: 4 } });
    const again = begin({ resume: first.records });
    await again.call('look', {});
    expect(again.seen).toMatchObject({
      history: [{ name: 'payLess', arguments: { amount: 4 }, failed: false, time: 7 }],
      calls: { pay: 0, payLess: 1 },
      lastTool: 'payLess',
    });
  });

  it('leaves the same history with restarts as without, wherever they are', async () => {
    const step = fc.record({
      name: fc.constantFrom('pay', 'move', 'look', 'brake', 'payLess'),
      amount: fc.integer({ min: 0, max: 100 }),
      fails: fc.boolean(),
      restarts: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        const whole = begin();
        let cut = begin();
        const records: RunRecord[] = [];
        for (const { name, amount, fails, restarts } of steps) {
          for (const one of [whole, cut]) await one.call(name, { amount }, fails ? 'no' : undefined);
          if (!restarts) continue;
          records.push(...cut.records.splice(0));
          cut = begin({ resume: structuredClone(records) });
        }
        for (const one of [whole, cut]) await one.call('look', {});
        expect(cut.seen).toEqual(whole.seen);
      }),
      { numRuns: 40 },
    );
  });

  it('has its arguments hidden in the record, and unreadable after a restart', async () => {
    const first = begin({ redact: ['amount'] });
    await first.call('pay', { amount: 8 });
    expect((first.records[1] as DecisionRecord).instead).toEqual({
      name: 'payLess',
      arguments: { amount: '[redacted]' },
      hidden: true,
    });
    const again = begin({ redact: ['amount'], resume: first.records });
    await again.call('look', {});
    expect(again.seen.history).toEqual([{ name: 'payLess', failed: false, time: 7 }]);
  });

  it('is what would run now where a record of an earlier version does not say', async () => {
    const first = begin();
    await first.call('pay', { amount: 8 });
    await first.call('move', {});
    const earlier = first.records.map((record) => {
      const { instead: _, ...rest } = record as DecisionRecord;
      return rest as RunRecord;
    });
    const again = begin({ resume: earlier });
    await again.call('look', {});
    expect(again.seen.history).toEqual([
      { name: 'pay', failed: false, time: 7 },
      { name: 'brake', arguments: { hard: true }, failed: false, time: 7 },
    ]);
  });

  it('is none in shadow mode, where the call itself runs', async () => {
    const first = begin({ shadow: true });
    await first.call('pay', { amount: 8 });
    expect(first.records[1]).toMatchObject({ decision: 'report', wouldDecide: 'replace' });
    expect(first.records[1]).not.toHaveProperty('instead');
  });
});

describe('arguments that are longer than records keep', () => {
  it('are said to be cut, and are unreadable after a restart', async () => {
    const first = begin();
    await first.call('brake', { pad: 'x'.repeat(100_001), hard: false });
    expect((first.records[1] as DecisionRecord).call.cut).toBe(true);
    const again = begin({ resume: first.records });
    await again.call('look', {});
    expect(again.seen.history).toEqual([{ name: 'brake', failed: false, time: 7 }]);
  });
});
