import { describe, expect, it } from 'vitest';
import { ToolHistory } from '../../../bindings/observations/trace/index.js';
import { compileRules, parseSpecification } from '../../../bindings/rules/specification/index.js';
import {
  createSession,
  type RunRecord,
  type SessionOptions,
  type Verdict,
} from '../../../bindings/runtime/enforcement/index.js';
import { UnsettledHistory } from '../../../bindings/runtime/enforcement/unsettledHistory.js';
import { createGuard } from '../../../bindings/runtime/guard/index.js';
import { expectReplayed } from './replayed.js';

/** Each rule is about calls of its own. Those named `…Needed` let a call through only after another has succeeded. */
const RULES: Readonly<Record<string, string>> = {
  threeWrites: 'action.name == "book" && size(history.filter(c, c.name == "book")) >= 3',
  threeCalls: 'action.name == "book" && calls.book >= 3',
  threeSuccesses: 'action.name == "book" && calls.book - failures.book >= 3',
  leaks: 'action.name == "send" && history.exists(c, c.name == "readSecret")',
  leaksAtOnce: 'action.name == "send" && lastTool == "readSecret"',
  overspends:
    'action.name == "pay" && sum(history.filter(c, c.name == "pay" && c.time > time - 3600).map(c, c.arguments.amount)) + action.arguments.amount > 100',
  overspendsEver:
    'action.name == "pay" && sum(history.filter(c, c.name == "pay").map(c, c.arguments.amount)) + action.arguments.amount > 100',
  readNeeded: 'action.name == "overwrite" && !history.exists(c, c.name == "read" && !c.failed)',
  loginNeeded: 'action.name == "refund" && !(calls.login > failures.login)',
  backupNeeded: 'action.name == "remove" && !(lastTool == "backUp" && !lastToolFailed)',
};

const tools = [
  'book',
  'send',
  'readSecret',
  'pay',
  'overwrite',
  'read',
  'refund',
  'login',
  'remove',
  'backUp',
];

function runUnder(rule: string, options: Partial<SessionOptions> = {}) {
  const predicate = JSON.stringify(`has(action.name) && ${RULES[rule]}`);
  const file = compileRules(
    parseSpecification(
      `version: 1\npredicates: { bad: ${predicate} }\nrules: { r: { formula: 'G !bad', strategy: block } }`,
    ),
  );
  const records: RunRecord[] = [];
  const clock = { now: 1000 };
  const begin = (resume?: readonly RunRecord[]) =>
    createSession({
      guard: createGuard(file),
      tools,
      time: () => clock.now,
      log: { append: (record) => void records.push(structuredClone(record)) },
      id: 'run',
      ...options,
      ...(resume && { resume: structuredClone(resume) as RunRecord[] }),
    });
  let session = begin();
  let calls = 0;
  const propose = (name: string, args: Record<string, unknown> = {}): Promise<Verdict> =>
    session.decide({ id: String(calls++), name, arguments: args });
  return {
    records,
    file,
    clock,
    get session() {
      return session;
    },
    propose,
    async call(name: string, args?: Record<string, unknown>, error?: string): Promise<string> {
      const verdict = await propose(name, args);
      if (verdict.run !== null) await session.ran(verdict, error === undefined ? { result: 1 } : { error });
      return verdict.decision;
    },
    cut() {
      session = begin(records);
    },
  };
}

/** Calls that come back first, one that is cut off, and one that the rule is about. */
const SITUATIONS: readonly [rule: string, before: string[], cut: string, then: string][] = [
  ['threeWrites', ['book', 'book'], 'book', 'book'],
  ['threeCalls', ['book', 'book'], 'book', 'book'],
  ['threeSuccesses', ['book', 'book'], 'book', 'book'],
  ['leaks', [], 'readSecret', 'send'],
  ['leaksAtOnce', [], 'readSecret', 'send'],
  ['overspends', ['pay'], 'pay', 'pay'],
  ['overspendsEver', ['pay'], 'pay', 'pay'],
  ['readNeeded', [], 'read', 'overwrite'],
  ['loginNeeded', [], 'login', 'refund'],
  ['backupNeeded', [], 'backUp', 'remove'],
  ['backupNeeded', ['backUp'], 'book', 'remove'],
];

