import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addressOf } from './addressOf.js';
import { buildPrograms } from './programs.mjs';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-several-'));
let programs: { foreguard: string; server: string };
const started: ChildProcess[] = [];
beforeAll(async () => {
  const { foreguard, mail: server } = await buildPrograms('severalServers');
  programs = { foreguard, server };
});
afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

function file(name: string, content: string | object): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

/** A client of the proxy before two mail servers: `work` is a command, `home` at an address. */
async function begun(name: string, spec: string) {
  const http = spawn(process.execPath, [programs.server, '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  started.push(http);
  const { href: url } = await addressOf(http, 'stdout');
  const work = { command: process.execPath, args: [programs.server] };
  const servers = file(`${name}.json`, { mcpServers: { work, home: { url } } });
  const log = join(folder, `${name}.jsonl`);
  const args = [
    programs.foreguard,
    'mcp-proxy',
    '--spec',
    file(`${name}.yaml`, spec),
    '--servers',
    servers,
    '--log',
    log,
  ];
  const transport = new StdioClientTransport({ command: process.execPath, args, stderr: 'pipe' });
  let errors = '';
  transport.stderr?.on('data', (chunk) => (errors += chunk));
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const { isError, content } = await client.callTool({ name, arguments: args });
    return isError === true ? JSON.stringify(content) : 'ran';
  };
  return { client, call, log, args, http, errors: () => errors };
}

const acrossServers = `version: 1
predicates:
  reads: 'action.name == "home__fetch"'
  sends: 'action.name == "work__send"'
rules: { noneAtWorkAfterHome: { formula: 'G !(sends & O reads)', strategy: block } }`;

it('several servers stand behind one proxy under one specification, with rules across them', async () => {
  const { client, call, log } = await begun('across', acrossServers);
  const names = (await client.listTools()).tools.map(({ name }) => name);
  expect(names).toContain('work__send');
  expect(names).toContain('home__fetch');
  expect(await call('work__send', { to: 'ann' })).toBe('ran');
  expect(await call('work__fetch', { url: 'x' })).toBe('ran');
  expect(await call('work__send', { to: 'ann' })).toBe('ran');
  expect(await call('home__fetch', { url: 'x' })).toBe('ran');
  expect(await call('work__send', { to: 'ann' })).toContain('noneAtWorkAfterHome');
  expect(await call('home__send', { to: 'ann' })).toBe('ran');
  expect((await client.readResource({ uri: 'mail://7' })).contents).toHaveLength(1);
  await client.close();
  const replay = ['audit', 'replay', log, '--spec', join(folder, 'across.yaml')];
  const { stdout } = spawnSync(process.execPath, [programs.foreguard, ...replay], { encoding: 'utf8' });
  expect(stdout).toMatch(/6 decisions of 1 run, the same to the last bit/);
});

it('tools of which no call will be permitted are left out of lists, as soon as that is certain', async () => {
  const { client, call } = await begun(
    'closed',
    `version: 1
predicates:
  crashes: 'action.name.endsWith("__crash")'
  sends: 'action.name == "work__send"'
rules:
  noCrash: { formula: 'G !crashes', strategy: block }
  sendOnce: { formula: 'G !(sends & Y (O sends))', strategy: block }`,
  );
  const names = async () => (await client.listTools()).tools.map(({ name }) => name);
  const changed = new Promise<void>((resolve) =>
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve()),
  );
  const before = await names();
  expect(before).toContain('work__send');
  expect(before.filter((name) => name.endsWith('__crash'))).toEqual([]);
  expect(await call('work__send', { to: 'ann' })).toBe('ran');
  await changed;
  expect(await names()).toEqual(before.filter((name) => name !== 'work__send'));
  expect(await call('work__send', { to: 'ann' })).toContain('sendOnce');
  await client.close();
});

it('a server that dies takes only its own tools with it, and the run goes on', async () => {
  const { client, call, log, errors } = await begun('dies', acrossServers);
  const changed = new Promise<void>((resolve) =>
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve()),
  );
  expect(await call('work__send', { to: 'ann' })).toBe('ran');
  await expect(call('work__crash')).rejects.toThrow('the server "work" is gone');
  await changed;
  const names = (await client.listTools()).tools.map(({ name }) => name);
  expect(names.filter((name) => name.startsWith('work'))).toEqual([]);
  expect(await call('work__send', { to: 'ann' })).toContain('does not list it any more');
  expect(await call('home__fetch', { url: 'x' })).toBe('ran');
  expect(await call('work__send', { to: 'ann' })).not.toBe('ran');
  await client.close();
  expect(errors()).toContain('the server "work" is gone with its tools');
  const records = readFileSync(log, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).record);
  const decided = records.filter(({ kind }) => kind === 'decision');
  expect(decided.map(({ decision }) => decision)).toEqual(['allow', 'allow', 'block', 'allow', 'block']);
  expect(records.filter(({ kind }) => kind === 'outcome').map(({ outcome }) => outcome)).toEqual([
    'ran',
    'failed',
    'ran',
  ]);
});
