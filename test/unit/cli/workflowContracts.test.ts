import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { foreguard } from './command.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-workflow-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

const tool = {
  name: 'pay',
  description: 'Pays.',
  inputSchema: { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] },
};
const tools = file('tools.json', JSON.stringify({ tools: [tool] }));
const contracts = file(
  'pay.yaml',
  `version: 1\ntools: { from: tools.json, pay: { arguments: { amount: {} }, requires: 'amount <= 100' } }\n`,
);
const runOf = (id: string, amount: number) =>
  JSON.stringify({ id, steps: [{ state: {}, action: { name: 'pay', arguments: { amount } } }] });

describe('workflow contracts', () => {
  it('checks contracts, with the list of tools beside the file', async () => {
    const { code, out } = await foreguard('workflow', 'contracts', '--contracts', contracts);
    expect(out).toMatch(
      /pay\.yaml: 1 tool, of which 0 pinned; 0 flows, 0 rules of order; hash [0-9a-f]{16}\n$/,
    );
    expect(code).toBe(0);
  });

  it('says how often recorded calls break them, with a bound', async () => {
    const traces = file(
      'runs.jsonl',
      [...Array.from({ length: 9 }, (_, i) => runOf(`ok${i}`, i)), runOf('much', 500)].join('\n'),
    );
    const { code, out } = await foreguard('workflow', 'contracts', '-c', contracts, '-t', traces);
    expect(code).toBe(1);
    expect(out).toMatch(/pay +requires +1 +10 +44\.5\n/);
    expect(out).toMatch(/pay +arguments +0 +10 +30\.8\n/);
    expect(out).toContain(
      'pay: requires broken first in much, step 0: it does not hold; the call has {"amount":500}',
    );
    const json = JSON.parse(
      (await foreguard('workflow', 'contracts', '-c', contracts, '-t', traces, '--json')).out,
    );
    expect(json.trial.counts[1]).toMatchObject({
      tool: 'pay',
      kind: 'requires',
      broken: 1,
      calls: 10,
      first: { trace: 'much' },
    });
    expect(json.trial.counts[1].confidenceUpper).toBeCloseTo(0.445, 3);
    const good = file('good.jsonl', runOf('a', 1));
    expect((await foreguard('workflow', 'contracts', '-c', contracts, '-t', good)).code).toBe(0);
  });

  it('drafts contracts that it reads again', async () => {
    const output = join(folder, 'draft.yaml');
    const drafted = await foreguard('workflow', 'contracts', '--draft', tools, '-o', output);
    expect(drafted).toMatchObject({
      code: 0,
      out: `${output}: drafted contracts of 1 tool; nothing is trusted yet, and comments say what to fill in\n`,
    });
    expect((await foreguard('workflow', 'contracts', '-c', output)).out).toContain(
      '1 tool, of which 1 pinned',
    );
    expect((await foreguard('workflow', 'contracts', '--draft', tools, '-o', output)).err).toContain(
      'exists; give another --output, or --force',
    );
    expect((await foreguard('workflow', 'contracts', '--draft', tools)).out).toContain('pin: sha256:');
  });

  it('refuses what it cannot read, with the place', async () => {
    const wrong = file('wrong.yaml', 'version: 1\ntools: { pay: { writes: [ledger] } }\n');
    const { code, err } = await foreguard('workflow', 'contracts', '-c', wrong);
    expect(code).toBe(2);
    expect(err).toContain(
      'wrong.yaml:2:26: tool "pay": writes: found the store "ledger", which stores does not list',
    );
    for (const [words, message] of [
      [[], 'which contracts?'],
      [['--draft'], '--draft takes either a file with a list of tools, or a server'],
      [['--draft', tools, '-c', contracts], '--draft writes contracts'],
      [['-c', contracts, '-o', 'x'], '--output is for --draft'],
      [['--draft', file('no.json', '{')], 'is not JSON'],
      [['-c', join(folder, 'none.yaml')], 'none.yaml'],
    ] as const) {
      const refused = await foreguard('workflow', 'contracts', ...words);
      expect(refused.code).toBe(2);
      expect(refused.err).toContain(message);
    }
  });
});
