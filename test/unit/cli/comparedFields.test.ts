import '../../../bindings/solvers/kernel/inline.js';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { foreguard } from './command.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-compared-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = (name: string) => join(folder, name);

/** The notes of a command on one trace, which its text has too. */
const notes = async (
  predicates: Record<string, string>,
  steps: readonly object[],
  command = 'validate',
): Promise<string[]> => {
  const rules = { never: { formula: `G !(${Object.keys(predicates).join(' & ')})`, threshold: 0.5 } };
  writeFileSync(path('spec.json'), JSON.stringify({ version: 1, predicates, rules }));
  writeFileSync(path('runs.jsonl'), JSON.stringify({ id: 'run 0', steps }));
  const words = [command, '-s', path('spec.json'), '-t', path('runs.jsonl')];
  if (command === 'learn') words.push('-o', path('m.umb'));
  const messages: string[] = JSON.parse((await foreguard(...words, '--json')).out).notes.map(
    ({ message }: { message: string }) => message,
  );
  const { out } = await foreguard(...words);
  for (const message of messages) expect(out).toContain(message);
  return messages;
};
const aspects = (...texts: unknown[]) => texts.map((aspect) => ({ state: { lamp: { aspect } } }));
const red = { red: 'lamp.aspect == "red"', stopped: 'lamp.aspect in ["red", "stop_now"]' };

describe('texts in another spelling than predicates have', () => {
  const expected = [
    '2 of 5 steps have "RED" in lamp.aspect, the first: trace "run 0", step 1; predicate "red" compares it with "red", which is another text: correct the recording, or compare it with both',
    '1 of 5 steps has "Stop now " in lamp.aspect, the first: trace "run 0", step 3; predicate "stopped" compares it with "stop_now", which is another text: correct the recording, or compare it with both',
  ];
  it.each(['validate', 'learn', 'replay', 'robustness'])('are named by %s', async (command) => {
    expect(await notes(red, aspects('red', 'RED', 'green', 'Stop now ', 'RED'), command)).toEqual(expected);
  });

  it('are found in actions', async () => {
    const state = {};
    const steps = [
      { state, action: { name: 'sendMail' } },
      { state, action: { name: 'send_mail' } },
    ];
    const [found] = await notes({ sends: 'has(action.name) && action.name == "send_mail"' }, steps, 'replay');
    expect(found).toContain('1 of 2 steps has "sendMail" in action.name, the first: trace "run 0", step 0');
  });

  it.each<[string, Record<string, string>, readonly object[]]>([
    ['texts of another word', red, aspects('red', 'ready', 'r', 'green')],
    ['texts that some predicate has', { ...red, loud: 'lamp.aspect == "RED"' }, aspects('red', 'RED')],
    ['fields that are no compared path', { red: 'lowerAscii(lamp.aspect) == "red"' }, aspects('RED')],
    ['elements of lists', { red: 'lamps.exists(l, l == "red")' }, [{ state: { lamps: ['RED'] } }]],
  ])('are not: %s', async (_, predicates, steps) => {
    expect(await notes(predicates, steps)).toEqual([]);
  });

  it('are remembered though the field has many other texts', async () => {
    const many = Array.from({ length: 100 }, (_, i) => `aspect ${i}`);
    expect(await notes(red, aspects(...many, 'Red'))).toHaveLength(1);
  });
});

describe('null in a field that predicates compare', () => {
  it.each(['validate', 'learn', 'replay'])('is named by %s', async (command) => {
    expect(await notes(red, aspects('red', null, null), command)).toEqual([
      '2 of 3 steps have null in lamp.aspect, the first: trace "run 0", step 1; predicates "red", "stopped" compare it, and null says that nothing is there, so == is false: if it was not measured, leave it out and say so in notRecorded of the trace',
    ]);
    expect(await notes({ coded: 'lamp.code == 2' }, [{ state: { lamp: { code: null } } }], command)).toEqual([
      '1 of 1 step has null in lamp.code, the first: trace "run 0", step 0; predicate "coded" compares it, and null says that nothing is there, so == is false: if it was not measured, leave it out and say so in notRecorded of the trace',
    ]);
  });

  it.each<[string, Record<string, string>]>([
    ['a predicate asks for it', { red: 'lamp.aspect == "red"', dark: 'lamp.aspect == null' }],
    ['nothing else is asked', { dark: 'lamp.aspect == null' }],
  ])('is not where %s', async (_, predicates) => {
    expect(await notes(predicates, aspects('red', null))).toEqual([]);
  });

  it('is not where no call has returned yet', async () => {
    const steps = [null, 'ok'].map((lastResult) => ({ state: { lastResult } }));
    expect(await notes({ fine: 'lastResult == "ok"' }, steps)).toEqual([]);
  });
});
