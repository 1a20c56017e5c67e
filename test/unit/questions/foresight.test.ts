import { describe, expect, it } from 'vitest';
import { runRuleTests } from '../../../bindings/face/cli/runRuleTests.js';
import { askSession } from '../../../bindings/rules/questions/index.js';
import {
  compileRules,
  judgesBeside,
  parseSpecification,
} from '../../../bindings/rules/specification/index.js';
import { createSession, type RunRecord, replayAudit } from '../../../bindings/runtime/enforcement/index.js';
import { createGuard } from '../../../bindings/runtime/guard/index.js';

const specificationOf = (foresight: string, tests = '') =>
  parseSpecification(`
version: 1
predicates:
  inKitchen: 'room == "kitchen"'
  inHall: 'room == "hall"'
  stoveOn: stove
actions:
  walk: { arguments: { to: [kitchen, hall] }, requires: '!in[to]', sets: 'in[to]', clears: 'in[*]' }
  switchOff: { requires: inKitchen, clears: stoveOn }
${foresight}
rules: { watch: { formula: 'G (stoveOn -> inKitchen)', strategy: block } }
${tests}`);

const state = { room: 'kitchen', stove: true };
const toHall = { id: '1', name: 'walk', arguments: { to: 'hall' } };
const toKitchen = { id: '2', name: 'walk', arguments: { to: 'kitchen' } };

function sessionOf(foresight: string) {
  const specification = specificationOf(foresight);
  const records: RunRecord[] = [];
  const session = createSession({
    judges: [createGuard(compileRules(specification)), ...judgesBeside(specification)],
    tools: ['walk', 'switchOff'],
    state: () => state,
    log: { append: (record) => void records.push(JSON.parse(JSON.stringify(record))) },
  });
  return { specification, session, records };
}

describe('foresight of a specification', () => {
  it('is off unless the specification says so, and then judges by effects, or also by what is required', async () => {
    const decided = async (foresight: string) => {
      const { session } = sessionOf(foresight);
      const [hall, kitchen] = [await session.check(toHall), await session.check(toKitchen)];
      return [hall.decision, kitchen.decision, kitchen.explanation];
    };
    expect((await decided('')).slice(0, 1)).toEqual(['allow']);
    expect((await decided('foresight: rules')).slice(0, 2)).toEqual(['block', 'allow']);
    expect(await decided('foresight: all')).toEqual([
      'block',
      'block',
      'walk requires !in[to], which does not hold.',
    ]);
  });

  it('refuses a call whose requirement could not be read', async () => {
    const specification = specificationOf('foresight: all');
    const session = createSession({
      judges: judgesBeside(specification),
      tools: ['walk', 'switchOff'],
      state: () => ({}),
    });
    const { decision, reason, explanation } = await session.check({
      id: '1',
      name: 'switchOff',
      arguments: {},
    });
    expect([decision, reason]).toEqual(['block', 'requires']);
    expect(explanation).toContain('could not be read');
  });

  it('is refused with its place where nothing is declared, or steps are not calls', () => {
    const bare = "version: 1\npredicates: { a: x }\nrules: { r: { formula: 'G a' } }\n";
    expect(() => parseSpecification(`${bare}foresight: rules`)).toThrow(
      /foresight judges calls by what is declared/,
    );
    expect(() => specificationOf('foresight: rules\nsamplingPeriod: 1s')).toThrow(/steps are not calls/);
    expect(() => specificationOf('foresight: everything')).toThrow(/rules.*all/);
  });

  it('is replayed with the judges that the specification names, and not without', async () => {
    const { specification, session, records } = sessionOf('foresight: all');
    await session.check(toHall);
    await session.check(toKitchen);
    await session.end();
    const entries = async function* () {
      for (const [sequence, record] of records.entries())
        yield { sequence, record, hash: '', previous: '' } as never;
    };
    const file = compileRules(specification);
    const { decisions, reactive, difference } = await replayAudit(entries(), file, {
      optional: judgesBeside(specification),
    });
    expect([decisions, reactive, difference]).toEqual([2, 0, null]);
    expect((await replayAudit(entries(), file)).reactive).toBe(2);
  });

  it('judges in the tests of the specification', async () => {
    const state = '{ room: kitchen, stove: true }';
    const tests = `tests:
  - { name: away, run: [{ call: walk, arguments: { to: hall }, state: ${state} }], expect: { stopped: 0, by: watch } }
  - { name: again, run: [{ call: walk, arguments: { to: kitchen }, state: ${state} }], expect: { stopped: 0 } }`;
    const passed = async (foresight: string) =>
      (await runRuleTests(specificationOf(foresight, tests))).map((one) => one.passed);
    expect(await passed('foresight: all')).toEqual([true, true]);
    expect(await passed('foresight: rules')).toEqual([true, false]);
    expect(await passed('')).toEqual([false, false]);
  });

  it('is what questions foretell of the session', async () => {
    const { specification, session } = sessionOf('foresight: all');
    const ask = askSession({ specification, session });
    const { answer, guard } = await ask.may({ name: 'walk', arguments: { to: 'kitchen' } });
    expect([answer, guard?.lets]).toEqual(['no', false]);
    expect((await ask.may({ name: 'switchOff' })).answer).toBe('yes');
    expect((await ask.before({ name: 'walk', arguments: { to: 'hall' } })).text).toContain('switchOff');
  });
});

