import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import {
  createSession,
  type Judge,
  type RunJudge,
  type RunRecord,
  replayAudit,
  type SessionOptions,
} from '../../../bindings/face/entries/enforce.js';
import { compileRules, parseSpecification } from '../../../bindings/rules/specification/index.js';
import { createGuard, type GuardFile } from '../../../bindings/runtime/guard/index.js';
import { answering, limit } from './ownJudges.js';

const tools = ['send', 'pay', 'look', 'review'];

const reviewFirst: GuardFile = compileRules(
  parseSpecification(`version: 1
predicates: { sends: 'action.name == "send"', reviews: 'action.name == "review"' }
rules: { rule: { formula: 'G (sends -> O reviews)', strategy: block } }`),
);

function begin(
  judges: readonly (Judge | ReturnType<typeof createGuard>)[],
  more: Partial<SessionOptions> = {},
) {
  const records: RunRecord[] = [];
  const session = createSession({
    judges,
    tools,
    id: 'run',
    replacements: { look: { name: 'look', arguments: {} } },
    log: { append: (record) => void records.push(JSON.parse(JSON.stringify(record))) },
    ...more,
  });
  let next = 0;
  const decide = async (name: string, outcome: object | null = { result: 1 }) => {
    const verdict = await session.check({ id: `${next++}`, name, arguments: { to: ['a'] } });
    if (verdict.run !== null && outcome !== null) await session.ran(verdict, outcome as { result: unknown });
    return verdict;
  };
  return { session, records, decide };
}

async function replayed(records: readonly RunRecord[], file: GuardFile | null, judges?: readonly Judge[]) {
  async function* entries() {
    for (const [sequence, record] of records.entries()) yield { sequence, record, previous: '', hash: '' };
  }
  return replayAudit(entries() as never, file, judges === undefined ? {} : { judges });
}

describe('a judge of a user’s own, with a state', () => {
  it('decides, and tells the agent why, what would be permitted, and what of the turn is withheld', async () => {
    const { decide, session } = begin([limit(1)]);
    expect(await decide('send')).toMatchObject({ decision: 'allow', reason: 'judged', step: null });
    const refused = await decide('pay');
    expect(refused).toMatchObject({
      decision: 'block',
      reason: 'too-many',
      rule: 'atMost',
      scope: 'turn',
      suggestion: { name: 'look', arguments: { at: 'drafts' } },
      run: null,
    });
    expect(refused.message).toBe(
      'This action is not permitted. 1 writes were made, and no more than 1 may be. The nearest permitted call: look {"at":"drafts"}.',
    );
    expect([...session.strategies].sort()).toEqual(['allow', 'block', 'inspect', 'reflect', 'stop']);
    expect((await session.idle()).decision).toBe('allow');
  });

  it('escalates as it says once the agent was asked to reflect often enough, and a yes overrules what was shown', async () => {
    const { decide, session } = begin([limit(9)], { maxReflections: 1 });
    await decide('send', { error: 'no line' });
    expect((await decide('send')).decision).toBe('reflect');
    const asked = await decide('send');
    expect(asked).toMatchObject({ decision: 'inspect', rule: 'afterFailure' });
    const answered = await session.answer(asked.inspection?.id ?? '', { approved: true });
    expect([answered.decision, answered.run?.name]).toEqual(['allow', 'send']);
  });

  it('is told of what runs, comes back and is given up, and counts what is running', async () => {
    const { decide, session } = begin([limit(2)]);
    const first = await decide('send', null);
    await decide('pay', null);
    expect((await decide('send')).decision).toBe('block');
    await session.withdraw(first);
    expect((await decide('send')).decision).toBe('allow');
  });

  it('is held to the hash that a run began with', async () => {
    const { decide, records } = begin([limit(2)]);
    await decide('send');
    expect(records[0]).toMatchObject({ guard: { name: 'limit', file: 'limit 2 send,pay' } });
    expect(() => begin([limit(3)], { resume: records })).toThrow(/began with .*limit 2.*this one is limit 3/);
    expect(() => begin([limit(2)], { guardHash: 'other' })).toThrow(/the hash of the limit is limit 2/);
  });

  it('decides as alone, where what another refuses is withdrawn; resumed anywhere and replayed it decides the same', async () => {
    const names = [...tools, 'fails', 'withdraws', 'restart'];
    let refused = 0;
    let restarts = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...names), { maxLength: 16 }),
        fc.integer({ min: 0, max: 3 }),
        fc.boolean(),
        async (calls, most, guardFirst) => {
          const judges = () =>
            guardFirst ? [createGuard(reviewFirst), limit(most)] : [limit(most), createGuard(reviewFirst)];
          const all: RunRecord[] = [];
          const log = { append: (record: RunRecord) => void all.push(JSON.parse(JSON.stringify(record))) };
          const state = () => ({});
          let both = begin(judges(), { log, state });
          const alone = [begin([createGuard(reviewFirst)], { state }), begin([limit(most)], { state })];
          let fate = 'ran';
          for (const [i, name] of calls.entries()) {
            if (name === 'restart') {
              restarts++;
              both = begin(judges(), { log, state, resume: [...all] });
            } else if (name === 'fails' || name === 'withdraws') fate = name;
            else {
              const call = { id: String(i), name, arguments: {} };
              const verdict = await both.session.check(call);
              const verdicts = [];
              for (const { session } of alone) verdicts.push(await session.check(call));
              const against = verdicts.filter(({ run }) => run === null);
              expect(verdict.run === null).toBe(against.length > 0);
              const gravest = against.find(({ decision }) => decision === 'block') ?? against[0];
              if (gravest) {
                refused++;
                expect(verdict.decision).toBe(gravest.decision);
              }
              const outcome = fate === 'fails' ? { error: 'e' } : { result: 1 };
              for (const [j, { session }] of alone.entries()) {
                if (verdicts[j].run === null) continue;
                if (against.length > 0 || fate === 'withdraws') await session.withdraw(verdicts[j]);
                else await session.ran(verdicts[j], outcome);
              }
              if (verdict.run !== null) {
                if (fate === 'withdraws') await both.session.withdraw(verdict);
                else await both.session.ran(verdict, outcome);
              }
              fate = 'ran';
              // One that reflects is counted by the session: beside a guard that blocks it is not.
              if (verdicts[1].decision === 'reflect' || verdicts[1].decision === 'inspect') return;
            }
          }
          const { difference, runs, reactive } = await replayed(all, reviewFirst, [limit(most)]);
          expect({ difference, reactive }).toEqual({ difference: null, reactive: 0 });
          if (all.length > 0) expect(runs).toBe(1);
        },
      ),
      { numRuns: 150 },
    );
    expect(refused).toBeGreaterThan(25);
    expect(restarts).toBeGreaterThan(20);
  });

  it('is replayed without the arguments, and a reading that was altered shows', async () => {
    const { decide, records, session } = begin([limit(1)]);
    for (const name of ['look', 'send', 'send', 'look']) await decide(name);
    await session.end();
    const withoutArguments = records.map((record) =>
      record.kind === 'decision' ? { ...record, call: { ...record.call, arguments: '[redacted]' } } : record,
    );
    expect(await replayed(withoutArguments, null, [limit(1)])).toMatchObject({
      decisions: 4,
      difference: null,
    });
    expect(await replayed(records, null, [limit(2)])).toMatchObject({ otherRuns: 1, decisions: 0 });
    expect(await replayed(records, null)).toMatchObject({ reactive: 4, difference: null });
    const altered = records.map((record) =>
      record.kind === 'decision' && record.decision === 'block'
        ? { ...record, observed: { writes: false, idle: false } as never }
        : record,
    );
    expect((await replayed(altered, null, [limit(1)])).difference).toMatchObject({
      recorded: 'block',
      replayed: 'allow',
    });
  });
});

