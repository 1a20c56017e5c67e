import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileRules, parseSpecification } from '../../../bindings/rules/specification/index.js';
import { bindAgentSpec, parseAgentSpec } from '../../../bindings/runtime/agentspec/index.js';
import { withHidden } from '../../../bindings/runtime/enforcement/editing.js';
import {
  type Answer,
  createSession,
  InspectionStore,
  type RunRecord,
  type SessionOptions,
} from '../../../bindings/runtime/enforcement/index.js';
import { loadGuard } from '../../../bindings/runtime/guard/index.js';
import { inspectionOf } from './inspectionOf.js';
import { MemoryFolder } from './memoryFolder.js';
import { expectReplayed } from './replayed.js';

/** Paying more than 100 takes a person; more than 1000 in all, and to Eve, nobody may. */
const SPECIFICATION = `version: 1
predicates:
  dear: 'action.name == "pay" && action.arguments.amount > 100'
  toEve: 'action.name == "pay" && action.arguments.to == "eve"'
  tooMuch: 'action.name == "pay" && action.arguments.amount + sum(history.filter(c, c.name == "pay").map(c, c.arguments.amount)) > 1000'
rules:
  notDear: { formula: 'G !dear', strategy: inspect }
  notEve: { formula: 'G !toEve' }
  limit: { formula: 'G !tooMuch' }`;

async function sessionOf(answer: Answer | ((call: object) => Answer), options: Partial<SessionOptions> = {}) {
  const records: RunRecord[] = [];
  const file = compileRules(parseSpecification(SPECIFICATION));
  const session = createSession({
    guard: await loadGuard(JSON.stringify(file)),
    tools: {
      pay: {
        check: ({ amount }: Readonly<Record<string, unknown>>) =>
          typeof amount === 'number' ? null : 'amount must be a number',
      },
    },
    id: 'run',
    edits: true,
    log: { append: (record) => void records.push(JSON.parse(JSON.stringify(record))) },
    ask: async ({ call }) => (typeof answer === 'function' ? answer(call) : answer),
    ...options,
  });
  let calls = 0;
  const pay = async (given: Readonly<Record<string, unknown>>) => {
    const verdict = await session.decide({ id: `${calls++}`, name: 'pay', arguments: given });
    if (verdict.run !== null) await session.ran(verdict, { result: 'paid' });
    return verdict;
  };
  return { session, pay, records, file };
}
const yes = (given: Readonly<Record<string, unknown>>): Answer => ({
  approved: true,
  by: 'Ada',
  arguments: given,
});

