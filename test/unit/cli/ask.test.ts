import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { foreguard } from './command.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-ask-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const spec = file(
  'lamp.yaml',
  'version: 1\npredicates: { on: lit, hot: warm }\nrules: { cool: { formula: G !(on & hot), threshold: 0.9, strategy: block } }\n',
);
const step = (lit: boolean, warm: boolean) => ({ state: { lit, warm } });
const traces = file(
  'runs.jsonl',
  ['7', '8']
    .map((id) =>
      JSON.stringify({
        id,
        complete: true,
        steps: [step(false, false), step(true, false), step(true, true)],
      }),
    )
    .join('\n'),
);

describe('foreguard ask', () => {
  const at = ['ask', '--spec', spec, '--traces', traces];

  it('names the runs and steps that there are where one is missing', async () => {
    const none = await foreguard(...at, 'what do I owe?');
    expect([none.code, none.err]).toEqual([2, expect.stringContaining('2 traces: 7, 8; name one with --id')]);
    const unknown = await foreguard(...at, '--id', '9', 'what do I owe?');
    expect([unknown.code, unknown.err]).toEqual([2, expect.stringContaining('there is no trace "9"')]);
    const late = await foreguard(...at, '--id', '7', '--at', '3', 'what do I owe?');
    expect([late.code, late.err]).toEqual([2, expect.stringContaining('3 steps: expected 0 to 2')]);
    expect((await foreguard(...at, '--id', '7', '--at', 'x', 'what do I owe?')).code).toBe(2);
  });

  it('exits with 1 where a question was not understood, and gives answers as data', async () => {
    const { out, code } = await foreguard(
      ...at,
      '--id',
      '7',
      '--at',
      '1',
      '--json',
      'what do I owe?',
      'is it cold?',
    );
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      trace: '7',
      step: 1,
      answers: [{ kind: 'owed' }, { kind: 'refused', question: 'is it cold?' }],
    });
  });

  it('adds what a guard would decide, and how probable it is by a model', async () => {
    const model = join(folder, 'lamp.umb');
    const guard = join(folder, 'lamp.json');
    expect((await foreguard('learn', '--spec', spec, '--traces', traces, '-o', model)).code).toBe(0);
    expect((await foreguard('compile', '--spec', spec, '--model', model, '-o', guard)).code).toBe(0);
    const place = [...at, '--id', '7', '--at', '1', '--guard', guard, '--model', model, '--json'];
    const { out, code, err } = await foreguard(...place, 'will `F hot`', 'will `G !hot`');
    expect(code, err).toBe(0);
    const [hot, never] = JSON.parse(out).answers;
    expect(hot.answer).toBe('open');
    for (const { lower, upper } of [hot.probability, never.probability])
      expect(upper - lower).toBeLessThan(1e-4);
    expect(hot.probability.lower + never.probability.lower).toBeCloseTo(1, 4);
    expect(hot.probability.lower).toBeGreaterThan(0.5);
    const asked = await foreguard('explain', '--guard', guard, '--traces', traces, '--id', '8', '--at', '2');
    expect(asked.out).toContain('rule "cool": violated at step 2');
  });
});

describe('foreguard explain', () => {
  it('explains one step, and refuses what it cannot find', async () => {
    const { out } = await foreguard(
      'explain',
      '--spec',
      spec,
      '--traces',
      traces,
      '--id',
      '7',
      '--at',
      '1',
      '--json',
    );
    expect(JSON.parse(out)).toMatchObject({
      trace: '7',
      step: 1,
      rules: [{ name: 'cool', explanation: { verdict: 'open' } }],
    });
    const other = await foreguard(
      'explain',
      '--spec',
      spec,
      '--traces',
      traces,
      '--id',
      '7',
      '--rule',
      'col',
    );
    expect([other.code, other.err]).toEqual([2, expect.stringContaining('did you mean "cool"?')]);
    const both = await foreguard('explain', '--traces', traces);
    expect([both.code, both.err]).toEqual([2, expect.stringContaining('give either --guard FILE')]);
  });
});
