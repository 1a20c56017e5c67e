import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bindAgentSpec,
  type PredicateBinding,
  parseAgentSpec,
} from '../../../bindings/runtime/agentspec/index.js';
import {
  type Answer,
  createSession,
  type EnforcementFault,
  guardedCall,
  type RunRecord,
  type SessionOptions,
} from '../../../bindings/runtime/enforcement/index.js';
import { guardThat, RISKY, SAFE, setting } from './setting.js';

const fails = (): never => {
  throw new Error('out of order');
};
const hangs = () => new Promise<never>(() => undefined);

/** Reactive rules that ask one predicate about every call. */
function ruleOn(predicate: PredicateBinding) {
  const { rules } = parseAgentSpec('rule @asks trigger any check p enforce stop end');
  return [bindAgentSpec(rules, { predicates: { p: predicate } })];
}

const asking = (ask: NonNullable<SessionOptions['ask']>): Partial<SessionOptions> => ({
  guard: guardThat({ strategy: { kind: 'inspect' } }),
  state: () => RISKY,
  ask,
});
const replacing = (brake: NonNullable<SessionOptions['replacements']>[string]): Partial<SessionOptions> => ({
  guard: guardThat({ strategy: { kind: 'replace', action: 'brake' } }),
  state: () => RISKY,
  replacements: { brake },
});
const answering = (answer: unknown) => asking(async () => answer as Answer);

/** Every fault around the guard, each brought about in several ways. */
const faults: readonly [
  fault: EnforcementFault,
  how: string,
  options: Partial<SessionOptions>,
  tool?: string,
][] = [
  ['unknown-tool', 'was never declared', {}, 'format'],
  ['unknown-tool', 'is what objects inherit', {}, 'constructor'],
  ['unknown-tool', 'is what objects inherit, of tools by name', { tools: { move: {} } }, '__proto__'],
  ['tool-changed', 'may not be called now', { tools: { move: { refused: () => 'it is another' } } }],
  ['tool-changed', 'may be called later', { tools: { move: { refused: (async () => null) as never } } }],
  ['invalid-arguments', 'cannot say whether it may be called', { tools: { move: { refused: fails } } }],
  [
    'invalid-arguments',
    'do not match the schema',
    { tools: { move: { check: () => 'distance is missing' } } },
  ],
  ['invalid-arguments', 'cannot be checked', { tools: { move: { check: fails } } }],
  ['invalid-arguments', 'are checked later', { tools: { move: { check: (async () => null) as never } } }],
  ['invalid-arguments', 'fail later', { tools: { move: { check: (async () => fails()) as never } } }],
  ['state-failed', 'throws', { state: fails }],
  ['state-failed', 'rejects', { state: async () => fails() }],
  ['state-failed', 'hangs', { state: hangs, stateTimeoutMs: 20 }],
  ['state-failed', 'has no time', { time: fails }],
  ['rule-failed', 'has a predicate that throws', { rules: ruleOn(fails) }],
  ['rule-failed', 'has a predicate that gives no Boolean', { rules: ruleOn(() => 'no' as never) }],
  ['rule-failed', 'has a predicate that answers later', { rules: ruleOn((async () => false) as never) }],
  ['rule-failed', 'reads a field that is missing', { rules: ruleOn('speed > 3') }],
  ['replacement-failed', 'throws', replacing(fails)],
  ['replacement-failed', 'is nothing', replacing(() => undefined as never)],
  ['replacement-failed', 'is no declared tool', replacing({ name: 'parachute', arguments: {} })],
  ['refused', 'is a no', answering({ approved: false })],
  ['no-answer', 'never comes', { ...asking(hangs), askTimeoutMs: 20 }],
  ['no-answer', 'is an error', asking(fails)],
  ['no-answer', 'is a rejection', asking(async () => fails())],
  ...[undefined, null, true, 'yes', {}, { approved: 'yes' }, { approved: 1 }, []].map(
    (answer): (typeof faults)[number] => ['no-answer', `is ${JSON.stringify(answer)}`, answering(answer)],
  ),
];

