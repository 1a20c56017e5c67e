import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { mailGuard } from '../shared/mail.js';
import { addressOf } from './addressOf.js';
import { buildPrograms } from './programs.mjs';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-mcp-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A file of the mail guard. */
async function guardFile(name: string, rule?: Readonly<Record<string, unknown>>): Promise<string> {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify((await mailGuard(rule)).file));
  return path;
}

let programs: { foreguard: string; server: string; guard: string };
beforeAll(async () => {
  const { foreguard, mail: server } = await buildPrograms('mcp');
  programs = { foreguard, server, guard: await guardFile('guard.json') };
});

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

/** The words that start the proxy. */
function words(...more: string[]): string[] {
  return [programs.foreguard, 'mcp-proxy', '--guard', programs.guard, '--state-tool', 'look', ...more];
}

/** Starts a program and waits for the address that it prints. */
async function listening(
  stream: 'stdout' | 'stderr',
  ...args: string[]
): Promise<{ child: ChildProcess; url: URL }> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  started.push(child);
  return { child, url: await addressOf(child, stream) };
}

async function connected(transport: Transport, capabilities = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { capabilities });
  await client.connect(transport);
  return client;
}

/** A client of the proxy over standard input and output. */
function overStdio(args: string[], capabilities = {}) {
  const transport = new StdioClientTransport({ command: process.execPath, args, stderr: 'pipe' });
  let err = '';
  transport.stderr?.on('data', (chunk) => (err += chunk));
  return { transport, errors: () => err, client: connected(transport, capabilities) };
}

const overHttp = (url: URL) => connected(new StreamableHTTPClientTransport(url) as Transport);

/** A clean agent calls, taints itself, and is held back. */
async function leaks(client: Client): Promise<void> {
  const sent = await client.callTool({ name: 'send', arguments: { to: 'ann' } });
  expect(sent.structuredContent).toEqual({ sent: true });
  await client.callTool({ name: 'fetch', arguments: { url: 'x' } });
  const leak = await client.callTool({ name: 'send', arguments: { to: 'eve' } });
  expect(leak.isError).toBe(true);
  expect(JSON.stringify(leak.content)).toContain('noLeak');
}

