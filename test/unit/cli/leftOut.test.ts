import '../../../bindings/solvers/kernel/inline.js';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { foreguard } from './command.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-left-out-'));
const path = (name: string): string => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const files = ['-s', path('spec.yaml'), '-t', path('some.jsonl'), '--skip-invalid'];
const model = ['-s', path('spec.yaml'), '-m', path('some.umb')];
const json = async (...words: string[]) => JSON.parse((await foreguard(...words, '--json')).out);

beforeAll(async () => {
  writeFileSync(
    path('spec.yaml'),
    `version: 1
rules: { slow: { formula: 'G (speed <= 50)', threshold: 0.5 } }
learning: { smoothing: 0 }
`,
  );
  const steps = (speeds: readonly (number | null)[]) =>
    speeds.map((speed) => ({ state: speed === null ? {} : { speed } }));
  const lines = [
    JSON.stringify({ id: 'a', steps: steps([30, 40]) }),
    JSON.stringify({ id: 'b', steps: steps([30, null]) }),
    JSON.stringify({ id: 'c', steps: [{ state: 5 }] }),
  ];
  writeFileSync(path('some.jsonl'), `${lines.join('\n')}\n`);
  writeFileSync(path('good.jsonl'), `${lines[0]}\n`);
  expect(await foreguard('learn', ...files, '-o', path('some.umb'))).toMatchObject({ code: 0 });
});

describe('traces left out of a model', () => {
  const said =
    '2 traces left out of the model (1 at fault, or without fields that others have, 1 could not be read): the rest is not a sample of the agent, and certify refuses the model';

  it.each([
    ['risk', model],
    ['risk', [...model, '--joint', 'slow']],
    ['compile', [...model, '-o', path('guard.json')]],
    ['replay', [...model, '-t', path('good.jsonl')]],
  ])(
    'are said by %s, in notes too, and fail no more under --strict than steps that are held',
    async (command, words) => {
      const { out, code } = await foreguard(command, ...words);
      expect(code).toBe(0);
      expect(out).toContain(said);
      expect((await json(command, ...words)).notes).toContainEqual({
        source: path('some.umb'),
        message: said,
      });
      if (command !== 'compile') expect((await foreguard(command, ...words, '--strict')).code).toBe(0);
    },
  );

  it('are said by learn to get no certificate, in notes too', async () => {
    const words = ['learn', ...files, '-o', path('again.umb')];
    const message =
      'because traces were left out, the rest is not a sample of the agent: certify will refuse this model';
    expect((await foreguard(...words)).out).toContain(message);
    expect((await json(...words)).notes).toContainEqual({ source: path('again.umb'), message });
    expect((await foreguard('certify', ...model)).code).toBe(2);
  });
});

it('traces that cannot be read are in the JSON of robustness, as of other commands', async () => {
  writeFileSync(path('one.jsonl'), `${JSON.stringify({ id: 'c', steps: [{ state: 5 }] })}\n`);
  const words = ['-s', path('spec.yaml'), '-t', path('good.jsonl'), path('one.jsonl'), '--skip-invalid'];
  const { unreadable } = await json('validate', ...words);
  expect(unreadable).toMatchObject({ count: 1, first: [{ message: expect.stringContaining('is 5') }] });
  expect((await json('robustness', ...words)).unreadable).toEqual(unreadable);
});
