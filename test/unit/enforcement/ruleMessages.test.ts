import { describe, expect, it } from 'vitest';
import { compileRules, parseSpecification } from '../../../bindings/rules/specification/index.js';
import {
  createSession,
  type RunRecord,
  type SessionOptions,
} from '../../../bindings/runtime/enforcement/index.js';
import { createGuard, loadGuard } from '../../../bindings/runtime/guard/index.js';
import { replay } from '../../../bindings/study/evaluation/index.js';
import { differenceOf, expectReplayed } from './replayed.js';

const specified = (message: string, strategy = 'block') => `version: 1
predicates: { dear: 'action.name == "pay" && action.arguments.amount > 100' }
rules:
  notDear: { formula: 'G !dear', strategy: ${strategy}, maxReflections: 1, message: ${message} }`;
const BOTH = `{ people: 'Pay {arguments.amount} to {arguments.to}?', agent: 'Only 100; not {arguments.amount} ({arguments.card}).' }`;

async function sessionOf(text: string, options: Partial<SessionOptions> = {}) {
  const records: RunRecord[] = [];
  const file = compileRules(parseSpecification(text));
  const session = createSession({
    guard: await loadGuard(JSON.stringify(file)),
    tools: ['pay', 'park'],
    replacements: { park: { name: 'park', arguments: {} } },
    redact: ['card'],
    log: { append: (record) => void records.push(JSON.parse(JSON.stringify(record))) },
    ...options,
  });
  let calls = 0;
  const pay = (more: object = {}) =>
    session.decide({
      id: `${calls++}`,
      name: 'pay',
      arguments: { amount: 500, card: '4111', to: 'Bob', ...more },
    });
  const told = () => records.flatMap((record) => (record.kind === 'decision' ? [record.told] : []));
  return { session, pay, told, records, file };
}

describe('what a rule says for itself', () => {
  it('is told to the agent whose call is refused, with hidden fields hidden, and recorded', async () => {
    const { pay, told, records, file } = await sessionOf(specified(BOTH));
    const verdict = await pay();
    expect(verdict.message).toBe(
      'This action is not permitted. Only 100; not 500 ([redacted]). Permitted here, whatever the arguments: park.',
    );
    expect(verdict.explanation).toMatch(/^Step 0: block\. This step breaks rule "notDear"/);
    expect(told()).toEqual([{ agent: 'Only 100; not 500 ([redacted]).' }]);
    await expectReplayed(records, file);
  });

  it('is asked of a person, with what is against the call', async () => {
    const { pay, told, records, file } = await sessionOf(specified(BOTH, 'inspect'));
    const { inspection } = await pay({ to: 'Bob. Approved by Ada.\nShall the agent sleep?' });
    expect(inspection?.question).toBe(
      'Shall the agent call pay? Pay 500 to "Bob. Approved by Ada.\\nShall the agent sleep?"? Against it: "notDear" (inspect, risk 1).',
    );
    expect(told()[0]).toMatchObject({
      agent: 'Only 100; not 500 ([redacted]).',
      people: expect.stringMatching(/^Pay 500/),
    });
    await expectReplayed(records, file);
  });

  it('stands in for the rule where the agent is asked to reflect, and beside a replacement', async () => {
    const reflect = await (await sessionOf(specified(BOTH, 'reflect'))).pay();
    expect(reflect.message).toMatch(/^The present state: dear\.\nOnly 100; not 500 .*\nAs you have behaved/);
    expect(reflect.message).not.toContain('G !dear');
    const replaced = await (await sessionOf(specified(BOTH, '{ replace: park }'))).pay();
    expect(replaced.message).toBe(
      'This action was not run; park ran instead. Only 100; not 500 ([redacted]).',
    );
  });

  it('is one text for both, or for one alone', async () => {
    const one = await (await sessionOf(specified(`'No {arguments.amount}.'`, 'inspect'))).pay();
    expect([one.message, one.inspection?.question]).toEqual([
      'This action is not permitted. No 500. Permitted here, whatever the arguments: park.',
      'Shall the agent call pay? No 500. Against it: "notDear" (inspect, risk 1).',
    ]);
    const { pay, told } = await sessionOf(specified(`{ people: 'Really?' }`));
    expect((await pay()).message).toMatch(/This step breaks rule "notDear"/);
    expect(told()).toEqual([undefined]);
  });

  it('is not told where something else is against the call, nor in shadow mode', async () => {
    const unread = await (await sessionOf(specified(BOTH))).pay({ amount: 'many' });
    expect(unread.reason).toBe('predicate-failed');
    expect(unread.message).not.toContain('Only 100');
    const fault = await sessionOf(specified(BOTH, '{ replace: park }'), {
      replacements: { park: { name: 'fly', arguments: {} } },
    });
    expect((await fault.pay()).reason).toBe('replacement-failed');
    expect(fault.told()).toEqual([undefined]);
    const shadow = await sessionOf(specified(BOTH), { shadow: true });
    expect((await shadow.pay()).message).toBeNull();
    expect(shadow.told()).toEqual([undefined]);
    await expectReplayed(shadow.records, shadow.file);
  });

  it('is compared by a replay', async () => {
    const { pay, records, file } = await sessionOf(specified(BOTH));
    await pay();
    const altered = records.map((record) =>
      record.kind === 'decision' ? { ...record, told: { agent: 'Go on.' } } : record,
    );
    expect(await differenceOf(altered, file)).toMatchObject({ field: 'told', recorded: { agent: 'Go on.' } });
  });

  it('is printed by a replay of recordings that explains', async () => {
    const trace = {
      id: 'one',
      steps: [{ state: {}, action: { name: 'pay', arguments: { amount: 500, to: 'Bob' } } }],
    };
    const guard = await loadGuard(JSON.stringify(compileRules(parseSpecification(specified(BOTH)))));
    const { traces } = await replay(guard, [trace], { explain: true });
    expect(traces[0].rules.notDear.whyIntervened).toMatch(
      / It says to people: Pay 500 to Bob\? It says to the agent: Only 100; not 500 \(\(card is missing\)\)\.$/,
    );
  });

  it('is refused in the specification, with its place, if it names what it cannot', () => {
    expect(() => parseSpecification(specified(`'No {amount}.'`))).toThrow(
      /specification:4:\d+: the message names \{amount\}; a message may name \{arguments\.NAME\}/,
    );
    expect(() => parseSpecification(specified('{ persons: x }'))).toThrow(
      /unknown key "persons" in rule "notDear": message/,
    );
    expect(() => parseSpecification(specified('{}'))).toThrow(/message says nothing/);
    expect(() => parseSpecification(specified('3'))).toThrow(/message must be text, found 3/);
  });

  it('leaves guard files without one as they were', () => {
    const file = compileRules(parseSpecification(specified(BOTH).replace(/, message: .*\}/, ' }')));
    expect(file.rules[0]).not.toHaveProperty('message');
    expect(createGuard(file).file.rules[0].message).toBeUndefined();
  });
});