/** The same, for one more run. */
const forked = (options: Partial<SessionOptions>): Partial<SessionOptions> =>
  options.guard === undefined ? options : { ...options, guard: options.guard.fork() };

describe('faults around a guard', () => {
  it.each(faults)('withhold the call and are recorded: %s, %s', async (fault, _, options, tool = 'move') => {
    for (const onFault of ['stop', 'block'] as const) {
      const run = setting({ ...forked(options), onFault });
      const { verdict, ran } = await run.propose(tool);
      expect(verdict).toMatchObject({ reason: fault, run: null });
      expect(ran).toBe(false);
      expect(run.ran).toEqual([]);
      expect(verdict.message).toEqual(expect.any(String));
      expect(run.records.map(({ kind }) => kind)).toContain('decision');
      expect(JSON.stringify(run.records)).toContain(fault);
    }
  });

  it.each(faults)('are decided as configured: %s, %s', async (fault, _, options, tool = 'move') => {
    // A strategy that cannot be carried out is decided by its rule; what a person refuses is blocked.
    const byRule = fault === 'replacement-failed' || fault === 'no-answer';
    for (const onFault of ['stop', 'block'] as const) {
      const { verdict } = await setting({ ...forked(options), onFault }).propose(tool);
      const decision = fault === 'refused' ? 'block' : byRule ? 'stop' : onFault;
      expect(verdict).toMatchObject({ decision, ends: decision === 'stop' });
    }
  });

  it('of a strategy are decided by onFailure of its rule', async () => {
    const failing = { onFailure: { kind: 'block' } } as const;
    const inspect = guardThat({ strategy: { kind: 'inspect' }, ...failing });
    const replace = guardThat({ strategy: { kind: 'replace', action: 'brake' }, ...failing });
    for (const options of [
      { ...asking(hangs), askTimeoutMs: 20, guard: inspect },
      { ...replacing(fails), guard: replace },
    ]) {
      const run = setting(options);
      const { verdict } = await run.propose('move');
      expect(verdict).toMatchObject({ decision: 'block', ends: false, run: null });
      expect(run.ran).toEqual([]);
    }
  });

  it('stop the run unless told otherwise', async () => {
    const run = setting({ state: fails });
    expect((await run.propose('move')).verdict.decision).toBe('stop');
    expect(run.session.stopped).not.toBeNull();
  });

  it('do not make a stop a lesser decision', async () => {
    const run = setting({ state: () => RISKY, rules: ruleOn(fails), onFault: 'block' });
    expect((await run.propose('move')).verdict).toMatchObject({ decision: 'stop', reason: 'at-threshold' });
  });

  it('leave a run that goes on as it was', async () => {
    const run = setting({ onFault: 'block' });
    await run.propose('format');
    const { verdict } = await run.propose('move');
    expect(verdict.decision).toBe('allow');
    expect(run.ran).toEqual(['move']);
  });

  it('do not let a replacement run that is not permitted itself', async () => {
    const brakes = parseAgentSpec('rule @no_brakes trigger brake check true enforce stop end').rules;
    const run = setting({
      ...replacing({ name: 'brake', arguments: {} }),
      rules: [bindAgentSpec(brakes)],
    });
    const { verdict } = await run.propose('move');
    expect(verdict).toMatchObject({ run: null, decision: 'stop' });
    expect(run.ran).toEqual([]);
  });
});

