import '../../../bindings/solvers/kernel/inline.js';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runPageCommands } from '../../clerkPage.js';
import { foreguard } from './command.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-spans-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = (name: string): string => join(folder, name);

let printed: string[];
beforeAll(async () => {
  printed = await runPageCommands(folder);
});

it('the commands of docs/opentelemetry.md go from spans to a guard', () => {
  const [validated, learnt, ...others] = printed;
  expect(others).toHaveLength(1);
  expect(validated).toMatch(/no +\d+ +\d+ +0 +0 +0\n/);
  expect(learnt).toContain('3 actions (look_up, refund, tell_customer)');
  const names = JSON.parse(readFileSync(path('guard.json'), 'utf8')).predicates.map(
    ({ name }: { name: string }) => name,
  );
  expect(names).toEqual(['yes', 'no', 'paid', 'told']);
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
