import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  LoggingMessageNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { guardMcp, type McpTransport } from 'foreguard/mcp';
import { describe, expect, it } from 'vitest';
import { mailServer } from './mailServer.js';
import { permissive } from './permissive.js';

/** What both ends receive while a client does something of everything. */
async function transcript(guarded: boolean): Promise<{ client: unknown[]; server: unknown[] }> {
  const [near, far, received] = [...InMemoryTransport.createLinkedPair(), { client: [], server: [] }] as [
    InMemoryTransport,
    InMemoryTransport,
    { client: unknown[]; server: unknown[] },
  ];
  let toServer = far;
  if (guarded) {
    const [proxySide, serverSide] = InMemoryTransport.createLinkedPair();
    await guardMcp(far, proxySide, { session: permissive });
    toServer = serverSide;
  }
  const mail = mailServer();
  await mail.connect(toServer);
  const client = new Client(
    { name: 'test', version: '1' },
    { capabilities: { sampling: {}, elicitation: {}, roots: { listChanged: true } } },
  );
  client.setRequestHandler(CreateMessageRequestSchema, () => ({
    ...{ model: 'none', role: 'assistant' as const, content: { type: 'text' as const, text: 'wait' } },
  }));
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { sure: true } }));
  client.setNotificationHandler(LoggingMessageNotificationSchema, () => undefined);
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => undefined);
  listen(toServer, received.server);
  const connecting = client.connect(near);
  listen(near, received.client);
  await connecting;

  await client.listTools();
  await client.callTool({ name: 'search', arguments: { query: 'rain' }, _meta: { trace: 'a' } });
  await client.callTool({ name: 'send', arguments: { to: 'ann' } });
  await client.callTool({ name: 'fail' });
  await client.callTool({ name: 'think' });
  await client.callTool({ name: 'confirm' });
  await client.setLoggingLevel('debug');
  await client.callTool({ name: 'say', arguments: { what: 'hello' } });
  await client.listResourceTemplates();
  await client.readResource({ uri: 'mail://7' });
  await client.readResource({ uri: 'none://7' }).catch(() => undefined);
  await client.getPrompt({ name: 'answer', arguments: { to: 'ann' } });
  await client.ping();
  await client.sendRootsListChanged();
  await client
    .request({ method: 'odd/method', params: { deep: [{ a: null }] } } as never, {} as never)
    .catch(() => undefined);
  const stop = new AbortController();
  const onprogress = () => stop.abort('enough');
  await client
    .callTool({ name: 'wait' }, undefined, { signal: stop.signal, onprogress })
    .catch(() => undefined);
  mail.registerTool('new', {}, () => ({ content: [] }));
  await client.callTool({ name: 'new' });
  await client.close();
  return received;
}

function listen(transport: Transport, received: unknown[]): void {
  const { onmessage } = transport;
  transport.onmessage = (message, extra) => {
    received.push(JSON.parse(JSON.stringify(message)));
    onmessage?.(message, extra);
  };
}

type Real =
  | StdioClientTransport
  | StdioServerTransport
  | StreamableHTTPClientTransport
  | StreamableHTTPServerTransport
  | WebStandardStreamableHTTPServerTransport
  | Transport;
/** Fails to compile where a transport of the SDK is none of the proxy's. */
const accepts: [Real] extends [McpTransport] ? true : false = true;

describe('through the proxy', () => {
  it('all transports of the SDK can be guarded', () => expect(accepts).toBe(true));

  it('client and server receive what they receive without it, beside its own lists of tools', async () => {
    const direct = await transcript(false);
    const guarded = await transcript(true);
    expect(direct.server.length).toBeGreaterThan(20);
    expect(guarded.client).toEqual(direct.client);
    const own = guarded.server.filter((message) =>
      String((message as { id?: unknown }).id).startsWith('foreguard-'),
    );
    expect(own.map((message) => (message as { method: string }).method)).toEqual([
      'tools/list',
      'tools/list',
    ]);
    expect(guarded.server.filter((message) => !own.includes(message))).toEqual(direct.server);
  });
});