describe('a question that is closed while a person is asked', () => {
  /** Proposes a call, and does something as soon as a person is asked about it. */
  const whileAsked = async (meanwhile: (run: ReturnType<typeof setting>, id: string) => Promise<unknown>) => {
    const run = setting(
      asking(async ({ id }) => {
        await meanwhile(run, id);
        return { approved: true };
      }),
    );
    return { run, carried: await run.propose('move') };
  };

  it('permits nothing once the run has ended', async () => {
    const { run, carried } = await whileAsked(({ session }) => session.end());
    expect(carried.verdict).toMatchObject({ reason: 'run-over', run: null });
    expect(run.ran).toEqual([]);
  });

  it('permits nothing a second time where another has answered', async () => {
    const { run, carried } = await whileAsked(({ session }, id) => session.answer(id, { approved: false }));
    expect(carried.verdict.run).toBeNull();
    expect(run.outcomes()).toEqual(['refused']);
  });

  it('is one where two calls are the same to the last character of their ids', async () => {
    const run = setting(asking(async () => ({ approved: true })));
    const call = { id: 'same', name: 'move', arguments: {} };
    const verdicts = await Promise.all([run.session.decide(call), run.session.decide(call)]);
    expect(verdicts.filter(({ run: permitted }) => permitted !== null)).toHaveLength(1);
  });
});

describe('observers that throw', () => {
  it('later are counted, too, and do not end the process', async () => {
    const later = async () => fails();
    const run = setting({ observers: [{ begun: later, decided: later, ran: later, ended: later }] });
    await run.propose('move');
    await run.session.end();
    await new Promise((resolve) => setTimeout(resolve));
    expect(run.session.observerFaults).toBe(4);
  });

  it('change nothing, and are counted', async () => {
    const run = setting({ observers: [{ begun: fails, decided: fails, ran: fails, ended: fails }] });
    expect((await run.propose('move')).ran).toBe(true);
    await run.session.end();
    expect(run.session.observerFaults).toBe(4);
  });
});

it('what a call holds beside its name and arguments is neither read nor shown to a person', async () => {
  const { session } = setting({
    guard: guardThat({ strategy: { kind: 'inspect' } }),
    state: () => RISKY,
    onFault: 'block',
  });
  const call = { id: '1', name: 'move', arguments: {} };
  Object.defineProperty(call, 'note', { enumerable: true, get: fails });
  const { inspection } = await session.check(call);
  expect(inspection?.call).toEqual({ id: '1', name: 'move', arguments: {} });
});

describe('a log that fails', () => {
  /** Appends until the record of that kind comes. */
  const until = (kind: RunRecord['kind'], how: () => unknown) => ({
    append: (record: RunRecord) => (record.kind === kind ? (how() as undefined) : undefined),
  });

  it.each(['begin', 'decision'] as const)('lets nothing run: at the record %s', async (kind) => {
    for (const how of [fails, async () => fails()]) {
      for (const onFault of ['stop', 'block'] as const) {
        const run = setting({ log: until(kind, how), onFault });
        const { verdict } = await run.propose('move');
        expect(verdict).toMatchObject({ reason: 'log-failed', run: null, decision: onFault });
        expect(run.ran).toEqual([]);
      }
    }
  });

  it('lets nothing run any more once what ran could not be recorded', async () => {
    const run = setting({ log: until('outcome', fails) });
    await run.propose('move').catch(() => undefined);
    const { verdict } = await run.propose('move');
    expect(verdict).toMatchObject({ run: null, reason: 'log-failed' });
    expect(verdict.explanation).toContain('an earlier record was lost: out of order');
    expect(run.ran).toEqual(['move']);
  });

  describe('once', () => {
    /** Fails at the first record that is like this. */
    const once = (isIt: (record: RunRecord) => boolean, kept: RunRecord[] = []) => {
      let failed = false;
      const append = (record: RunRecord) => {
        if (!failed && isIt(record)) {
          failed = true;
          fails();
        }
        kept.push(structuredClone(record));
      };
      return { append };
    };
    const isDecision = (record: RunRecord) => record.kind === 'decision';

    it('lets nothing run any more where the guard has read what the log does not have, nor after a restart', async () => {
      const kept: RunRecord[] = [];
      const run = setting({ log: once(isDecision, kept), onFault: 'block' });
      for (let i = 0; i < 2; i++)
        expect((await run.propose('move')).verdict).toMatchObject({
          reason: 'log-failed',
          decision: 'block',
        });
      expect(kept.map(({ kind }) => kind)).toEqual(['begin', 'decision']);
      const again = setting({ resume: kept, onFault: 'block' });
      const { verdict } = await again.propose('move');
      expect(verdict).toMatchObject({ reason: 'log-failed', run: null });
    });

    it('lets nothing run that a person approves afterwards', async () => {
      let state = RISKY;
      const { session } = setting({
        guard: guardThat({ strategy: { kind: 'inspect' } }),
        state: () => state,
        log: once(({ kind }) => kind === 'outcome'),
      });
      const call = (id: string) => ({ id, name: 'move', arguments: {} });
      const asked = await session.check(call('1'));
      state = SAFE;
      await session.ran(await session.check(call('2')), { result: 'moved' });
      const answered = await session.answer(asked.inspection!.id, { approved: true });
      expect(answered).toMatchObject({ reason: 'log-failed', run: null });
    });
  });

  it('does not keep a run from ending', async () => {
    const run = setting({ log: until('end', fails) });
    await run.propose('move');
    await run.session.end().catch(() => undefined);
    expect((await run.propose('move')).verdict.run).toBeNull();
    expect(run.ran).toEqual(['move']);
  });
});