const ALLOW = { decision: 'allow', read: {} };
const cyclic: Record<string, unknown> = {};
cyclic.self = cyclic;

/** What a hostile judge answers, which must never let a call run. */
const rubbish: readonly (readonly [string, (call: unknown, world: unknown) => unknown])[] = [
  [
    'throws',
    () => {
      throw new Error('out of order');
    },
  ],
  [
    'throws no error',
    () => {
      throw null;
    },
  ],
  ['gives nothing', () => undefined],
  ['gives null', () => null],
  ['gives true', () => true],
  ['gives text', () => 'allow'],
  ['gives a list', () => [ALLOW]],
  ['gives a promise', async () => ALLOW],
  ['gives a promise that fails', () => Promise.reject(new Error('late'))],
  ['decides what nobody knows', () => ({ ...ALLOW, decision: 'permit' })],
  ['decides what objects inherit', () => ({ ...ALLOW, decision: 'toString' })],
  ['decides NaN', () => ({ ...ALLOW, decision: Number.NaN })],
  ['decides a list of one', () => ({ ...ALLOW, decision: ['allow'] })],
  ['decides what it has not declared', () => ({ ...ALLOW, decision: 'inspect' })],
  ['replaces by what it has not declared', () => ({ ...ALLOW, decision: 'replace', action: 'send' })],
  [
    'has a getter that throws',
    () => ({
      read: {},
      get decision() {
        throw new Error('no');
      },
    }),
  ],
  [
    'is a proxy that throws',
    () =>
      new Proxy(
        {},
        {
          get() {
            throw new Error('trap');
          },
          ownKeys() {
            throw new Error('trap');
          },
        },
      ),
  ],
  ['reads nothing', () => ({ decision: 'allow' })],
  ['reads null', () => ({ decision: 'allow', read: null })],
  ['reads NaN', () => ({ decision: 'allow', read: { risk: Number.NaN } })],
  ['reads a cycle', () => ({ decision: 'allow', read: cyclic })],
  ['reads a function', () => ({ decision: 'allow', read: { f() {} } })],
  ['reads too much', () => ({ decision: 'allow', read: 'x'.repeat(100_001) })],
  ['has a risk above 1', () => ({ ...ALLOW, risk: 1.5 })],
  ['has the risk NaN', () => ({ ...ALLOW, risk: Number.NaN })],
  ['calls a fault its reason', () => ({ ...ALLOW, reason: 'log-failed' })],
  ['says that a person has approved', () => ({ ...ALLOW, reason: 'approved' })],
  ['gives a reason that is no text', () => ({ ...ALLOW, reason: 7 })],
  ['gives a rule that is no text', () => ({ ...ALLOW, rule: {} })],
  ['escalates to what it has not declared', () => ({ ...ALLOW, escalate: ['inspect'] })],
  ['withholds all', () => ({ ...ALLOW, scope: 'all' })],
  ['suggests no call', () => ({ ...ALLOW, suggestion: 'send' })],
  [
    'changes the call',
    (call) => {
      (call as { name: string }).name = 'look';
      return ALLOW;
    },
  ],
  [
    'changes the arguments',
    (call) => {
      (call as { arguments: { to: string[] } }).arguments.to.push('b');
      return ALLOW;
    },
  ],
  [
    'changes the running calls',
    (_, world) => {
      (world as { pending: unknown[] }).pending.push({});
      return ALLOW;
    },
  ],
];