describe('foreguard mcp-proxy', () => {
  it('guards a command over standard input, and keeps an audit log', async () => {
    const log = join(folder, 'audit.jsonl');
    const { client, transport } = overStdio(words('--log', log, '--', process.execPath, programs.server));
    const connection = await client;
    await leaks(connection);
    expect((await connection.readResource({ uri: 'mail://7' })).contents).toHaveLength(1);
    await connection.close();
    expect(transport.pid).toBeNull();
    const lines = readFileSync(log, 'utf8').trim().split('\n');
    const kinds = lines.map((line) => JSON.parse(line).record.kind);
    expect(kinds.filter((kind) => kind === 'decision')).toHaveLength(3);
    expect(kinds.at(-1)).toBe('end');
    const verified = spawnSync(process.execPath, [programs.foreguard, 'audit', 'verify', log]);
    expect(verified.status).toBe(0);
  });

  it('enforces the policies of a specification, and starts with none that is not verified', async () => {
    const [spec, log] = [join(folder, 'policies.yaml'), join(folder, 'policies.jsonl')];
    const policies = `version: 1
inputs: { to: { type: text } }
policies:
  mail:
    tools: [send]
    permit: { home: 'domainOf(to) == "home.example"' }
    ensures: { home: 'permitted -> lowerAscii(to).endsWith("@home.example")' }
`;
    writeFileSync(spec, policies);
    const server = ['--', process.execPath, programs.server];
    const proxy = [programs.foreguard, 'mcp-proxy', '--spec', spec, '--log', log, ...server];
    const connection = await overStdio(proxy).client;
    expect((await connection.listTools()).tools.map(({ name }) => name)).toEqual(['send']);
    const call = async (name: string, args: Record<string, unknown>) => {
      const { isError, content } = await connection.callTool({ name, arguments: args });
      return isError === true ? JSON.stringify(content) : true;
    };
    expect(await call('send', { to: 'ann@home.example' })).toBe(true);
    expect(await call('send', { to: 'eve@home.example@away.example' })).toContain('Policy \\"mail\\"');
    expect(await call('fetch', { url: 'x' })).toContain('No policy decides calls of this tool');
    await connection.close();
    const run = (...args: string[]) =>
      spawnSync(process.execPath, [programs.foreguard, ...args], { encoding: 'utf8' });
    expect(run('audit', 'replay', log, '--spec', spec).stdout).toMatch(/3 decisions of 1 run, the same/);
    const guard = join(folder, 'policies.json');
    expect(run('compile', '--spec', spec, '-o', guard).status).toBe(0);
    expect(run('audit', 'replay', log, '--guard', guard).stdout).toMatch(/3 decisions of 1 run, the same/);
    writeFileSync(spec, policies.replace('    permit:', '    onDeny: { scope: turn }\n    permit:'));
    const unable = run('mcp-proxy', '--spec', spec, ...server);
    expect(unable.stderr).toContain('the Model Context Protocol shows calls one by one');
    expect(unable.status).toBe(2);
    writeFileSync(spec, policies.replace('domainOf(to) == "home.example"', 'to.contains("@home.example")'));
    const { status, stderr } = run('mcp-proxy', '--spec', spec, ...server);
    expect(stderr).toContain('refuted: policy "mail", ensures "home"');
    expect(status).toBe(2);
  });

  it('enforces the rules of a specification from the first call, without a model', async () => {
    const [spec, log] = [join(folder, 'rules.yaml'), join(folder, 'rules.jsonl')];
    writeFileSync(
      spec,
      `version: 1
predicates:
  fetches: 'action.name == "fetch"'
  abroad: 'action.name == "send" && !action.arguments.to.endsWith("@home.example")'
rules: { noneAbroadAfterFetch: { formula: 'G !(abroad & (O fetches))' } }`,
    );
    const server = ['--', process.execPath, programs.server];
    const proxy = [programs.foreguard, 'mcp-proxy', '--spec', spec, '--log', log, ...server];
    const connection = await overStdio(proxy).client;
    const call = async (name: string, args: Record<string, unknown>) =>
      (await connection.callTool({ name, arguments: args })).isError !== true;
    expect(await call('send', { to: 'eve@away.example' })).toBe(true);
    expect(await call('fetch', { url: 'x' })).toBe(true);
    expect(await call('send', { to: 'eve@away.example' })).toBe(false);
    expect(await call('send', { to: 'ann@home.example' })).toBe(true);
    await connection.close();
    const replay = (...source: string[]) =>
      spawnSync(process.execPath, [programs.foreguard, 'audit', 'replay', log, ...source], {
        encoding: 'utf8',
      });
    const replayed = replay('--spec', spec);
    expect(replayed.stdout).toMatch(/4 decisions of 1 run, the same to the last bit/);
    writeFileSync(spec, readFileSync(spec, 'utf8').replace('fetches))', 'abroad))'));
    expect(replay('--spec', spec).stderr).toMatch(/none of which began with .*rules\.yaml/);
    expect(replay().stderr).toMatch(/give --spec FILE, .*, --guard FILE, .*, or both/);
  });

  it('enforces rules beside a learnt guard, and replays both', async () => {
    const [spec, log] = [join(folder, 'beside.yaml'), join(folder, 'beside.jsonl')];
    writeFileSync(
      spec,
      `version: 1
predicates: { searches: 'action.name == "search"', sends: 'action.name == "send"' }
rules: { searchFirst: { formula: 'G (sends -> O searches)' } }`,
    );
    const judges = ['--guard', programs.guard, '--spec', spec];
    const server = ['--state-tool', 'look', '--', process.execPath, programs.server];
    const connection = await overStdio([programs.foreguard, 'mcp-proxy', ...judges, '--log', log, ...server])
      .client;
    const call = async (name: string, args: Record<string, unknown>) => {
      const { isError, content } = await connection.callTool({ name, arguments: args });
      return isError === true ? /searchFirst|noLeak/.exec(JSON.stringify(content))?.[0] : 'ran';
    };
    expect(await call('send', { to: 'ann' })).toBe('searchFirst');
    expect(await call('search', { query: 'a' })).toBe('ran');
    expect(await call('send', { to: 'ann' })).toBe('ran');
    expect(await call('fetch', { url: 'x' })).toBe('ran');
    expect(await call('send', { to: 'eve' })).toBe('noLeak');
    await connection.close();
    const replay = (...source: string[]) =>
      spawnSync(process.execPath, [programs.foreguard, 'audit', 'replay', log, ...source], {
        encoding: 'utf8',
      });
    expect(replay(...judges).stdout).toMatch(/5 decisions of 1 run, the same to the last bit/);
    expect(replay('--spec', spec).stderr).toMatch(/none of which began with/);
  });

  it('guards a server at an address over HTTP, each client for itself', async () => {
    const { url: upstream } = await listening('stdout', programs.server, '0');
    const { child, url } = await listening(
      ...(['stderr', ...words('--upstream', upstream.href, '--listen', '127.0.0.1:0')] as const),
    );
    const [one, two] = await Promise.all([overHttp(url), overHttp(url)]);
    await leaks(one);
    await leaks(two);
    await one.close();
    await two.close();
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('asks the person at a client over HTTP, while the call waits', async () => {
    const guard = await guardFile('asking.json', { strategy: 'inspect' });
    const args = words('--listen', '127.0.0.1:0/guarded', '--', process.execPath, programs.server);
    const { url } = await listening(
      'stderr',
      ...args.map((word) => (word === programs.guard ? guard : word)),
    );
    expect(url.pathname).toBe('/guarded');
    await expect(overHttp(url)).rejects.toThrow('elicitation');
    const client = await connected(new StreamableHTTPClientTransport(url) as Transport, { elicitation: {} });
    client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { approve: true } }));
    await client.callTool({ name: 'fetch', arguments: { url: 'x' } });
    const sent = await client.callTool({ name: 'send', arguments: { to: 'eve' } });
    expect(sent.structuredContent).toEqual({ sent: true });
    await client.close();
  });

  it('passes on what a server asks of its client in the course of a call, over HTTP', async () => {
    const { url } = await listening(
      'stderr',
      ...words('--listen', ':0', '--', process.execPath, programs.server),
    );
    const client = await connected(new StreamableHTTPClientTransport(url) as Transport, { elicitation: {} });
    client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { sure: true } }));
    const { content } = await client.callTool({ name: 'confirm' });
    expect(content).toEqual([{ type: 'text', text: '{"action":"accept","content":{"sure":true}}' }]);
    await client.close();
  });

  it('leaves errors, and ends, where the server crashes', async () => {
    const { client, transport, errors } = overStdio(
      words('--max-pending', '6', '--', process.execPath, programs.server),
    );
    const connection = await client;
    const waiting = connection.callTool({ name: 'wait' });
    const crashing = connection.callTool({ name: 'crash' });
    const closed = new Promise<void>((resolve) => (connection.onclose = resolve));
    for (const call of await Promise.allSettled([waiting, crashing])) {
      expect(String((call as PromiseRejectedResult).reason)).toContain('the server is gone');
    }
    await closed;
    await expect(connection.callTool({ name: 'search', arguments: { query: 'a' } })).rejects.toThrow();
    expect(transport.pid).toBeNull();
    expect(errors()).toBe('');
  });

  it('leaves errors where the server at an address crashes, over HTTP, and its clients have to begin anew', async () => {
    const { url: upstream, child } = await listening('stdout', programs.server, '0');
    const { url } = await listening(
      'stderr',
      ...words('--upstream', upstream.href, '--listen', '127.0.0.1:0'),
    );
    const client = await overHttp(url);
    await client.callTool({ name: 'search', arguments: { query: 'a' } });
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
    await expect(client.callTool({ name: 'search', arguments: { query: 'a' } })).resolves.toMatchObject({
      isError: true,
    });
    await expect(client.readResource({ uri: 'mail://7' })).rejects.toThrow();
    await client.close();
  });

  it('ends with the client, and ends a server that takes no notice', async () => {
    const stubborn = `process.on('SIGTERM', () => require('fs').writeFileSync(${JSON.stringify(join(folder, 'ended'))}, '')); setInterval(() => {}, 1000)`;
    const child = spawn(process.execPath, words('--', process.execPath, '-e', stubborn));
    started.push(child);
    child.stdin.end();
    const [code] = await once(child, 'exit');
    expect(code).toBe(0);
    expect(readFileSync(join(folder, 'ended'), 'utf8')).toBe('');
  });

  it('answers what was asked before its standard input ends, batches included', async () => {
    const child = spawn(process.execPath, words('--', process.execPath, programs.server));
    started.push(child);
    let out = '';
    child.stdout.on('data', (chunk) => (out += chunk));
    const message = (rest: object) => ({ jsonrpc: '2.0', ...rest });
    const clientInfo = { name: 'batch', version: '1' };
    const params = { protocolVersion: '2025-03-26', capabilities: {}, clientInfo };
    child.stdin.write(`${JSON.stringify(message({ id: 0, method: 'initialize', params }))}\n`);
    const batch = [
      message({ method: 'notifications/initialized' }),
      message({ id: 1, method: 'ping' }),
      message({ id: 2, method: 'tools/call', params: { name: 'search', arguments: { query: 'a' } } }),
      message({ id: 3, method: 'tools/call', params: { name: 'no such tool', arguments: {} } }),
      { id: 4, method: 'ping' },
      message({ id: 'five', method: 7 }),
      message({ id: 6, method: 'tools/call', params: ['search'] }),
    ];
    child.stdin.end(`${JSON.stringify(batch)}\n`);
    expect(await once(child, 'exit')).toEqual([0, null]);
    const answers = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(new Set(answers.map(({ id }) => id))).toEqual(new Set([0, 1, 2, 3, 4, 'five', 6]));
    for (const id of [4, 'five', 6])
      expect(answers.find((answer) => answer.id === id).error.code, `${id}`).toBe(-32600);
    const resultOf = (id: number) => answers.find((answer) => answer.id === id).result;
    expect(resultOf(2).content[0].text).toBe('3 messages about a');
    expect(resultOf(3)._meta['foreguard/verdict'].reason).toBe('unknown-tool');
  });

  it('answers lines that are no messages as JSON-RPC has it, passes nothing of them on, and goes on', async () => {
    const seen = join(folder, 'seenLines');
    writeFileSync(seen, '');
    const server = `const fs = require('node:fs'), lines = require('node:readline').createInterface({ input: process.stdin });
      lines.on('line', (line) => {
        fs.appendFileSync(${JSON.stringify(seen)}, line + '\\n');
        const { id, method, params } = JSON.parse(line);
        const result = method === 'initialize' ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } } : { tools: [] };
        if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
      });`;
    const child = spawn(
      process.execPath,
      words('--max-message', '2000', '--', process.execPath, '-e', server),
    );
    started.push(child);
    const answers: { id: unknown; error?: { code: number } }[] = [];
    createInterface({ input: child.stdout }).on('line', (line) => answers.push(JSON.parse(line)));
    const say = (line: unknown) =>
      child.stdin.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
    const call = { method: 'tools/call', params: { name: 'search', arguments: { query: 'secret' } } };
    const clientInfo = { name: 'odd', version: '1' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    say('what is this');
    say({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
    await expect.poll(() => answers.length).toBe(2);
    say({ jsonrpc: '2.0', method: 'notifications/initialized' });
    const odd: unknown[] = [
      '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"search","arg',
      { jsonrpc: '2.0', id: null, ...call },
      call,
      [{ jsonrpc: '2.0', id: 8, ...call }],
      [],
      '"tools/call"',
      { jsonrpc: '1.0', id: 9, ...call },
      `[${'0,'.repeat(2000)}0]`,
    ];
    for (const line of odd) say(line);
    say({ jsonrpc: '2.0', id: 10, method: 'ping' });
    await expect.poll(() => answers.length).toBe(3 + odd.length);
    const told = answers.map(({ id, error }) => `${id} ${error?.code ?? 'result'}`).sort();
    const expected = [
      'null -32700',
      'null -32700',
      ...Array(6).fill('null -32600'),
      '9 -32600',
      '0 result',
      '10 result',
    ];
    expect(told).toEqual(expected.sort());
    expect(readFileSync(seen, 'utf8')).not.toMatch(/secret|tools\/call/);
    child.stdin.end();
    expect((await once(child, 'exit'))[0]).toBe(0);
  });

  it('asks in a folder where the client cannot ask, and takes the answer that is given there', async () => {
    const guard = await guardFile('elsewhere.json', { strategy: 'inspect' });
    const questions = join(folder, 'questions');
    const key = join(folder, 'key');
    expect(spawnSync(process.execPath, [programs.foreguard, 'inspections', 'key', key]).status).toBe(0);
    const command = words(
      ...['--inspections', questions, '--inspections-key', key],
      ...['--', process.execPath, programs.server],
    );
    const args = command.map((word) => (word === programs.guard ? guard : word));
    // A client that could answer by itself is not asked.
    const { client } = overStdio(args, { elicitation: {} });
    const connection = await client;
    await connection.callTool({ name: 'fetch', arguments: { url: 'x' } });
    const sending = connection.callTool({ name: 'send', arguments: { to: 'eve' } });
    const inspections = (...more: string[]) =>
      spawnSync(process.execPath, [programs.foreguard, 'inspections', ...more, '--key', key, '--json'], {
        encoding: 'utf8',
      });
    let id: string | undefined;
    while (id === undefined) {
      [, id] = /"id": ?"([^"]+)"/.exec(inspections('list', questions).stdout) ?? [];
    }
    expect(inspections('refuse', questions, id, '--comment', 'ask ann first').status).toBe(0);
    expect(await sending).toMatchObject({ isError: true });
    expect(JSON.stringify((await sending).content)).toContain('ask ann first');
    await connection.close();
  });

  it('keeps the key of inspections from the server', async () => {
    const questions = join(folder, 'kept-from');
    const seen = join(folder, 'environment.json');
    const looks = `require('node:fs').writeFileSync(${JSON.stringify(seen)}, JSON.stringify(process.env))`;
    const command = words('--inspections', questions, '--', process.execPath, '-e', looks, folder);
    const environment = { ...process.env, OTHER: 'passes', FOREGUARD_INSPECTIONS_KEY: 'k'.repeat(32) };
    const run = (env: NodeJS.ProcessEnv) =>
      spawnSync(process.execPath, command, { env, encoding: 'utf8', input: '' });
    const { stderr } = run(environment);
    expect(stderr).toContain(`the server is given ${folder} as an argument`);
    const had = JSON.parse(readFileSync(seen, 'utf8'));
    expect(had.OTHER).toBe('passes');
    expect(Object.keys(had)).not.toContain('FOREGUARD_INSPECTIONS_KEY');
    const { FOREGUARD_INSPECTIONS_KEY: _, ...without } = environment;
    const refused = run(without);
    expect(refused.status).toBe(2);
    expect(refused.stderr).toContain('foreguard inspections key FILE');
  });

  it('serves so many clients over HTTP at the same time, and no more', async () => {
    const args = words(
      '--listen',
      '127.0.0.1:0',
      '--max-sessions',
      '1',
      '--',
      process.execPath,
      programs.server,
    );
    const { url } = await listening('stderr', ...args);
    const transport = new StreamableHTTPClientTransport(url);
    await connected(transport as Transport);
    await expect(overHttp(url)).rejects.toThrow('too many sessions');
    await transport.terminateSession();
    // Its server is still ending.
    let next: Client | undefined;
    while (next === undefined) next = await overHttp(url).catch(() => undefined);
    await leaks(next);
    await next.close();
  });

  it('ends as it would otherwise where nobody reads its standard error', async () => {
    const child = spawn(process.execPath, words(), { stdio: ['ignore', 'ignore', 'pipe'] });
    started.push(child);
    child.stderr.destroy();
    expect(await once(child, 'exit')).toEqual([2, null]);
  });

  it('says what is wrong with a server that cannot be run', async () => {
    const child = spawn(process.execPath, words('--', 'no-such-server'));
    started.push(child);
    let err = '';
    child.stderr.on('data', (chunk) => (err += chunk));
    expect(await once(child, 'exit')).toEqual([2, null]);
    expect(err).toContain('cannot run the server "no-such-server": there is no such command');
    const { url } = await listening('stderr', ...words('--listen', '127.0.0.1:0', '--', 'no-such-server'));
    await expect(overHttp(url)).rejects.toThrow('no such command');
  });

  it.each(['a command', 'an address'])(
    'goes on where messages are longer than they may be, before %s',
    async (place) => {
      const [spec, log] = [join(folder, 'long.yaml'), join(folder, `long ${place}.jsonl`)];
      writeFileSync(
        spec,
        `version: 1
predicates:
  dumped: 'lastTool == "dump" && lastResult != "small"'
  sends: 'action.name == "send"'
rules: { noneAfterDump: { formula: 'G !(sends & O dumped)', strategy: block } }`,
      );
      const server =
        place === 'a command'
          ? ['--', process.execPath, programs.server]
          : ['--upstream', (await listening('stdout', programs.server, '0')).url.href];
      const more = ['--spec', spec, '--log', log, '--max-message', '20000', ...server];
      const { client, errors } = overStdio([programs.foreguard, 'mcp-proxy', ...more]);
      const connection = await client;
      const call = async (name: string, args: Record<string, unknown>) =>
        JSON.stringify(await connection.callTool({ name, arguments: args }));
      expect(await call('dump', { bytes: 30_000 })).toMatch(
        /isError":true|30\d{3} bytes, more than the 20000.*carried out/,
      );
      // What nobody has read is not taken for harmless.
      expect(await call('send', { to: 'ann' })).toContain('noneAfterDump');
      await expect(call('search', { query: 'a'.repeat(30_000) })).rejects.toThrow('more than the 20000');
      expect(await call('search', { query: 'a' })).toContain('messages about a');
      await connection.close();
      const records = readFileSync(log, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).record);
      const outcomes = records.filter(({ kind }) => kind === 'outcome').map(({ outcome }) => outcome);
      expect(outcomes).toEqual(['ran', 'ran']);
      expect(errors()).not.toContain('too long');
    },
  );

  it('passes results beyond 10 MiB where it may, and lives on where it may not', async () => {
    const bytes = 12 * 2 ** 20;
    const spec = join(folder, 'free.yaml');
    writeFileSync(spec, "version: 1\npredicates: { p: 'true' }\nrules: { r: { formula: 'G p' } }");
    const dumped = async (...more: string[]) => {
      const server = ['--', process.execPath, programs.server];
      const words = [programs.foreguard, 'mcp-proxy', '--spec', spec, ...more, ...server];
      const client = await connected(
        new StdioClientTransport({ command: process.execPath, args: words, maxBufferSize: 2 ** 26 }),
      );
      const { content } = await client.callTool({ name: 'dump', arguments: { bytes } });
      const after = await client.callTool({ name: 'search', arguments: { query: 'a' } });
      await client.close();
      return [(content as { text: string }[])[0].text, JSON.stringify(after)];
    };
    const [withheld, after] = await dumped();
    expect(withheld).toMatch(/^the answer has 125\d{5} bytes, more than the 10485760/);
    expect(after).toContain('messages about a');
    expect((await dumped('--max-message', '20000000'))[0]).toHaveLength(bytes);
  });

  it('refuses over HTTP what comes from elsewhere, is too long, or has no session', async () => {
    const args = words(
      '--listen',
      '127.0.0.1:0',
      '--max-message',
      '1000',
      '--',
      process.execPath,
      programs.server,
    );
    const { url } = await listening('stderr', ...args);
    const post = (headers: Record<string, string>, body = '{}', path = url.pathname) =>
      fetch(new URL(path, url), {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
        body,
      }).then(({ status }) => status);
    expect(await post({ origin: 'https://evil.example' })).toBe(403);
    expect(await post({ origin: 'null' })).toBe(403);
    expect(await post({ origin: 'http://localhost:3000' })).toBe(400);
    expect(await post({ 'mcp-session-id': 'guessed' })).toBe(404);
    expect(await post({}, '{}', '/elsewhere')).toBe(404);
    expect(await post({}, `{"a": "${'a'.repeat(2000)}"}`)).toBe(413);
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'search', arguments: {} } };
    expect(await post({}, JSON.stringify(call))).toBe(400);
  });
});
