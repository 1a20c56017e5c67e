import '../../../bindings/kernel/inline.js';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, it } from 'vitest';
import { clerkSpans } from '../../clerkSpans.js';
import { foreguard } from './command.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-spans-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = (name: string): string => join(folder, name);

const page = readFileSync(new URL('../../../docs/opentelemetry.md', import.meta.url), 'utf8');
const block = (language: string): string => page.split(`\`\`\`${language}\n`)[1].split('```')[0];
writeFileSync(path('refunds.yaml'), block('yaml'));
writeFileSync(path('spans.jsonl'), clerkSpans(400));

it('the commands of docs/opentelemetry.md go from spans to a guard', async () => {
  const commands = block('sh').trim().split('\n');
  expect(commands).toHaveLength(3);
  const printed: string[] = [];
  for (const command of commands) {
    const [, ...words] = command.split(/ +/).map((word) => (/\.\w+$/.test(word) ? path(word) : word));
    const { out, err, code } = await foreguard(...words);
    expect({ err, code }).toEqual({ err: '', code: 0 });
    printed.push(out);
  }
  expect(printed[0]).toMatch(/no +\d+ +\d+ +0 +0\n/);
  expect(printed[1]).toContain('3 actions (look_up, refund, tell_customer)');
  expect(JSON.parse(readFileSync(path('guard.json'), 'utf8')).predicates).toMatchObject([
    { name: 'no' },
    { name: 'paid' },
  ]);
});

const validated = async (...words: string[]) => {
  const { out } = await foreguard('validate', '-s', path('refunds.yaml'), '--json', ...words);
  return JSON.parse(out);
};

it('takes only runs of the agents that are named, or a run for each conversation', async () => {
  writeFileSync(path('spans.jsonl.gz'), gzipSync(readFileSync(path('spans.jsonl'))));
  const traces = ['-t', path('spans.jsonl.gz'), '--trace-format', 'otel'];
  expect(await validated(...traces)).toMatchObject({ traces: 400 });
  expect(await validated(...traces, '--agents', 'trainee', 'nobody')).toMatchObject({ traces: 40 });
  expect(await validated(...traces, '--conversations')).toMatchObject({ traces: 200 });
});

it('counts tools that were never called where they are named', async () => {
  writeFileSync(
    path('never.yaml'),
    "version: 1\npredicates: { closed: 'calls.close_account > 0' }\nrules: { open: { formula: 'G !closed', threshold: 0.1 } }\n",
  );
  const words = ['validate', '-s', path('never.yaml'), '-t', path('spans.jsonl')];
  expect(await foreguard(...words)).toMatchObject({ code: 2, out: expect.stringContaining('close_account') });
  expect(await foreguard(...words, '--tools', 'close_account')).toMatchObject({ code: 0 });
});