describe('a call whose arguments a person has changed', () => {
  it('runs with those, frozen, and is recorded as both', async () => {
    const given = { amount: 50, to: 'bob' };
    const { pay, records, file } = await sessionOf(yes(given));
    const verdict = await pay({ amount: 500, to: 'bob' });
    expect([verdict.decision, verdict.reason, verdict.run?.arguments]).toEqual(['allow', 'approved', given]);
    expect(verdict.call.arguments).toEqual({ amount: 500, to: 'bob' });
    expect(verdict.message).toBe(
      'A person has changed the arguments of this call, which ran with {"amount":50,"to":"bob"}',
    );
    given.amount = 10_000;
    expect(verdict.run?.arguments).toEqual({ amount: 50, to: 'bob' });
    expect(Object.isFrozen(verdict.run?.arguments)).toBe(true);
    const [decision, outcome] = records.filter(({ kind }) => kind === 'decision' || kind === 'outcome');
    expect(decision).toMatchObject({ decision: 'inspect', call: { arguments: { amount: 500 } } });
    expect(outcome).toMatchObject({
      outcome: 'approved',
      by: 'Ada',
      edited: { arguments: { amount: 50, to: 'bob' } },
    });
    expect(await expectReplayed(records, file)).toBe(1);
  });

  it('counts as it ran, for what follows, also after a restart', async () => {
    const one = await sessionOf(yes({ amount: 900, to: 'bob' }));
    expect((await one.pay({ amount: 500, to: 'bob' })).run?.arguments).toMatchObject({ amount: 900 });
    expect(one.session.stopped).toBeNull();
    expect(await one.pay({ amount: 99, to: 'bob' })).toMatchObject({ decision: 'allow' });
    expect(await one.pay({ amount: 2, to: 'bob' })).toMatchObject({ decision: 'block', rule: 'limit' });
    const again = await sessionOf({ approved: false }, { resume: one.records });
    expect(await again.pay({ amount: 2, to: 'bob' })).toMatchObject({ decision: 'block', rule: 'limit' });
    expect(await again.pay({ amount: 1, to: 'bob' })).toMatchObject({ decision: 'allow' });
    await expectReplayed([...one.records, ...again.records], one.file);
  });

  it.each([
    [
      'a rule that was not shown',
      { amount: 500, to: 'eve' },
      'no-answer',
      /with these arguments more is against it than was shown: violated/,
    ],
    ['a sum that was not shown', { amount: 1001, to: 'bob' }, 'no-answer', /violated/],
    ["the tool's own check", { amount: 'all', to: 'bob' }, 'invalid-arguments', /amount must be a number/],
    ['what cannot be read', { amount: 5, to: undefined }, 'no-answer', /predicate-failed/],
    ['a date', { amount: 5, to: new Date(0) }, 'invalid-arguments', /the answer's own/],
    ['a list in place of arguments', [5] as never, 'invalid-arguments', /expected an object, found a list/],
    ['nothing', null as never, 'invalid-arguments', /the answer's own/],
    ['a prototype', JSON.parse('{"amount":5,"to":"bob","__proto__":{}}'), 'invalid-arguments', /__proto__/],
  ])('does not run against %s, and the run goes on', async (_, given, reason, why) => {
    const { pay, records, file, session } = await sessionOf(yes(given));
    const verdict = await pay({ amount: 500, to: 'bob' });
    expect([verdict.run, verdict.decision, verdict.reason, verdict.ends]).toEqual([
      null,
      'block',
      reason,
      false,
    ]);
    expect(verdict.explanation).toMatch(why);
    expect(await pay({ amount: 50, to: 'bob' })).toMatchObject({ decision: 'allow' });
    expect(session.stopped).toBeNull();
    expect(records.filter((record) => record.kind === 'outcome' && record.edited !== undefined)).toEqual([]);
    await expectReplayed(records, file);
  });

  it('is judged by reactive rules, too', async () => {
    const { rules } = parseAgentSpec('rule @noEve\ntrigger\n  pay\ncheck\n  to_carl\nenforce\n  stop\nend\n');
    const carl = bindAgentSpec(rules, {
      predicates: { to_carl: ({ action }) => action.arguments?.to === 'carl' },
    });
    const { pay } = await sessionOf(yes({ amount: 500, to: 'carl' }), { rules: [carl] });
    expect(await pay({ amount: 500, to: 'bob' })).toMatchObject({ run: null, reason: 'no-answer' });
  });

  it('is the proposed one if the answer says the same, and takes no other unless the session does', async () => {
    const same = await sessionOf(yes({ to: 'bob', amount: 500 }));
    const verdict = await same.pay({ amount: 500, to: 'bob' });
    expect([verdict.run?.arguments, verdict.message]).toEqual([{ amount: 500, to: 'bob' }, null]);
    expect(same.records.some((record) => 'edited' in record)).toBe(false);
    const closed = await sessionOf(yes({ amount: 50, to: 'bob' }), { edits: false });
    expect(await closed.pay({ amount: 500, to: 'bob' })).toMatchObject({ run: null, reason: 'no-answer' });
    expect((await sessionOf(yes({}), { edits: false })).session.edits).toBe(false);
  });

  it('keeps what the person did not see, unless they write something in its place', async () => {
    const seen: object[] = [];
    const { pay, records } = await sessionOf(
      (call) => {
        seen.push(call);
        return yes({ ...(call as { arguments: object }).arguments, amount: 50 });
      },
      { redact: ['pin'] },
    );
    const verdict = await pay({ amount: 500, to: 'bob', pin: '1234' });
    expect(seen).toMatchObject([{ arguments: { pin: '[redacted]' } }]);
    expect(verdict.run?.arguments).toEqual({ amount: 50, to: 'bob', pin: '1234' });
    expect(JSON.stringify(records) + verdict.message).not.toContain('1234');
  });
});

describe('what was hidden from a person', () => {
  it('is put back where its placeholder stands, and nowhere else', () => {
    const original = { a: 1, pin: 's', card: { no: 'n', cvc: 'c' }, users: [{ pw: 'x' }, { pw: 'y' }] };
    const shown = {
      a: 1,
      pin: '[redacted]',
      card: { no: '[redacted]', cvc: '[redacted]' },
      users: [{ pw: '[redacted]' }, { pw: '[redacted]' }],
    };
    expect(withHidden(original, shown, { ...shown, a: 2 })).toEqual({ ...original, a: 2 });
    expect(withHidden(original, shown, { card: { cvc: '[redacted]', no: '0' } })).toEqual({
      card: { cvc: 'c', no: '0' },
    });
    expect(() => withHidden(original, shown, { other: '[redacted]' })).toThrow(
      /arguments\.other is \[redacted\]/,
    );
    expect(() => withHidden(original, shown, { users: [{ pw: '[redacted]' }] })).toThrow(
      /arguments\.users is a list/,
    );
    expect(() => withHidden({}, {}, { __proto__: null, toString: '[redacted]' })).toThrow(
      /nothing was hidden there/,
    );
  });

  it('is never at another place than before, whatever the answer is', () => {
    // Each secret names its place.
    const secrets = (value: unknown, place: string): unknown => {
      if (value === '#') return `secret of ${place}`;
      if (Array.isArray(value)) return value.map((one, i) => secrets(one, `${place}.${i}`));
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value).map(([key, one]) => [key, secrets(one, `${place}.${key}`)]),
      );
    };
    const hidden = (value: unknown): unknown =>
      JSON.parse(JSON.stringify(value).replaceAll('"#"', '"[redacted]"'));
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom('#', '#', 1, 'x'),
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('tree'), { maxKeys: 3 }),
      ),
    }));
    const fields = fc.dictionary(fc.constantFrom('a', 'b', 'c'), tree);
    fc.assert(
      fc.property(fields, fields, (before, answer) => {
        const original = secrets(before, 'arguments');
        let merged: unknown;
        try {
          merged = withHidden(original, hidden(before), hidden(answer));
        } catch {
          return;
        }
        expect(JSON.stringify(merged)).not.toContain('[redacted]');
        // What was put back is what stood there; all else is the answer's.
        expect(merged).toEqual(secrets(answer, 'arguments'));
      }),
    );
  });
});

