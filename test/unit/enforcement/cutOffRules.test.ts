import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileRules, parseSpecification } from '../../../bindings/rules/specification/index.js';
import {
  continueRun,
  createSession,
  type RunRecord,
  type SessionOptions,
} from '../../../bindings/runtime/enforcement/index.js';
import { createGuard, type GuardFile } from '../../../bindings/runtime/guard/index.js';
import { memoryRuns } from './memoryRuns.js';
import { expectReplayed } from './replayed.js';

// Rules over the action, after a run was interrupted while calls were running.

const rules = (formula: string, more = '', strategy = 'block'): GuardFile =>
  compileRules(
    parseSpecification(`version: 1
predicates: { writes: 'action.name == "write"', finds: 'action.name == "find"', cancels: 'action.name == "cancel"' }
rules: { rule: { formula: '${formula}', strategy: ${strategy} } }${more}`),
  );

const ONE_WRITE = 'G !(writes & (Y O writes))';
const FIND_FIRST = 'G (cancels -> O finds)';
const TOOLS = ['look', 'write', 'find', 'cancel'];

/** A run whose process may be cut off: each session after the first resumes from what was recorded. */
function cuttable(file: GuardFile, options: Partial<SessionOptions> = {}) {
  const records: RunRecord[] = [];
  let calls = 0;
  const begin = () =>
    createSession({
      guard: createGuard(file),
      tools: TOOLS,
      id: 'run',
      maxPending: 5,
      log: { append: (record) => void records.push(structuredClone(record)) },
      ...(records.length > 0 && { resume: structuredClone(records) }),
      ...options,
    });
  const run = {
    records,
    session: begin(),
    cut: () => {
      run.session = begin();
    },
    decide: (name: string) => run.session.decide({ id: `${calls++}`, name, arguments: {} }),
    try: async (...names: string[]) => {
      const decisions: string[] = [];
      for (const name of names) decisions.push((await run.decide(name)).decision);
      return decisions;
    },
    run: async (name: string) => run.session.ran(await run.decide(name), { result: null }),
    settle: (number: number, outcome: null | { result: null }) => run.session.settle(number, outcome),
  };
  return run;
}

describe('a call that was cut off and has not run', () => {
  it('no longer stands for the call that must come first', async () => {
    const run = cuttable(rules(FIND_FIRST));
    await run.try('find');
    run.cut();
    await run.settle(0, null);
    expect(await run.try('cancel', 'look', 'find')).toEqual(['block', 'allow', 'allow']);
    await expectReplayed(run.records, rules(FIND_FIRST));
  });

  it('no longer does in a run that another process continues', async () => {
    const { store } = memoryRuns();
    const begin = async () =>
      createSession({
        guard: createGuard(rules(FIND_FIRST)),
        tools: TOOLS,
        ...(await continueRun(store, 'run')),
      });
    await (await begin()).decide({ id: '1', name: 'find', arguments: {} });
    await (await begin()).settle(0, null);
    const { decision } = await (await begin()).decide({ id: '2', name: 'cancel', arguments: {} });
    expect(decision).toBe('block');
  });

  it('no longer stands in the way of another, in that session and after the next restart', async () => {
    for (const isCutAgain of [false, true]) {
      const run = cuttable(rules(ONE_WRITE));
      await run.run('look');
      await run.try('write');
      run.cut();
      run.cut();
      await run.settle(1, null);
      if (isCutAgain) run.cut();
      expect(await run.try('write')).toEqual(['allow']);
      expect(await run.try('write')).toEqual(['block']);
      await expectReplayed(run.records, rules(ONE_WRITE));
    }
  });

  it('counts as made once rules have read another since, also one that was refused', async () => {
    for (const [since, file] of [
      ['look', rules(ONE_WRITE)],
      ['write', rules(ONE_WRITE)],
    ] as const) {
      const run = cuttable(file);
      await run.try('write');
      run.cut();
      const verdict = await run.decide(since);
      if (verdict.run !== null) await run.session.ran(verdict, { result: null });
      await run.settle(0, null);
      expect(await run.try('write')).toEqual(['block']);
      await expectReplayed(run.records, file);
    }
  });

  it('has left its sampling period without an action', async () => {
    let now = 0;
    const file = rules(FIND_FIRST, '\nsamplingPeriod: 1s');
    const run = cuttable(file, { time: () => now });
    await run.try('find');
    run.cut();
    await run.settle(0, null);
    now = 1;
    expect(await run.try('cancel')).toEqual(['block']);
    await expectReplayed(run.records, file);
  });
});

