// The benchmark behind latency.mjs: its arguments are the `foreguard` command, the mail server, and --short.
import { deepStrictEqual } from 'node:assert';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { Abstraction, compileGuard, learn, parseSpecification } from 'foreguard';
import { mailGuard } from '../shared/mail.js';
import { addressOf } from './addressOf.js';

const GOAL_MS = 1;
const [foreguard, mail, ...flags] = process.argv.slice(2);
const rounds = flags.includes('--short') ? 100 : 2000;
const node = process.execPath;
const folder = mkdtempSync(join(tmpdir(), 'foreguard-latency-'));
const children: ChildProcess[] = [];

/** A guard that needs no tool to see the world by: the state is what calls and their results tell. */
async function historyGuard(): Promise<object> {
  const specification = parseSpecification(
    JSON.stringify({
      version: 1,
      predicates: { sent: 'lastTool == "send"' },
      rules: { rarelySends: { formula: 'G !sent', threshold: 0.5, strategy: 'block' } },
    }),
  );
  const steps = ['', ...Array<string>(50).fill('search')].map((lastTool) => ({ state: { lastTool } }));
  const traces = Array.from({ length: 20 }, (_, i) => ({ id: `${i}`, steps }));
  const { model } = await learn(new Abstraction(specification.abstraction), traces, specification.learning);
  return compileGuard(specification, model);
}

function proxyWords(guard: string, ...more: string[]): string[] {
  return [foreguard, 'mcp-proxy', '--guard', join(folder, guard), ...more];
}

async function listening(stream: 'stdout' | 'stderr', words: string[]): Promise<URL> {
  const child = spawn(node, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  return addressOf(child, stream);
}

interface Connection {
  /** Calls a tool that is always permitted. */
  readonly call: () => Promise<unknown>;
  readonly close: () => Promise<void>;
}

async function connect(transport: Transport): Promise<Connection> {
  const client = new Client({ name: 'latency', version: '1' });
  await client.connect(transport);
  return {
    call: () => client.callTool({ name: 'search', arguments: { query: 'rent' } }),
    close: () => client.close(),
  };
}

const overStdio = (...args: string[]) => connect(new StdioClientTransport({ command: node, args }));
const overHttp = (url: URL) => connect(new StreamableHTTPClientTransport(url) as Transport);

writeFileSync(join(folder, 'history.json'), JSON.stringify(await historyGuard()));
writeFileSync(join(folder, 'mail.json'), JSON.stringify((await mailGuard()).file));
const upstream = await listening('stdout', [mail, '0']);
const listen = ['--listen', '127.0.0.1:0'];
const log = ['--log', join(folder, 'audit.jsonl')];

const rows: [name: string, direct: () => Promise<Connection>, proxied: () => Promise<Connection>][] = [
  ['stdio', () => overStdio(mail), () => overStdio(...proxyWords('history.json', '--', node, mail))],
  [
    'stdio, audit log',
    () => overStdio(mail),
    () => overStdio(...proxyWords('history.json', ...log, '--', node, mail)),
  ],
  [
    'stdio, state by a tool',
    () => overStdio(mail),
    () => overStdio(...proxyWords('mail.json', '--state-tool', 'look', '--', node, mail)),
  ],
  [
    'HTTP to a command',
    () => overHttp(upstream),
    async () => overHttp(await listening('stderr', proxyWords('history.json', ...listen, '--', node, mail))),
  ],
  [
    'HTTP to HTTP',
    () => overHttp(upstream),
    async () =>
      overHttp(await listening('stderr', proxyWords('history.json', ...listen, '--upstream', upstream.href))),
  ],
];

console.log(
  '| connection | direct ms | guarded ms | added ms | guarded / direct | added, 10th to 90th percentile |',
);
console.log('| --- | --- | --- | --- | --- | --- |');
for (const [name, openDirect, openProxied] of rows) {
  const [direct, proxied] = [await openDirect(), await openProxied()];
  const times: { direct: number[]; proxied: number[] } = { direct: [], proxied: [] };
  for (let round = -rounds / 4; round < rounds; round++) {
    const results: unknown[] = [];
    for (const way of ['direct', 'proxied'] as const) {
      const { call } = way === 'direct' ? direct : proxied;
      const begin = performance.now();
      results.push(await call());
      if (round >= 0) times[way].push(performance.now() - begin);
    }
    deepStrictEqual(results[1], results[0]);
  }
  await Promise.all([direct.close(), proxied.close()]);
  console.log(row(name, times));
}
for (const child of children) child.kill();
rmSync(folder, { recursive: true, force: true });
process.exit();

function row(name: string, { direct, proxied }: { direct: number[]; proxied: number[] }): string {
  const [without, within] = [quantile(direct, 0.5), quantile(proxied, 0.5)];
  const added = proxied.map((time, i) => time - direct[i]);
  const missed = within - without > GOAL_MS ? ` (goal ${GOAL_MS})` : '';
  const spread = [0.1, 0.9].map((q) => quantile(added, q).toFixed(2)).join(' to ');
  return `| ${name} | ${without.toFixed(2)} | ${within.toFixed(2)} | ${(within - without).toFixed(2)}${missed} | ${(within / without).toFixed(1)} | ${spread} |`;
}

function quantile(times: readonly number[], q: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor(q * (times.length - 1))];
}
