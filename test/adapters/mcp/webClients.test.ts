import { request } from 'node:http';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { guardMcp, type McpEnd } from 'foreguard/mcp';
import { expect, it, onTestFinished, vi } from 'vitest';
import { type WebClientsOptions, webClients } from '../../../bindings/face/cli/mcp/webClients.js';
import { mailServer } from './mailServer.js';
import { permissive } from './permissive.js';

/** Listens, with a mail server of its own behind each client. */
async function listening(changed: Partial<WebClientsOptions> = {}) {
  const ends: McpEnd[] = [];
  const clients = await webClients({
    ...{ host: '127.0.0.1', port: 0, path: '/mcp', maxMessageBytes: 10_000, maxSessions: 8, idleMs: 60_000 },
    allowedOrigins: ['https://good.example'],
    onNote: () => undefined,
    connect: async (client) => {
      const [near, far] = InMemoryTransport.createLinkedPair();
      await mailServer().connect(far);
      const proxy = await guardMcp(client, near, { session: permissive });
      void proxy.closed.then((end) => ends.push(end));
      return proxy;
    },
    ...changed,
  });
  onTestFinished(() => clients.close());
  return { clients, ends };
}

/** `streams` resolves once the client listens for what its server says by itself. */
async function connected(url: string, headers: Record<string, string> = {}) {
  let streaming = (): void => undefined;
  const streams = new Promise<void>((resolve) => {
    streaming = resolve;
  });
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers },
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      if (init?.method === 'GET') streaming();
      return response;
    },
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport as Transport);
  return { client, transport, streams };
}

it('a client that is not heard of for long is gone, and one that is connected stays', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { clients, ends } = await listening({ idleMs: 5000 });
  const [one, two] = [await connected(clients.url), await connected(clients.url)];
  // Its stream for what servers say by themselves is what keeps it.
  await Promise.all([one.streams, two.streams]);
  vi.advanceTimersByTime(60_000);
  expect(ends).toEqual([]);
  await one.client.close();
  const ended = () => {
    vi.advanceTimersByTime(5001);
    return ends;
  };
  await expect.poll(ended).toEqual(['closed']);
  expect((await two.client.callTool({ name: 'forget' })).content).toHaveLength(1);
});

it('a session that its client ends is over, and its id is forgotten', async () => {
  const { clients, ends } = await listening();
  const { client, transport } = await connected(clients.url);
  const { sessionId } = transport;
  await transport.terminateSession();
  await expect.poll(() => ends).toEqual(['client gone']);
  const response = await fetch(clients.url, {
    method: 'POST',
    headers: { 'mcp-session-id': sessionId as string },
    body: '{}',
  });
  expect(response.status).toBe(404);
  await client.close();
});

it('pages that are allowed may connect', async () => {
  const { clients } = await listening();
  const { client } = await connected(clients.url, { origin: 'https://good.example' });
  await client.ping();
  await expect(connected(clients.url, { origin: 'https://good.example.evil' })).rejects.toThrow(
    'may not connect',
  );
});

it('an address that is in use is refused in words', async () => {
  const { clients } = await listening();
  const port = Number(new URL(clients.url).port);
  await expect(listening({ port })).rejects.toThrow(`cannot listen on 127.0.0.1:${port}`);
});

it('as many clients connect at the same time as there may be, and each counts once, also while its server starts', async () => {
  let starting = 0;
  let start = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    start = resolve;
  });
  const { clients } = await listening({
    maxSessions: 10,
    connect: async (client) => {
      starting++;
      await gate;
      const [near, far] = InMemoryTransport.createLinkedPair();
      await mailServer().connect(far);
      return guardMcp(client, near, { session: permissive });
    },
  });
  const refused: unknown[] = [];
  const all: Promise<unknown>[] = [];
  for (let i = 0; i < 14; i++) {
    all.push(
      connected(clients.url).then(
        ({ client }) => client.ping(),
        (error) => void refused.push(error),
      ),
    );
    await expect.poll(() => starting + refused.length).toBe(i + 1);
  }
  start();
  await Promise.all(all);
  expect([starting, refused.length]).toEqual([10, 4]);
  for (const error of refused) expect(String(error)).toContain('too many sessions');
});