describe('people who are asked', () => {
  it('may say odd things beside their answer', async () => {
    for (const comment of [7, null, {}, () => 'no']) {
      const no = setting(answering({ approved: false, comment, by: comment }));
      expect((await no.propose('move')).verdict).toMatchObject({ reason: 'refused', decision: 'block' });
      const yes = setting(answering({ approved: true, comment, by: comment }));
      expect((await yes.propose('move')).ran).toBe(true);
    }
  });

  it('give no answer where it cannot be read', async () => {
    const unreadable = {
      get approved(): boolean {
        return fails();
      },
    };
    const run = setting(answering(unreadable));
    expect((await run.propose('move')).verdict).toMatchObject({ reason: 'no-answer', run: null });
    expect(run.outcomes()).toEqual(['no-answer']);
  });

  it('are said to have given none where none came', async () => {
    const silent = setting(
      asking(async () => {
        throw new Error('nobody at home');
      }),
    );
    const { message } = (await silent.propose('move')).verdict;
    expect(message).toBe('move: A person was asked, and gave no answer that counts: none came.');
  });

  it('are asked about each of two equal calls', async () => {
    const asked: string[] = [];
    const run = setting(
      asking(async ({ id, call }) => {
        asked.push(id);
        await new Promise((resolve) => setTimeout(resolve, 5));
        return { approved: call.id === 'call-0' };
      }),
    );
    const [first, second] = await Promise.all([run.propose('move'), run.propose('move')]);
    expect(new Set(asked).size).toBe(2);
    expect([first.verdict.reason, second.verdict.reason]).toEqual(['approved', 'refused']);
    expect(run.ran).toEqual(['move']);
  });
});

describe('a rule that only reports', () => {
  it('lets calls run, and is recorded', async () => {
    const { rules } = parseAgentSpec('rule @noted trigger any check true enforce stop end');
    const run = setting({ rules: [bindAgentSpec(rules, { strategies: { stop: 'report' } })] });
    const { ran } = await run.propose('move');
    expect(ran).toBe(true);
    expect(run.decisions()).toEqual(['report: reactive-rule']);
  });
});

describe('a run that is over', () => {
  it('permits nothing, after a stop or its end', async () => {
    const stopped = setting({ state: () => RISKY });
    await stopped.propose('move');
    const ended = setting();
    await ended.session.end();
    for (const run of [stopped, ended]) {
      const { verdict } = await run.propose('brake');
      expect(verdict).toMatchObject({ run: null, reason: 'run-over' });
      expect(run.ran).toEqual([]);
    }
  });
});

