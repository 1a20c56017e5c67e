import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { McpMessage } from 'foreguard/mcp';
import { expect, it, onTestFinished } from 'vitest';
import { webServer } from '../../../bindings/face/cli/mcp/webServer.js';

/** A transport to a server that answers each POST as it is told, with what comes of it. */
async function connected(answer: (response: ServerResponse, request: IncomingMessage) => void) {
  const http = createServer((request, response) => {
    if (request.method === 'POST') return answer(response, request);
    return response.writeHead(405).end();
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const [unanswered, received, closed]: [unknown[], McpMessage[], string[]] = [[], [], []];
  const transport = await webServer(new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`), {
    headers: { 'x-key': 'secret' },
    maxMessageBytes: 1000,
    resumeMs: 10,
    onUnanswered: (id) => unanswered.push(id),
  });
  transport.onmessage = (message) => received.push(message);
  transport.onclose = () => closed.push('closed');
  await transport.start();
  onTestFinished(async () => {
    await transport.close();
    http.closeAllConnections();
    http.close();
  });
  return { transport, unanswered, received, closed };
}

const request: McpMessage = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'search' } };
const stream = { 'content-type': 'text/event-stream', 'mcp-session-id': 's' };

it('a request whose connection breaks counts as unanswered', async () => {
  const { transport, unanswered, received } = await connected((response) => {
    response.writeHead(200, stream).write(': working\n\n');
    setTimeout(() => response.destroy(), 10);
  });
  await transport.send(request);
  await expect.poll(() => unanswered).toEqual([1]);
  expect(received).toEqual([]);
});

it.each(['text/event-stream', 'application/json'])(
  'an answer that is too long is answered by an error, as %s',
  async (type) => {
    const { transport, received } = await connected((response) => {
      const result = { content: [{ type: 'text', text: 'a'.repeat(2000) }] };
      const text = JSON.stringify(
        { result, jsonrpc: '2.0', id: 1 },
        null,
        type === 'application/json' ? 2 : 0,
      );
      response.writeHead(200, { ...stream, 'content-type': type });
      response.end(type === 'application/json' ? text : `data: ${text}\n\n`);
    });
    await transport.send(request);
    await expect.poll(() => received).toHaveLength(1);
    expect(received[0]).toMatchObject({ id: 1, error: { data: { 'foreguard/bytes': expect.any(Number) } } });
  },
);

it('headers go with every request, and a session that the server forgot is over', async () => {
  const keys: unknown[] = [];
  const { transport, closed } = await connected((response, { headers }) => {
    keys.push(headers['x-key']);
    if (headers['mcp-session-id'] !== undefined) return response.writeHead(404).end();
    return response.writeHead(200, stream).end('data: {"jsonrpc":"2.0","id":1,"result":{}}\n\n');
  });
  await transport.send(request);
  expect(closed).toEqual([]);
  await expect(transport.send({ ...request, id: 2 })).rejects.toThrow();
  await expect.poll(() => closed).toEqual(['closed']);
  expect(keys).toEqual(['secret', 'secret']);
});