it('a request under an id that is under way is refused, and the first is answered', async () => {
  const { clients } = await listening();
  const transport = new StreamableHTTPClientTransport(new URL(clients.url));
  const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: {} } });
  await client.connect(transport as Transport);
  const post = (message: object) =>
    fetch(clients.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-session-id': transport.sessionId as string,
      },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    });
  const call = (name: string) => post({ id: 'same', method: 'tools/call', params: { name, arguments: {} } });
  const first = await call('confirm');
  const second = await call('forget');
  expect(second.status).toBe(400);
  expect(await second.json()).toMatchObject({ id: 'same', error: { code: -32600 } });
  let said = '';
  for await (const chunk of first.body ?? []) {
    said += new TextDecoder().decode(chunk);
    const [, question] = /^data: (.*elicitation.*)\n\n/m.exec(said) ?? [];
    if (question === undefined || said.includes('"same"')) continue;
    await post({ id: JSON.parse(question).id, result: { action: 'accept', content: { sure: true } } });
  }
  expect(said).toContain('"id":"same"');
  // Its id is free again.
  expect(await (await call('forget')).text()).toContain('"id":"same"');
  await client.close();
});

it('what is no message is answered as JSON-RPC has it, and reaches no server', async () => {
  const received: string[] = [];
  const { clients } = await listening({
    connect: async (client) => {
      const [near, far] = InMemoryTransport.createLinkedPair();
      await mailServer().connect(far);
      const deliver = far.onmessage;
      far.onmessage = (message, extra) => {
        received.push(JSON.stringify(message));
        deliver?.(message, extra);
      };
      return guardMcp(client, near, { session: permissive });
    },
  });
  const call = { method: 'tools/call', params: { name: 'forget', arguments: {} } };
  const odd: [body: string, code: number, id: unknown][] = [
    ['no JSON', -32700, null],
    ['', -32700, null],
    [JSON.stringify({ jsonrpc: '2.0', id: null, ...call }), -32600, null],
    [JSON.stringify({ jsonrpc: '1.0', id: 5, ...call }), -32600, 5],
    ['7', -32600, null],
    ['null', -32600, null],
    ['[]', -32600, null],
    ['[7]', -32600, null],
  ];
  const post = async (body: string, session?: string) => {
    const response = await fetch(clients.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(session !== undefined && { 'mcp-session-id': session }),
      },
      body,
    });
    return [response.status, await response.json()] as const;
  };
  const { client, transport } = await connected(clients.url);
  received.length = 0;
  for (const session of [undefined, transport.sessionId]) {
    for (const [body, code, id] of odd)
      expect([body, ...(await post(body, session))]).toMatchObject([body, 400, { id, error: { code } }]);
  }
  // The version that the SDK's client agrees on has no batches.
  const batch = JSON.stringify([{ jsonrpc: '2.0', id: 6, ...call }]);
  expect(await post(batch, transport.sessionId)).toMatchObject([400, { id: null, error: { code: -32600 } }]);
  expect(received.filter((text) => text.includes('tools/call'))).toEqual([]);
  expect((await client.callTool({ name: 'forget' })).content).toHaveLength(1);
  await client.close();
});

it('a request that says twice whose run it is reaches nothing', async () => {
  const seen: unknown[] = [];
  const { clients } = await listening({
    headers: ['x-agent', 'authorization'].map((name) => ({ name, says: 'whose run this is' })),
    connect: async (_client, _session, headers) => {
      seen.push(headers);
      throw new Error('no server');
    },
  });
  const initialize = {
    ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
  };
  const post = (headers: Record<string, string | string[]>): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const sent = request(clients.url, { method: 'POST' }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.once('error', reject);
      const own = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
      for (const [name, value] of Object.entries({ ...own, ...headers })) sent.setHeader(name, value);
      sent.end(JSON.stringify(initialize));
    });
  expect(await post({ 'x-agent': ['mine', 'real'], authorization: 'b' })).toBe(400);
  expect(await post({ 'x-agent': 'a', authorization: ['mine', 'real'] })).toBe(400);
  expect(seen).toEqual([]);
  await post({ 'x-agent': 'a', authorization: 'b' });
  expect(seen).toEqual([{ 'x-agent': 'a', authorization: 'b' }]);
});
