import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import * as check from '../../bindings/face/entries/check.js';
import * as foreguard from '../../bindings/face/entries/index.js';
import * as logic from '../../bindings/languages/logic/index.js';
import { script } from '../script.js';

const { api } = await script('conformance/api.mjs');
const { pro2guardJobs } = await script('conformance/pro2guard.mjs');
const { runInstance } = await script('conformance/runInstance.mjs');

const root = mkdtempSync(join(tmpdir(), 'foreguard-chain-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

interface Message {
  readonly name?: string;
  readonly outcome?: string;
  readonly note?: string;
}

/** Runs a chain of four states, the third without a command and the last out of reach, beside a JSON file with this row. */
function messages(row: Record<string, string>): Message[] {
  const source = `dtmc
module m
  s : [0..3] init 0;
  [] s=0 -> 1/3 : (s'=1) + 2/3 : (s'=2);
  [] s=1 -> 1/2 : (s'=0) + 1/2 : (s'=1);
  [] s=3 -> 1 : (s'=0);
endmodule`;
  const probabilities = { a: row, b: { a: '1/2', b: '1/2' }, c: {}, d: { a: '1' } };
  const model = { states: ['a', 'b', 'c', 'd'], state_index: { a: 0, b: 1, c: 2, d: 3 } };
  writeFileSync(join(root, 'dtmc.prism'), source);
  writeFileSync(join(root, 'model.json'), JSON.stringify({ ...model, transition_probs: probabilities }));
  writeFileSync(join(root, 'abstraction.json'), '{}');
  const found: Message[] = [];
  for (const job of pro2guardJobs(root)) {
    runInstance(api({ ...foreguard, ...check }, logic), { ...job, rounds: 1 }, (message: Message) =>
      found.push(message),
    );
  }
  return found.filter(({ outcome }) => outcome !== undefined);
}

it('a chain passes where it is as published, and says what is odd about it', () => {
  const found = messages({ b: '1/3', c: '2/3' });
  expect(found.map(({ outcome }) => outcome)).toEqual(new Array(5).fill('passed'));
  expect(found[0].note).toBe('no command for s=2; 1 of 4 states are not reached from s=0');
});

it('a chain fails where another file says otherwise, in its row and in what follows from it', () => {
  const found = messages({ b: '1/4', c: '3/4' });
  expect(found.map(({ name, outcome }) => [name, outcome])).toEqual([
    ['import', 'failed'],
    ['P=? [ F s=0 ], a', 'passed'],
    ['P=? [ F s=1 ], b', 'failed'],
    ['P=? [ F s=2 ], c', 'passed'],
    ['P=? [ F s=3 ], d', 'passed'],
  ]);
});