describe('a judge that does not do what it should', () => {
  it.each(rubbish)('never lets a call run: it %s', async (_, answer) => {
    for (const onFault of ['stop', 'block'] as const) {
      const { decide, records, session } = begin([answering(answer), limit(5)], {
        onFault,
        state: () => ({ a: [1] }),
      });
      const verdict = await decide('send');
      expect(verdict).toMatchObject({
        run: null,
        decision: onFault,
        reason: 'rule-failed',
        ends: onFault === 'stop',
      });
      expect(verdict.call.arguments).toEqual({ to: ['a'] });
      await session.end();
      expect((await replayed(records, null, [answering(answer), limit(5)])).difference).toBeNull();
    }
  });

  it('does not hide a graver decision of another judge, nor take it away', async () => {
    const stops = answering(() => ({ decision: 'stop', read: {}, rule: 'never' }));
    const throwing = answering(() => {
      throw new Error('x');
    });
    for (const judges of [
      [throwing, { ...stops }],
      [{ ...stops }, throwing],
    ])
      expect(await begin(judges, { onFault: 'block' }).decide('send')).toMatchObject({
        decision: 'stop',
        rule: 'never',
      });
  });

  it.each(['started', 'came', 'withheld'] as const)(
    'has lost track of the run once it fails in %s: all its later answers are faults',
    async (event) => {
      const fails: Partial<RunJudge> = {
        [event]: () => {
          throw new Error('lost');
        },
      };
      const mayRun = (call: unknown) => ({
        ...ALLOW,
        decision: (call as { name: string }).name === 'pay' ? 'block' : 'allow',
      });
      const { decide, session, records } = begin([answering(mayRun, fails)], {
        onFault: 'block',
        state: () => ({}),
      });
      await decide(event === 'withheld' ? 'pay' : 'look');
      const next = await decide('look');
      expect(next).toMatchObject({ run: null, reason: 'rule-failed' });
      expect(next.explanation).toMatch(/has not known the state of the run since: lost/);
      // A restart does not help it.
      const again = begin([answering(mayRun, fails)], {
        onFault: 'block',
        state: () => ({}),
        resume: records,
      });
      expect(await again.decide('look')).toMatchObject({ run: null, reason: 'rule-failed' });
      await session.end();
    },
  );

  it('cannot read an answer twice, nor change one that it gave', async () => {
    let reads = 0;
    const answer = {
      read: { n: 0 },
      get decision() {
        return reads++ === 0 ? 'block' : 'allow';
      },
    };
    expect(await begin([answering(() => answer)]).decide('send')).toMatchObject({
      decision: 'block',
      run: null,
    });
  });

  it.each([
    ['no name', { name: '' }, /the name of a judge is the text ""; expected text/],
    ['no hash', { hash: undefined }, /the hash of judge "hostile" is undefined; expected text/],
    [
      'no decisions',
      { decisions: 'block' },
      /decisions of judge "hostile" are the text "block"; expected a list/,
    ],
    [
      'an unknown decision',
      { decisions: [{ kind: 'permit' }] },
      /have an object with kind; expected \{ kind \} of stop/,
    ],
    [
      'a replacement that is not there',
      { decisions: [{ kind: 'replace', action: 'nap' }] },
      /the hostile may replace a call by "nap"/,
    ],
    ['a clock', { needs: { clock: 'it counts calls an hour' } }, /it counts calls an hour; give time/],
    ['a bad number', { needs: { pending: -1 } }, /needs.pending of judge "hostile" is -1/],
    ['no run', { begin: () => null }, /begin of judge "hostile" gave null; expected an object with propose/],
  ])('is refused when the session is made: %s', (_, wrong, message) => {
    const judge = { ...answering(() => ALLOW), decisions: [{ kind: 'block' }], ...wrong } as Judge;
    expect(() => createSession({ judges: [judge], tools })).toThrow(message);
  });
});
