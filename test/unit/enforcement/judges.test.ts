import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import { compileRules, parseSpecification } from '../../../bindings/rules/specification/index.js';
import { bindAgentSpec, parseAgentSpec } from '../../../bindings/runtime/agentspec/index.js';
import { replayAudit } from '../../../bindings/runtime/enforcement/audit/index.js';
import {
  createSession,
  type RunRecord,
  type SessionOptions,
} from '../../../bindings/runtime/enforcement/index.js';
import { createGuard, type GuardFile } from '../../../bindings/runtime/guard/index.js';
import { guardThat } from './setting.js';

const rulesFile = (formula: string, strategy = 'block'): GuardFile =>
  compileRules(
    parseSpecification(`version: 1
predicates:
  sends: 'action.name == "send"'
  reviews: 'action.name == "review"'
  a: a
rules: { rule: { formula: '${formula}', strategy: ${strategy} } }`),
  );
const reviewFirst = rulesFile('G (sends -> O reviews)');

const agentSpec = () =>
  bindAgentSpec(parseAgentSpec('rule @noPay\ntrigger pay\ncheck true\nenforce stop\nend').rules);

async function decisionsOf(options: Partial<SessionOptions>, calls: readonly string[], world = { a: false }) {
  const records: RunRecord[] = [];
  const session = createSession({
    tools: ['send', 'review', 'pay', 'look'],
    state: () => ({ a: world.a, b: false }),
    log: { append: (record) => void records.push(JSON.parse(JSON.stringify(record))) },
    ...options,
  });
  const told: string[] = [];
  for (const [i, name] of calls.entries()) {
    if (name === 'turn') world.a = !world.a;
    else {
      const verdict = await session.decide({ id: String(i), name, arguments: {} });
      told.push(`${name}: ${verdict.decision}${verdict.rule === '' ? '' : ` by ${verdict.rule}`}`);
      if (verdict.run !== null) await session.ran(verdict, { result: null });
    }
  }
  return { session, records, told };
}

/** The difference that a replay finds, and how many decisions it has made again. */
async function replayed(records: readonly RunRecord[], file: GuardFile, beside: readonly GuardFile[]) {
  async function* entries() {
    for (const [sequence, record] of records.entries()) yield { sequence, record, previous: '', hash: '' };
  }
  const { difference, decisions, otherRuns } = await replayAudit(entries() as never, file, { beside });
  return { difference, decisions, otherRuns };
}