describe('calls that were running beside each other when they were cut off', () => {
  it('are all read as made, in whatever order they were let through', async () => {
    for (const names of [
      ['write', 'look'],
      ['look', 'write'],
      ['look', 'look', 'write', 'look'],
    ]) {
      const run = cuttable(rules(ONE_WRITE));
      await run.try(...names);
      run.cut();
      expect(await run.try('write', 'look')).toEqual(['block', 'allow']);
      run.cut();
      expect(await run.try('write')).toEqual(['block']);
      await expectReplayed(run.records, rules(ONE_WRITE));
    }
  });

  it('are so in one sampling period, and the next call is on time', async () => {
    let now = 0;
    const file = rules(ONE_WRITE, '\nsamplingPeriod: 1s');
    const run = cuttable(file, { time: () => now });
    expect(await run.try('look', 'write')).toEqual(['allow', 'allow']);
    run.cut();
    now = 1;
    expect(await run.try('write')).toEqual(['block']);
    expect((await run.decide('look')).reason).not.toBe('irregular-time');
    await expectReplayed(run.records, file);
  });

  it('are each taken back where they have not run, in any order', async () => {
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 0, 2],
    ])
      for (const ran of [null, 0, 1, 2]) {
        const file = rules(FIND_FIRST);
        const names = ['look', 'write', 'look'].map((name, i) => (i === ran ? 'find' : name));
        if (ran === null) names[1] = 'find';
        const run = cuttable(file);
        await run.try(...names);
        run.cut();
        for (const number of order) await run.settle(number, number === ran ? { result: null } : null);
        if (order[0] === 1) run.cut();
        expect(await run.try('cancel')).toEqual([ran === null ? 'block' : 'allow']);
        await expectReplayed(run.records, file);
      }
  });

  it('keep what a person has excused of them, and no more', async () => {
    const file = rules('G !writes', '', 'inspect');
    const answers = [true, false];
    const asked: string[] = [];
    const ask = async ({ question }: { question: string }) => {
      asked.push(question);
      return { approved: answers.shift() ?? true };
    };
    const run = cuttable(file, { ask });
    expect(await run.try('look', 'write')).toEqual(['allow', 'allow']);
    run.cut();
    expect(await run.try('look', 'write')).toEqual(['allow', 'block']);
    expect(asked).toHaveLength(2);
    await expectReplayed(run.records, file);
  });

  it('decide as a list of what was done says, whatever is settled when', async () => {
    const event = fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...TOOLS).map((name) => ({ name })) },
      { weight: 2, arbitrary: fc.nat().map((came) => ({ came })) },
      { weight: 4, arbitrary: fc.constant({ cut: true }) },
      // From the last that was cut off.
      { weight: 4, arbitrary: fc.record({ settle: fc.nat({ max: 2 }), ran: fc.boolean() }) },
    );
    const file = compileRules(
      parseSpecification(`version: 1
predicates: { writes: 'action.name == "write"', finds: 'action.name == "find"', cancels: 'action.name == "cancel"', looks: 'action.name == "look"' }
rules: { one: { formula: '${ONE_WRITE}' }, first: { formula: '${FIND_FIRST}' }, three: { formula: 'G count(looks) <= 3' } }`),
    );
    let [undone, kept] = [0, 0];
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 10, maxLength: 30 }), async (events) => {
        const run = cuttable(file);
        // The model: the names of the steps done; what runs, in the order of decision; and what was cut off.
        let done: string[] = [];
        let running: Awaited<ReturnType<typeof run.decide>>[] = [];
        let cutOff: number[] = [];
        // Of these, the calls that can be taken back.
        let open: { number: number; name: string }[] = [];
        const close = () => {
          done = [...done, ...open.map(({ name }) => name)];
          open = [];
        };
        const breaks = (names: string[], name: string) =>
          (name === 'write' && names.includes('write')) ||
          (name === 'cancel' && !names.includes('find')) ||
          (name === 'look' && names.filter((other) => other === 'look').length >= 3);
        for (const one of events) {
          if ('name' in one) {
            if (running.length > 5) continue;
            close();
            const before = [...done, ...running.map(({ call }) => call.name)];
            const verdict = await run.decide(one.name);
            expect(verdict.decision === 'allow').toBe(!breaks(before, one.name));
            if (verdict.run !== null) running.push(verdict);
          } else if ('came' in one) {
            // The order in which calls come back may break a rule by itself: here they do in that of decision.
            const verdict = running.shift();
            if (verdict === undefined) continue;
            await run.session.ran(verdict, { result: null });
            done.push(verdict.call.name);
          } else if ('cut' in one) {
            cutOff = [...cutOff, ...running.map(({ number }) => number)];
            if (running.length > 0) {
              close();
              open = running.map(({ number, call: { name } }) => ({ number, name }));
            }
            running = [];
            run.cut();
          } else if (cutOff.length > 0 && running.length === 0) {
            const number = cutOff.toReversed()[one.settle % cutOff.length];
            cutOff = cutOff.filter((other) => other !== number);
            const isOpen = open.some((other) => other.number === number);
            // A call that is taken back may break a rule for one that was made behind it: not here.
            const left = [...done, ...open.flatMap((other) => (other.number === number ? [] : [other.name]))];
            const isBroken = left.some((name, i) => name === 'cancel' && !left.slice(0, i).includes('find'));
            const ran = one.ran || (isOpen && isBroken);
            await run.settle(number, ran ? { result: null } : null);
            if (!ran && isOpen) {
              open = open.filter((other) => other.number !== number);
              undone++;
            } else kept++;
          }
        }
        await expectReplayed(run.records, file);
      }),
      { numRuns: 300 },
    );
    expect(undone).toBeGreaterThan(20);
    expect(kept).toBeGreaterThan(50);
  });
});