describe('whatever fails, and whenever', () => {
  it('only what the log says was permitted runs, and nothing after the run was stopped', async () => {
    const step = fc.record({
      tool: fc.constantFrom('move', 'brake', 'format'),
      state: fc.constantFrom(SAFE, SAFE, RISKY, { a: true }, null),
      fails: fc.constantFrom('nothing', 'nothing', 'state', 'rule', 'log', 'ask', 'tool'),
      together: fc.boolean(),
    });
    const kinds = fc.constantFrom('stop', 'block', 'inspect', 'reflect', 'replace');
    let [runs, withheld] = [0, 0];
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 8 }),
        kinds,
        fc.constantFrom('stop' as const, 'block' as const),
        async (steps, kind, onFault) => {
          let now = steps[0];
          const failing = (what: string) => now.fails === what && fails();
          const records: RunRecord[] = [];
          const ran: string[] = [];
          const session = createSession({
            guard: guardThat({ strategy: kind === 'replace' ? { kind, action: 'brake' } : { kind } }),
            tools: ['move', 'brake'],
            onFault,
            state: () => failing('state') || now.state,
            rules: ruleOn(() => failing('rule')),
            replacements: { brake: { name: 'brake', arguments: {} } },
            ask: async () => failing('ask') || { approved: true },
            log: { append: (record) => void (failing('log') || records.push(structuredClone(record))) },
          });
          const open: Promise<unknown>[] = [];
          for (const [i, next] of steps.entries()) {
            now = next;
            const call = { id: `${i}`, name: next.tool, arguments: {} };
            const done = guardedCall(session, call, ({ id, name }) => {
              expect(session.stopped).toBeNull();
              ran.push(`${id} ${name}`);
              failing('tool');
            }).then(
              (carried) =>
                expect(carried.ran ? null : carried.verdict.message).toEqual(
                  carried.ran ? null : expect.any(String),
                ),
              (error: Error) => expect(error.message).toBe('out of order'),
            );
            if (next.together) open.push(done);
            else await done;
          }
          await Promise.all(open);
          const permitted = new Set(
            records.flatMap((record) => {
              if (record.kind !== 'decision') return [];
              const approved = records.some(
                (other) =>
                  other.kind === 'outcome' && other.number === record.number && other.outcome === 'approved',
              );
              if (record.decision === 'replace') return [`${record.call.id} brake`];
              return record.decision === 'allow' || approved ? [`${record.call.id} ${record.call.name}`] : [];
            }),
          );
          for (const one of ran) expect(permitted).toContain(one);
          expect(new Set(ran).size).toBe(ran.length);
          expect(ran.join()).not.toContain('format');
          runs += ran.length;
          withheld += steps.length - ran.length;
        },
      ),
      { seed: 11, numRuns: 300 },
    );
    expect(Math.min(runs, withheld)).toBeGreaterThan(100);
  });
});

describe('what is thrown and cannot become text', () => {
  const thrown = {
    toString() {
      throw new Error('nested');
    },
  };
  const fail = (): never => {
    throw thrown;
  };

  it('is a fault like others: decide never rejects', async () => {
    const odd: unknown[] = [thrown, null, Object.create(null), Symbol('x')];
    for (const one of odd) {
      const { session } = setting({
        state: () => {
          throw one;
        },
      });
      const verdict = await session.decide({ id: '1', name: 'move', arguments: {} });
      expect(verdict).toMatchObject({ decision: 'stop', reason: 'state-failed', run: null });
    }
    const { session } = setting();
    const args = Object.defineProperty({}, 'x', { get: fail, enumerable: true });
    const verdict = await session.decide({ id: '1', name: 'move', arguments: args });
    expect(verdict).toMatchObject({ reason: 'invalid-arguments', run: null });
    const { session: reading } = setting({
      state: () => Object.defineProperty({}, 'a', { get: fail, enumerable: true }),
    });
    expect((await reading.decide({ id: '1', name: 'move', arguments: {} })).run).toBeNull();
  });

  it('leaves nothing to run where a record was lost by it', async () => {
    const { session } = setting({ log: { append: ({ kind }) => (kind === 'outcome' ? fail() : undefined) } });
    const first = await session.decide({ id: '1', name: 'move', arguments: {} });
    await session.ran(first, { result: 1 });
    const second = await session.decide({ id: '2', name: 'move', arguments: {} });
    expect(second).toMatchObject({ decision: 'stop', reason: 'log-failed', run: null });
  });
});