describe('several judges of one run', () => {
  const risky = guardThat({ name: 'noHarm', strategy: { kind: 'inspect' } });

  it('each see every call, and the most severe decides', async () => {
    const judges = [createGuard(reviewFirst), risky.fork(), agentSpec()];
    const { told, records, session } = await decisionsOf({ judges }, [
      'look',
      'send',
      'turn',
      'look',
      'send',
      'turn',
      'review',
      'send',
      'pay',
      'look',
    ]);
    expect(told).toEqual([
      'look: allow by rule',
      'send: block by rule',
      'look: inspect by noHarm',
      'send: block by rule',
      'review: allow by rule',
      'send: allow by rule',
      'pay: stop by noPay',
      'look: stop',
    ]);
    await session.end();
    expect([...session.strategies].sort()).toEqual(['allow', 'block', 'inspect', 'stop']);
    expect(records[0]).toMatchObject({ beside: [{ model: risky.file.modelHash }, { name: 'rules' }] });
    expect(await replayed(records, reviewFirst, [risky.file])).toMatchObject({
      difference: null,
      decisions: 6,
    });
    expect(await replayed(records, reviewFirst, [])).toMatchObject({ otherRuns: 1, decisions: 0 });
    const altered = JSON.parse(JSON.stringify(records));
    altered[1].beside[0].observed.valuation = [1];
    expect((await replayed(altered, reviewFirst, [risky.file])).difference).not.toBeNull();
  });

  it('need no guard at all', async () => {
    const { told } = await decisionsOf({ judges: [agentSpec()] }, ['send', 'pay']);
    expect(told[1]).toBe('pay: stop by noPay');
    expect(told[0]).toBe('send: allow');
    expect(() => createSession({ tools: [] })).toThrow(/needs what judges calls: guard, .* or judges/);
    expect(() => createSession({ tools: [], judges: [] })).toThrow(/needs what judges calls/);
    const one = createGuard(reviewFirst);
    expect(() => createSession({ tools: [], guard: one, judges: [one] })).toThrow(/a guard is given twice/);
    expect(() => createSession({ tools: [], judges: [{}] as never })).toThrow(
      /judges is .*; expected a list of what/,
    );
  });

  it('go on from the records of all, and of no others', async () => {
    const judges = () => [createGuard(reviewFirst), risky.fork()];
    const { records } = await decisionsOf({ judges: judges(), id: 'one' }, ['review', 'look']);
    const { told } = await decisionsOf({ judges: judges(), id: 'one', resume: records }, ['send']);
    expect(told).toEqual(['send: allow by rule']);
    expect(() =>
      createSession({ tools: [], judges: judges().reverse(), id: 'one', resume: records, state: () => ({}) }),
    ).toThrow(/run one began with the guard file .* and /);
  });

  it('are all held to one run at a time', async () => {
    const [first, second] = [createGuard(reviewFirst), risky.fork()];
    const session = createSession({ tools: [], judges: [first, second] });
    expect(() => createSession({ tools: [], guard: second })).toThrow(/follows run/);
    await session.end();
    expect(() => createSession({ tools: [], guard: second })).not.toThrow();
  });

  it('a yes overrules those that were shown, and no other', async () => {
    const strict = createGuard(rulesFile('G !(a & sends)', 'inspect'));
    const world = { a: true };
    const { session } = await decisionsOf({ judges: [risky.fork(), strict] }, [], world);
    const asked = await session.check({ id: '1', name: 'send', arguments: {} });
    expect(asked.inspection?.question).toMatch(/A yes also overrules "rule" \(inspect/);
    const answered = await session.answer(asked.inspection?.id ?? '', { approved: true });
    expect([answered.decision, answered.run?.name]).toEqual(['allow', 'send']);
  });

  it('each decide as alone, where what another refuses is given up', async () => {
    const names = ['send', 'review', 'look', 'turn'];
    const formulas = [
      'G (sends -> O reviews)',
      'G !(a & sends)',
      'G (sends -> X !sends)',
      'G (reviews -> F<=2 sends)',
    ];
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...names), { maxLength: 12 }),
        fc.uniqueArray(fc.constantFrom(...formulas), { minLength: 2, maxLength: 3 }),
        async (calls, chosen) => {
          const files = chosen.map((formula) => rulesFile(formula));
          const { told, records, session } = await decisionsOf({ judges: files.map(createGuard) }, calls);
          const world = { a: false };
          const alone = files.map((file) =>
            createSession({ tools: names, guard: createGuard(file), state: () => ({ a: world.a }) }),
          );
          let at = 0;
          for (const [i, name] of calls.entries()) {
            if (name === 'turn') {
              world.a = !world.a;
              continue;
            }
            const verdicts = [];
            for (const one of alone) verdicts.push(await one.decide({ id: String(i), name, arguments: {} }));
            const withheld = verdicts.filter(({ run }) => run === null).map(({ decision }) => decision);
            const expected = withheld.includes('stop') ? 'stop' : (withheld[0] ?? 'allow');
            expect(told[at++]).toMatch(new RegExp(`^${name}: ${expected}`));
            if (withheld.length > 0) refused++;
            for (const [j, one] of alone.entries()) {
              if (verdicts[j].run === null) continue;
              if (withheld.length > 0) await one.withdraw(verdicts[j]);
              else await one.ran(verdicts[j], { result: null });
            }
          }
          await session.end();
          const [first, ...beside] = files;
          expect((await replayed(records, first, beside)).difference).toBeNull();
        },
      ),
      { numRuns: 60 },
    );
    expect(refused).toBeGreaterThan(20);
  });
});