describe('questions about several rules', () => {
  it('say of a call that each of two rules could be kept after it, but not both', async () => {
    const specification = parseSpecification(`
version: 1
predicates: { sends: 'action.name == "send"', reads: 'action.name == "read"', logs: 'action.name == "log"' }
rules:
  read: { formula: 'G (sends -> X reads)', strategy: block }
  log: { formula: 'G (sends -> X logs)', strategy: block }
constraints: { state: '!(reads && logs)' }
`);
    const guard = createGuard(compileRules(specification));
    const session = createSession({ guard, tools: ['send', 'read', 'log'], state: () => ({}) });
    const {
      answer,
      rules,
      together,
      text,
      guard: decided,
    } = await askSession({ specification, session }).may({
      name: 'send',
    });
    expect([answer, rules, together]).toEqual(['no', ['read', 'log'], true]);
    expect(text).toContain('cannot both be kept, though each alone can');
    expect(decided?.lets).toBe(true);
  });

  it('need a session whose guard reads what the rules read, and that has made no call', async () => {
    const [one, other] = [specificationOf(''), specificationOf('foresight: rules')];
    const elsewhere = parseSpecification(
      "version: 1\npredicates: { a: x }\nrules: { r: { formula: 'G a' } }",
    );
    const session = createSession({ guard: createGuard(compileRules(elsewhere)), tools: ['walk'] });
    expect(() => askSession({ specification: one, session })).toThrow(
      /no guard of the session reads the predicate/,
    );
    const begun = createSession({
      guard: createGuard(compileRules(other)),
      tools: ['walk'],
      state: () => state,
    });
    await begun.check(toHall);
    expect(() => askSession({ specification: other, session: begun })).toThrow(/has begun/);
  });

  it('are hidden in the log where a session hides fields, and answered all the same while the log fails', async () => {
    const specification = specificationOf('');
    const records: RunRecord[] = [];
    const session = createSession({
      guard: createGuard(compileRules(specification)),
      tools: ['walk'],
      state: () => state,
      redact: ['to'],
      log: {
        append(record) {
          if (records.length > 0) throw new Error('full');
          records.push(record);
        },
      },
    });
    const ask = askSession({ specification, session });
    await ask.may({ name: 'walk', arguments: { to: 'hall' } });
    expect(JSON.stringify(records)).not.toContain('hall');
    expect(records).toMatchObject([
      { kind: 'asked', about: '[redacted]', text: '[redacted]', answer: 'may: no' },
    ]);
    expect((await ask.may({ name: 'walk', arguments: { to: 'hall' } })).answer).toBe('no');
  });
});