describe('the history after a run was interrupted while a call was running', () => {
  it.each(SITUATIONS)(
    'lets nothing through under %s that is forbidden if the call ran, or if not',
    async (rule, before, cut, then) => {
      const args = (name: string) => (name === 'pay' ? { amount: 40 } : {});
      const cutOff = async () => {
        const run = runUnder(rule);
        for (const name of before) expect(await run.call(name, args(name))).toBe('allow');
        expect((await run.propose(cut, args(cut))).run).not.toBeNull();
        run.cut();
        return run;
      };
      const outcomes = [{ result: 1 }, { error: 'no' }, null];
      const known: string[] = [];
      for (const outcome of outcomes) {
        const run = await cutOff();
        await run.session.settle(run.session.unsettled[0].number, outcome);
        known.push(await run.call(then, args(then)));
        // The same is known after another restart.
        const again = await cutOff();
        await again.session.settle(again.session.unsettled[0].number, outcome);
        again.cut();
        expect(await again.call(then, args(then))).toBe(known.at(-1));
      }
      // The situation is one in which it matters.
      expect(new Set(known)).toEqual(new Set(['allow', 'block']));

      const run = await cutOff();
      expect(await run.call(then, args(then))).toBe('block');
      run.cut();
      expect(await run.call(then, args(then))).toBe('block');
      await expectReplayed(run.records, run.file);
    },
  );

  it('still lets through what no outcome of the call forbids', async () => {
    const run = runUnder('threeWrites');
    await run.call('book');
    await run.propose('book');
    run.cut();
    expect(await run.call('book')).toBe('allow');
    expect(await run.call('book')).toBe('block');
    const others = runUnder('backupNeeded');
    await others.propose('book');
    others.cut();
    expect(await others.call('backUp')).toBe('allow');
    expect(await others.call('remove')).toBe('allow');
  });

  it('keeps to what is hidden', async () => {
    const run = runUnder('overspendsEver', { redact: ['card'] });
    await run.propose('pay', { amount: 1, card: 7 });
    run.cut();
    expect(await run.call('pay', { amount: 1 })).toBe('block');
  });
});

describe('a state with calls whose outcome is not known', () => {
  it('says that they were made, and no more, where they stand among the others', () => {
    const history = new ToolHistory(['a', 'b']);
    const unsettled = new UnsettledHistory();
    const state = () => unsettled.state(history.state());
    const comesBack = (number: number, name: string) => {
      const made = unsettled.came(number) ?? { name, arguments: { number } };
      history.record(made, { result: number }, { time: number });
    };
    comesBack(0, 'a');
    expect(state()).toBe(history.state());
    unsettled.add(1, { name: 'b', arguments: { number: 1 } });
    unsettled.add(1, { name: 'b', arguments: { number: 1 } });
    unsettled.add(2, { name: 'b' });
    const [first, second] = [{ name: 'b', arguments: { number: 1 } }, { name: 'b' }];
    const zero = { name: 'a', arguments: { number: 0 }, failed: false, time: 0 };
    const before = state();
    const expected = { calls: { a: 1, b: 2 }, failures: { a: 0 }, history: [zero, first, second] };
    expect(before).toEqual(expected);

    // The first is settled: the second may have run after it.
    comesBack(1, 'b');
    const one = { ...first, failed: false, time: 1 };
    expect(state()).toEqual({ ...expected, history: [zero, one, second] });
    comesBack(3, 'a');
    const three = { name: 'a', arguments: { number: 3 }, failed: false, time: 3 };
    const last = { lastTool: 'a', lastToolFailed: false, lastArguments: { number: 3 }, lastResult: 3 };
    const then = { ...last, calls: { a: 2, b: 2 }, failures: { a: 0 } };
    expect(state()).toEqual({ ...then, history: [zero, one, second, three] });

    unsettled.drop(2);
    expect(state()).toBe(history.state());
    expect(before).toEqual(expected);
  });
});
