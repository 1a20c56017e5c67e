import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { run } from '../../../bindings/cli/run.js';
import { mcapFile } from '../trace/mcapFiles.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-mcap-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = (name: string) => join(folder, name);

async function foreguard(...words: string[]) {
  const written = { out: '', err: '' };
  const code = await run(words, {
    out: (text) => {
      written.out += text;
    },
    err: (text) => {
      written.err += text;
    },
    interactive: false,
  });
  return { code, ...written };
}

it('learns from an MCAP file, a step every sampling period, with the topics that are chosen', async () => {
  writeFileSync(
    path('spec.yaml'),
    `version: 1
samplingPeriod: 100ms
predicates: { red: 'light.colour == "red"', moving: 'speed > 0.5' }
rules: { stopAtRed: { formula: 'G (red -> F[0s,1s] !moving)', threshold: 0.5 } }
`,
  );
  writeFileSync(
    path('drive.mcap'),
    await mcapFile([
      ['/light', 0, { colour: 'red' }],
      ...Array.from({ length: 20 }, (_, i) => ['/ego', i / 20, { speed: 1 - i / 20 }] as const),
    ]),
  );
  const learn = ['learn', '-s', path('spec.yaml'), '-t', path('drive.mcap'), '-o', path('model.umb')];
  const learnt = await foreguard(
    ...learn,
    '--trace-format',
    'mcap',
    '--topics',
    '/ego',
    '/light=light',
    '--json',
  );
  expect(learnt.err).toBe('');
  expect(JSON.parse(learnt.out)).toMatchObject({
    traces: 1,
    steps: 10,
    states: { seen: 2 },
    notes: [{ message: expect.stringContaining('the oldest in a step is 0.900 s old (/light)') }],
  });
  const blind = await foreguard(...learn);
  expect(blind).toMatchObject({
    code: 2,
    err: expect.stringContaining('no topics are given; its topics are /light (json), /ego (json)'),
  });
});
