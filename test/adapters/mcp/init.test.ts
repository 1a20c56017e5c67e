import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buildPrograms } from './programs.mjs';

// Within this folder, so that a module in it finds the AI SDK.
const here = fileURLToPath(new URL('..', import.meta.url));
mkdirSync(join(here, 'out'), { recursive: true });
const folder = mkdtempSync(join(here, 'out', 'init-'));
const files = mkdtempSync(join(tmpdir(), 'foreguard-files-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  rmSync(files, { recursive: true, force: true });
});

let programs: { foreguard: string; mail: string };
beforeAll(async () => {
  programs = await buildPrograms('init');
});

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

const filesystem = fileURLToPath(
  new URL('../node_modules/@modelcontextprotocol/server-filesystem/dist/index.js', import.meta.url),
);
const serve = [process.execPath, filesystem, files];

function foreguard(...words: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [programs.foreguard, ...words], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

/** A client of the proxy over standard input and output, and what the proxy notes. */
async function connected(...words: string[]) {
  const args = [programs.foreguard, 'mcp-proxy', ...words];
  const transport = new StdioClientTransport({ command: process.execPath, args, stderr: 'pipe' });
  let notes = '';
  transport.stderr?.on('data', (chunk) => (notes += chunk));
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  return { client, notes: () => notes };
}

async function textOf(client: Client, name: string, args: Record<string, unknown>): Promise<string> {
  const { content } = await client.callTool({ name, arguments: args });
  return (content as { text: string }[])[0].text;
}

describe('foreguard init', () => {
  it('drafts from a public server a specification under which harmless calls run, and others do not', async () => {
    const spec = join(folder, 'files.yaml');
    const { status, stdout } = foreguard('init', '--output', spec, '--', ...serve);
    expect([status, stdout]).toEqual([0, expect.stringContaining('14 tools (10 read, 4 write); 3 rules')]);
    expect(readFileSync(spec, 'utf8')).toContain(JSON.stringify(files));
    expect(foreguard('test', '--spec', spec).status).toBe(0);
    const { client } = await connected('--spec', spec, '--', ...serve);
    expect(await textOf(client, 'write_file', { path: join(files, 'a.txt'), content: 'Hello' })).toMatch(
      /^Success/,
    );
    expect(await textOf(client, 'read_text_file', { path: join(files, 'a.txt') })).toBe('Hello');
    expect(await textOf(client, 'read_text_file', { path: join(files, '.env') })).toContain('noSecretFiles');
    writeFileSync(join(files, '.env'), 'KEY=1');
    for (const path of ['.env/', '.env/.', './.env/./', '.env//', '.env/x/..', 'x/../.ENV/'].map(
      (end) => `${files}/${end}`,
    )) {
      expect(await textOf(client, 'read_text_file', { path }), path).toContain('noSecretFiles');
      expect(
        await textOf(client, 'move_file', { source: path, destination: join(files, 'b.txt') }),
        path,
      ).toContain('noSecretFiles');
    }
    expect(
      await textOf(client, 'read_multiple_files', { paths: [join(files, 'a.txt'), join(files, 'id_rsa')] }),
    ).toContain('noSecretFiles');
    await client.close();
  });

  it('says of a command that is no server what was expected', () => {
    const output = ['--output', join(folder, 'none.yaml')];
    const nothing = foreguard('init', ...output, '--', process.execPath, '-e', '0');
    expect([nothing.status, nothing.stderr]).toEqual([
      2,
      expect.stringMatching(/does not list its tools: .*expected a server of the Model Context Protocol/),
    ]);
    const absent = foreguard('init', ...output, '--', 'no-such-command');
    expect([absent.status, absent.stderr]).toEqual([2, expect.stringContaining('there is no such command')]);
  });

  it('drafts from the tools of the AI SDK', () => {
    const [module, spec] = [join(folder, 'tools.mjs'), join(folder, 'tools.yaml')];
    const head = `import { jsonSchema, tool } from 'ai6'; import { z } from 'zod';\n`;
    writeFileSync(
      module,
      `${head}export const tools = {
  search: tool({ description: 'Find pages', inputSchema: z.object({ q: z.string(), limit: z.int().max(9).optional() }) }),
  refund: tool({ inputSchema: jsonSchema({ type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] }) }) };\n`,
    );
    // The tests have the AI SDK under other names.
    mkdirSync(join(folder, 'node_modules/ai'), { recursive: true });
    writeFileSync(
      join(folder, 'node_modules/ai/package.json'),
      '{ "name": "ai", "type": "module", "exports": "./index.js" }',
    );
    writeFileSync(join(folder, 'node_modules/ai/index.js'), "export * from 'ai6';\n");
    const { status, stderr } = foreguard('init', '--ai-sdk', module, '--output', spec);
    expect([status, stderr]).toEqual([0, '']);
    const draft = readFileSync(spec, 'utf8');
    expect(draft).toContain('search: { arguments: { q: text, limit: integer? } }');
    expect(draft).toContain('refund: { arguments: { amount: number } }');
    expect(draft).toContain('nothingPaid');
  });
});

describe('foreguard mcp-proxy', () => {
  const rules = (tool: string): string =>
    `version: 1\npredicates: { p: 'action.name == "${tool}"' }\nrules: { no_${tool}: { formula: 'G !p' } }\n`;

  it('names the tools of rules that the server does not list, when a client connects', async () => {
    const spec = join(folder, 'misspelt.yaml');
    writeFileSync(spec, rules('wirte_file'));
    const { client, notes } = await connected('--spec', spec, '--', ...serve);
    await expect
      .poll(notes)
      .toContain('names the tool "wirte_file", which the server does not list; did you mean "write_file"?');
    await client.close();
  });

  it('gives each run the specification as it stands, with its hash in the log', async () => {
    const [spec, log] = [join(folder, 'hot.yaml'), join(folder, 'hot.jsonl')];
    writeFileSync(spec, rules('write_file'));
    const listen = ['--listen', '127.0.0.1:0/mcp', '--spec', spec, '--log', log];
    const child = spawn(process.execPath, [programs.foreguard, 'mcp-proxy', ...listen, '--', ...serve], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    started.push(child);
    let notes = '';
    child.stderr.on('data', (chunk) => (notes += chunk));
    // The server writes there, too, so that it must stay open.
    await expect.poll(() => notes).toMatch(/listening on http/);
    const url = new URL(/http:\/\/\S+/.exec(notes)?.[0] ?? '');
    const run = async () => {
      const client = new Client({ name: 'test', version: '1' });
      await client.connect(new StreamableHTTPClientTransport(url) as Transport);
      return client;
    };
    const write = (client: Client) =>
      textOf(client, 'write_file', { path: join(files, 'b.txt'), content: 'x' });
    const first = await run();
    expect(await write(first)).toContain('no_write_file');
    writeFileSync(spec, rules('move_file'));
    // A run keeps the rules that it began with.
    expect(await write(first)).toContain('no_write_file');
    const second = await run();
    expect(await write(second)).toMatch(/^Success/);
    writeFileSync(spec, 'version: 2\n');
    const third = await run();
    expect(
      await textOf(third, 'move_file', { source: join(files, 'b.txt'), destination: join(files, 'c.txt') }),
    ).toContain('no_move_file');
    expect(notes).toMatch(/hot\.yaml has changed: from this run on/);
    expect(notes).toMatch(
      /hot\.yaml has changed and is refused, so runs still follow it as it was: .*version must be 1/,
    );
    for (const client of [first, second, third]) await client.close();
    const begun = readFileSync(log, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).record)
      .filter(({ kind }) => kind === 'begin');
    expect(new Set(begun.map(({ guard }) => guard.specification)).size).toBe(2);
    expect(begun).toHaveLength(3);
  });
});