describe('a kept answer with other arguments', () => {
  const KEY = 'a key that the agent does not have';
  const kept = (editable: boolean) => {
    const folder = new MemoryFolder();
    const store = new InspectionStore(folder, { key: KEY, pollMs: 1, now: () => 1000 });
    return { folder, store, opened: store.open(inspectionOf('q', editable ? { editable: true } : {})) };
  };

  it('is sealed with them', async () => {
    const { store, folder, opened } = kept(true);
    await opened;
    await store.answer('q', { approved: true, by: 'ann', arguments: { to: 'bob' } });
    expect(
      await store.ask(inspectionOf('q', { editable: true }), new AbortController().signal),
    ).toMatchObject({
      approved: true,
      arguments: { to: 'bob' },
    });
    for (const [name, text] of folder.files)
      if (name.startsWith('answer-'))
        folder.files.set(name, Buffer.from(Buffer.from(text).toString().replace('bob', 'eve')));
    await expect(store.find('q')).rejects.toThrow(/damaged|checksum|whole/);
  });

  it('does not pass for one if somebody adds, changes or removes them', async () => {
    const { Generations } = await import('../../../bindings/base/storage/index.js');
    for (const forged of [{ arguments: { to: 'eve' } }, { arguments: undefined }]) {
      const { store, folder, opened } = kept(true);
      await opened;
      await store.answer('q', { approved: true, arguments: { to: 'bob' } });
      const name = [...folder.files.keys()].find((one) => one.startsWith('answer-'))!.slice(0, -2);
      const answer = JSON.parse((await new Generations(folder, name).read())!.content);
      await new Generations(folder, name).write(JSON.stringify({ ...answer, ...forged }));
      expect((await store.find('q'))?.answer).toBeNull();
    }
  });

  it('is refused where the question takes none, or the answer is no', async () => {
    const closed = kept(false);
    await closed.opened;
    await expect(closed.store.answer('q', { approved: true, arguments: {} })).rejects.toThrow(
      /takes no other arguments/,
    );
    const open = kept(true);
    await open.opened;
    await expect(open.store.answer('q', { approved: false, arguments: {} })).rejects.toThrow(
      /the answer is no/,
    );
    await expect(open.store.answer('q', { approved: true, arguments: [1] as never })).rejects.toThrow(
      /expected an object/,
    );
  });
});
