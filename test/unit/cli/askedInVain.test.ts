import '../../../bindings/solvers/kernel/inline.js';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parseExpression, pathsAsked } from '../../../bindings/languages/expression/index.js';
import { foreguard } from './command.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-asked-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = (name: string) => join(folder, name);

writeFileSync(
  path('spec.json'),
  JSON.stringify({
    version: 1,
    predicates: {
      red: 'has(signal.aspect) && signal.aspect == "red"',
      open: 'doors.exists(d, has(d.open) && d.open)',
      fast: 'v > 5',
    },
    rules: {
      stop: { formula: 'G !(red & fast)', threshold: 0.5 },
      shut: { formula: 'G !(open & fast)', threshold: 0.5 },
    },
  }),
);
writeFileSync(
  path('unread.json'),
  JSON.stringify({
    version: 1,
    predicates: { red: 'has(signal.aspect) && signal.aspect == "red"', fast: 'v > 5' },
    rules: { slow: { formula: 'G !fast', threshold: 0.5 } },
  }),
);
const state = (more: object) => ({
  steps: [{ state: { v: 9, signal: {}, doors: [{ open: false }], ...more } }],
});
const lines = (...runs: object[]): string => {
  const text = runs.map((run, i) => JSON.stringify({ id: `run ${i}`, ...run })).join('\n');
  writeFileSync(path('runs.jsonl'), text);
  return path('runs.jsonl');
};
const notes = async (command: string, traces: string): Promise<string[]> => {
  const words = [
    command,
    '-s',
    path('spec.json'),
    '-t',
    traces,
    ...(command === 'learn' ? ['-o', path('m.umb')] : []),
  ];
  const { out } = await foreguard(...words, '--json');
  const messages: string[] = JSON.parse(out).notes.map(({ message }: { message: string }) => message);
  const text = (await foreguard(...words)).out;
  for (const message of messages) expect(text).toContain(message);
  return messages;
};

describe.each(['validate', 'learn', 'replay', 'robustness'])('foreguard %s', (command) => {
  it('names the predicates that ask has for what is not recorded', async () => {
    const told = { signal: { aspect: 'green' } };
    const blind = { ...state({}), notRecorded: { 'signal.aspect': 'no receiver' } };
    expect(await notes(command, lines(blind, blind))).toEqual([
      'predicate "red" asks has(signal.aspect), which is not recorded (no receiver) on all of 2 traces: wherever it lacks, the answer is false',
    ]);
    expect(await notes(command, lines(state(told), blind))).toEqual([
      'predicate "red" asks has(signal.aspect), which is not recorded (no receiver) on 1 of 2 traces, the first "run 1": wherever it lacks, the answer is false',
    ]);
    const handleless = { ...state({ ...told, doors: [{}] }), notRecorded: { 'doors.open': 'no switch' } };
    expect(await notes(command, lines(handleless))).toEqual([
      'predicate "open" asks has(doors.open), which is not recorded (no switch): wherever it lacks, the answer is false',
    ]);
  });

  it('fails under --strict if a rule reads such a predicate', async () => {
    const strictly = async (specification: string, run: object) => {
      const learnt = command === 'learn' ? ['-o', path('m.umb')] : [];
      const words = [command, '-s', path(specification), '-t', lines(run), '--strict', ...learnt];
      const { out, code } = await foreguard(...words, '--json');
      return [code, out] as const;
    };
    const blind = { ...state({}), notRecorded: { 'signal.aspect': 'no receiver' } };
    const [code, out] = await strictly('spec.json', blind);
    expect(code).toBe(2);
    expect(out).toContain('predicate \\"red\\" asks has(signal.aspect), which is not recorded (no receiver)');
    expect((await strictly('unread.json', blind))[0]).toBe(0);
    expect((await strictly('spec.json', state({ signal: { aspect: 'green' } })))[0]).toBe(0);
  });

  it('says nothing where recordings lack other fields, or none', async () => {
    expect(
      await notes(command, lines({ ...state({}), notRecorded: { 'signal.phase': 'no' } }, state({}))),
    ).toEqual([]);
  });
});

it('finds the paths that has asks for, in macros too', () => {
  const asked = (source: string) => pathsAsked(parseExpression(source, { name: 'test' }));
  expect(asked('has(a.b) || a.c > 1 && !has(a.b.d) || has(a.b)')).toEqual(['a.b', 'a.b.d']);
  expect(asked('list.filter(x, has(x.y)).exists(z, has(z.w.v))')).toEqual(['list.y', 'list.w.v']);
  expect(asked('a.map(x, x.y).exists(z, has(z.w)) || f["g"].h == 1')).toEqual([]);
});
