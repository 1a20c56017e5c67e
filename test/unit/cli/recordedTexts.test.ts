import '../../../bindings/solvers/kernel/inline.js';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { foreguard } from './command.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-texts-'));
afterAll(() => rmSync(folder, { recursive: true }));

const validated = async (predicate: string, states: object[]) => {
  const [spec, traces] = [join(folder, 'spec.json'), join(folder, 'runs.jsonl')];
  const rules = { r: { formula: 'G !p', threshold: 0.5 } };
  writeFileSync(spec, JSON.stringify({ version: 1, predicates: { p: predicate }, rules }));
  writeFileSync(traces, JSON.stringify({ id: 'a', steps: states.map((state) => ({ state })) }));
  const words = ['validate', '-s', spec, '-t', traces];
  const { neverTrue } = JSON.parse((await foreguard(...words, '--json')).out);
  const line = (await foreguard(...words)).out.split('\n').find((one) => one.startsWith('p is'));
  return { neverRecorded: neverTrue[0]?.neverRecorded, line };
};
const aspects = (...texts: unknown[]) => texts.map((aspect) => ({ signal: { aspect } }));

it('names the texts that steps have where a predicate compares another one in vain', async () => {
  expect(await validated('signal.aspect == "red"', aspects('green', 'RED', 'green', 're\nd'))).toEqual({
    neverRecorded: [{ field: 'signal.aspect', text: 'red', recorded: ['green', 'RED', 're\nd'] }],
    line: 'p is never true: signal.aspect is never "red", but "green", "RED", "re\\nd"',
  });
  const many = Array.from({ length: 100 }, (_, i) => `aspect ${i}`);
  const found = await validated('signal.aspect in ["red", "aspect 3"] && false', aspects(...many));
  expect(found.neverRecorded[0]).toMatchObject({
    text: 'red',
    recorded: ['aspect 3', ...many.slice(0, 3), ...many.slice(4, 11)],
  });
  expect((await validated('signal.aspect == "red"', aspects('g'.repeat(200)))).line).toContain(
    `but "${'g'.repeat(59)}…"`,
  );
});

it.each([
  ['a text that steps have', 'signal.aspect == "red" && false', aspects('red', 'green')],
  ['fields that are no texts', 'signal.aspect != null && signal.aspect == "red"', aspects(null, null)],
  ['elements of lists', 'lights.exists(l, l == "red")', [{ lights: ['green'] }]],
  ['actions', 'has(action.name) && action.name == "go"', [{}]],
])('names no text of %s', async (_, predicate, states) => {
  const { neverRecorded, line } = await validated(predicate, states);
  expect(neverRecorded).toBeUndefined();
  expect(line ?? 'p is never true').toBe('p is never true');
});
