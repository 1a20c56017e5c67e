import '../../../bindings/solvers/kernel/inline.js';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { foreguard } from './command.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-ids-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = (name: string) => join(folder, name);
writeFileSync(
  path('spec.json'),
  JSON.stringify({
    version: 1,
    predicates: { hot: 'heat > 2' },
    rules: { cool: { formula: 'G !hot', threshold: 0.5 } },
  }),
);

const notes = async (command: string, ...ids: readonly string[]): Promise<string[]> => {
  const lines = ids.map((id) => JSON.stringify({ id, steps: [{ state: { heat: 1 } }] }));
  writeFileSync(path('runs.jsonl'), lines.join('\n'));
  const words = [command, '-s', path('spec.json'), '-t', path('runs.jsonl')];
  if (command === 'learn') words.push('-o', path('m.umb'));
  return JSON.parse((await foreguard(...words, '--json')).out).notes.map(
    ({ message }: { message: string }) => message,
  );
};

it.each(['validate', 'learn', 'replay', 'robustness'])(
  '%s counts traces with the id of one before',
  async (command) => {
    expect(await notes(command, 'a', 'b', 'a', 'c', 'b')).toEqual([
      '2 of 5 traces have the id of a trace before, the first "a": a run that was stored twice counts as two, and makes intervals too narrow; if they are different runs, give each an id of its own',
    ]);
    expect(await notes(command, 'a', 'b', 'c')).toEqual([]);
  },
);
