import '../../../bindings/kernel/inline.js';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { foreguard } from './command.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-held-'));
const path = (name: string): string => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const said = '1,800 of 2,000 steps were held, not recorded';
const resampled = { steps: 2000, held: 1800, missing: 1800, leftOut: 0 };
const specification = (policy: string, model = 'dtmc') => `version: 1
samplingPeriod: 0.1s
resample: ${policy}
predicates: { hot: 'hot' }
rules: { cool: { formula: 'G (hot -> F[0s,2s] !hot)', threshold: 0.9 } }
learning: { smoothing: 0, model: ${model} }
`;
const files = ['-s', path('hold.yaml'), '-t', path('slow.jsonl')];
const model = ['-s', path('hold.yaml'), '-m', path('hold.umb')];

beforeAll(async () => {
  // Ten drives of 20 steps, recorded once a second, the last 1.9 s after the one before it: 18 * 9 + 18 steps are held in each.
  const lines = Array.from({ length: 10 }, (_, run) => {
    const steps = Array.from({ length: 20 }, (_, i) => ({
      time: i === 19 ? 19.9 : i,
      state: { hot: (i * 7 + run) % 5 === 0 },
      action: { name: i % 2 === 0 ? 'wait' : 'cool' },
    }));
    return JSON.stringify({ id: `run${run}`, steps });
  });
  writeFileSync(path('slow.jsonl'), `${lines.join('\n')}\n`);
  writeFileSync(path('hold.yaml'), specification('hold'));
  writeFileSync(path('skip.yaml'), specification('skip'));
  writeFileSync(path('mdp.yaml'), specification('hold', 'mdp'));
  writeFileSync(path('error.yaml'), specification('error'));
  expect(await foreguard('learn', ...files, '-o', path('hold.umb'))).toMatchObject({ code: 0 });
});

describe('figures that rest on steps that were held', () => {
  it.each([
    ['validate', files],
    ['learn', [...files, '-o', path('again.umb')]],
    ['robustness', files],
    ['risk', model],
    ['risk', [...model, '--joint', 'cool']],
    ['compile', [...model, '-o', path('guard.json')]],
    ['replay', [...model, '-t', path('slow.jsonl')]],
  ])('say so, and how many: %s', async (command, words) => {
    const { out, err, code } = await foreguard(command, ...words);
    expect({ err, code }).toEqual({ err: '', code: 0 });
    expect(out).toContain(said);
    const document = JSON.parse((await foreguard(command, ...words, '--json')).out);
    expect(document.resampled).toEqual(resampled);
    if (command === 'replay') {
      expect(document.learntFrom).toEqual(resampled);
      expect(out).toContain(`learnt from resampled traces: ${said}`);
    }
    if (command === 'robustness') expect(document.traces[0]).toMatchObject({ steps: 200, held: 180 });
  });

  it.each([
    ['a model', model],
    ['traces', files],
    ['traces, of a decision process', ['-s', path('mdp.yaml'), '-t', path('slow.jsonl')]],
  ])('are refused a certificate: certify, from %s', async (_, words) => {
    const { err, code } = await foreguard('certify', ...words);
    expect(code).toBe(2);
    expect(err).toContain(`${said}: a step that is held repeats the one before it for certain`);
    expect(err).toContain('learn with resample: skip');
  });

  it('are said by learn to get no certificate, and say nothing where all was recorded in time', async () => {
    const held = await foreguard('learn', ...files, '-o', path('again.umb'));
    expect(held.out).toContain('certify will refuse this model');
    writeFileSync(path('fast.yaml'), specification('hold').replaceAll('0.1s', '1s'));
    writeFileSync(
      path('fast.jsonl'),
      `${JSON.stringify({ id: 'a', steps: [0, 1, 2].map((time) => ({ time, state: { hot: time === 1 } })) })}\n`,
    );
    for (const command of ['validate', 'robustness']) {
      const { out } = await foreguard(command, '-s', path('fast.yaml'), '-t', path('fast.jsonl'));
      expect(out).not.toContain('were held');
    }
  });

  it('are certified under skip, for what they are: steps of the recording, which may be further apart', async () => {
    const words = ['certify', '-s', path('skip.yaml'), '-t', path('slow.jsonl')];
    const { out, code } = await foreguard(...words);
    expect(code).toBe(0);
    expect(out).toContain(
      '1,800 missing steps were not counted: a step may stand for more than a sampling period',
    );
    const document = JSON.parse((await foreguard(...words, '--json')).out);
    expect(document.resampled).toEqual({ ...resampled, steps: 200, held: 0 });
  });
});

it('the error that suggests to resample says how steps are spaced, in validate for all traces', async () => {
  const slow = ['-s', path('error.yaml'), '-t', path('slow.jsonl')];
  const spaced =
    'steps are 1 to 1.9 s apart, 1 s in the median, and 0% of 190 gaps within 10% of the sampling period of 0.1 s: samplingPeriod does not look like theirs';
  const validated = await foreguard('validate', ...slow);
  expect(validated.code).toBe(2);
  expect(validated.out).toContain(spaced);
  const { spacing } = JSON.parse((await foreguard('validate', ...slow, '--json')).out);
  expect(spacing).toEqual({
    gaps: 190,
    leastSeconds: 1,
    medianSeconds: 1,
    greatestSeconds: 1.9,
    withinTolerance: 0,
  });
  const learnt = await foreguard('learn', ...slow, '-o', path('never.umb'));
  expect(learnt.err).toMatch(/run0.*19 gaps.*hold would make 180 of 200 steps by repeating the one before/);
});
