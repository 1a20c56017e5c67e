import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { foreguard } from './command.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-synthesize-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = (name: string) => join(folder, name);
const written = (name: string, text: string) => {
  writeFileSync(path(name), text);
  return path(name);
};

const HEAD = `version: 1
# What a refund may be.
inputs: { cents: { integer: [-100000, 100000] } }
policies:
  refund:
    tools: [refund]
    request: 'Up to 200 dollars the agent refunds by itself.'
`;
const DRAFT = `${HEAD}    ensures:
      most: 'permitted -> cents <= 20000 && cents > 0'
      small: 'cents > 0 && cents <= 20000 -> permitted'
`;

it('writes what is verified, and it verifies', async () => {
  const draft = written('draft.yaml', DRAFT);
  const output = path('refund.yaml');
  const made = await foreguard('policy', 'synthesize', draft, '--model', 'inductive', '-o', output);
  expect([made.code, made.err.split('\n').length]).toEqual([0, expect.any(Number)]);
  expect(made.out).toMatch(/^refund: verified, \d+ obligations \(\d+ answers?, \d+ policies tried\)\nwrote /);
  expect(readFileSync(output, 'utf8')).toContain('# What a refund may be.');
  expect((await foreguard('policy', 'verify', output)).code).toBe(0);
  const again = await foreguard('policy', 'synthesize', output, '--model', 'inductive');
  expect([again.code, again.err]).toEqual([2, expect.stringContaining('has no policy without permit')]);
});

it('asks what a request means, keeps what a model said, and gives it again', async () => {
  const answers = ['cents <= 20000', 'cents > 0 && cents <= 20000'].map((permit) =>
    JSON.stringify({
      ensures: { limit: `permitted -> ${permit}`, all: `${permit} -> permitted` },
      permit: { small: permit },
    }),
  );
  const server = createServer((_, response) => {
    response.end(
      JSON.stringify({ choices: [...answers, 'prose'].map((content) => ({ message: { content } })) }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1#small`;
  const draft = written('request.yaml', HEAD);
  const replies = written('replies.txt', 'deny\nyes\n');
  const record = path('said.jsonl');
  const asked = ['policy', 'synthesize', draft, '--answers', replies, '-o', path('asked.yaml')];
  const made = await foreguard(...asked, '--model', url, '--record', record);
  await new Promise((resolve) => server.close(resolve));
  expect([made.code, made.out + made.err]).toEqual([
    0,
    expect.stringMatching(
      /refund: \{"cents":-?\d+\}: permit, deny or either\? \(readings: 1 permit it, 1 deny it\)/,
    ),
  ]);
  expect(made.err).toContain('refund, reading 3: the answer is not a JSON object');
  expect(made.err).toContain('limit: permitted -> cents > 0 && cents <= 20000');
  expect((await foreguard('policy', 'verify', path('asked.yaml'))).code).toBe(0);
  const again = await foreguard(...asked, '--model', `recorded:${record}`);
  expect(again.code).toBe(0);

  writeFileSync(replies, 'deny\nno\n');
  const refused = await foreguard(...asked, '--model', `recorded:${record}`);
  expect([refused.code, refused.err]).toEqual([
    2,
    expect.stringContaining('its properties are not what is meant'),
  ]);
  writeFileSync(replies, 'perhaps\n');
  expect((await foreguard(...asked, '--model', `recorded:${record}`)).err).toContain(
    'expected permit, deny, either',
  );
});

it('says what is wrong with its options, and writes nothing that is not verified', async () => {
  const draft = written('draft.yaml', DRAFT);
  expect((await foreguard('policy', 'synthesize', draft, '--model', 'gpt')).err).toContain(
    'expected URL#NAME such as http://127.0.0.1:11434/v1#qwen3, recorded:FILE or inductive',
  );
  const failed = await foreguard(
    'policy',
    'synthesize',
    written('both.yaml', `${DRAFT}      never: '!permitted'\n`),
    '--model',
    'inductive',
    '-o',
    path('no.yaml'),
  );
  expect([failed.code, failed.out]).toEqual([1, expect.stringContaining('no policy has all properties')]);
  expect(() => readFileSync(path('no.yaml'))).toThrow();
});
