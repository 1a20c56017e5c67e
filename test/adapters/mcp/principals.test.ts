import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect, it } from 'vitest';
import { connected, proxiedMail } from './proxied.js';

const { folder, spec, foreguard, words, listening } = await proxiedMail(
  'principals',
  `version: 1
predicates: { sends: 'action.name == "send"', isAdmin: '"admin" in principal.roles' }
rules:
  adminsOnly: { formula: 'G (sends -> isAdmin)', strategy: block }
  atMostTwo: { formula: 'G !(sends & Y (O (sends & Y (O sends))))', strategy: block }`,
);

const sends = async (client: Client): Promise<boolean> =>
  (
    await client.callTool({
      name: 'send',
      arguments: { to: 'ann', principal: { id: 'x', roles: ['admin'] } },
    })
  ).isError !== true;

it('over stdio, an option says who is asking', async () => {
  const file = join(folder, 'ada.json');
  writeFileSync(file, '{"id": "ada", "roles": ["admin"], "email": "ada@home.example"}');
  const log = join(folder, 'stdio.jsonl');
  const over = async (...more: string[]) => {
    const client = await connected(
      new StdioClientTransport({ command: process.execPath, args: words('--log', log, ...more) }),
    );
    const ran = await sends(client);
    await client.close();
    return ran;
  };
  expect(await over('--principal', file, '--redact', 'principal.email')).toBe(true);
  expect(await over('--principal', '{"id": "eve", "roles": ["guest"]}')).toBe(false);
  expect(await over()).toBe(false);
  const text = readFileSync(log, 'utf8');
  expect(text).toContain('"roles":["admin"]');
  expect(text).not.toContain('ada@home.example');
  const replay = spawnSync(process.execPath, [foreguard, 'audit', 'replay', log, '--spec', spec], {
    encoding: 'utf8',
  });
  expect(replay.stdout).toMatch(/3 decisions of 3 runs, the same to the last bit/);
  const refused = spawnSync(process.execPath, words('--principal', '{"roles": ["admin"]}'), {
    encoding: 'utf8',
  });
  expect([refused.status, refused.stderr]).toEqual([
    2,
    expect.stringContaining('--principal.id is undefined'),
  ]);
});

it('over HTTP, a header says it where the proxy was told so, and nobody is taken for an empty principal', async () => {
  const { over, url } = await listening('--principal-header', 'X-Principal');
  const said = (principal: unknown) => ({ 'X-Principal': JSON.stringify(principal) });
  const ada = await over(said({ id: 'ada', roles: ['admin'] }));
  expect(await sends(ada)).toBe(true);
  expect(await sends(await over(said({ id: 'eve', roles: [] })))).toBe(false);
  expect(await sends(await over(said({ id: 'eve' })))).toBe(false);
  for (const headers of [
    {},
    { 'X-Principal': '' },
    { 'X-Principal': 'ada' },
    said({ roles: ['admin'] }),
    said([]),
  ])
    await expect(over(headers as Record<string, string>)).rejects.toThrow(/x-principal/i);
  const { sessionId } = ada.transport as StreamableHTTPClientTransport;
  const post = (headers: Record<string, string>) =>
    fetch(url, {
      method: 'POST',
      headers: {
        ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        ...{ 'mcp-session-id': String(sessionId) },
        ...headers,
      },
      body: '{}',
    }).then(({ status }) => status);
  expect(await post(said({ id: 'eve', roles: ['admin'] }))).toBe(403);
  expect(await post({})).toBe(400);

  const untold = await listening();
  expect(await sends(await untold.over(said({ id: 'ada', roles: ['admin'] })))).toBe(false);
});

it('a run that several clients share is of one principal, also after a restart', async () => {
  const log = join(folder, 'shared.jsonl');
  const options = ['--run', 'header:X-Agent', '--principal-header', 'X-Principal', '--log', log];
  const as = (id: string) => ({ 'X-Agent': 'one', 'X-Principal': `{"id":"${id}","roles":["admin"]}` });
  const { over, child } = await listening(...options);
  expect([await sends(await over(as('ada'))), await sends(await over(as('ada')))]).toEqual([true, true]);
  expect(await sends(await over(as('bob')))).toBe(true);
  expect(await sends(await over(as('ada')))).toBe(false);
  child.kill('SIGTERM');
  await once(child, 'exit');
  const again = await listening(...options);
  expect(await sends(await again.over(as('ada')))).toBe(false);
  expect(await sends(await again.over(as('bob')))).toBe(true);
  expect(await sends(await again.over(as('bob')))).toBe(false);
});
