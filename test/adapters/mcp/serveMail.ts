// The mail server as a program: over standard input, or with a port as its argument over HTTP, whose address it prints.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { mailServer } from './mailServer.js';

const [port] = process.argv.slice(2);

if (port === undefined) await mailServer().connect(new StdioServerTransport());
else {
  const transports = new Map<string, StreamableHTTPServerTransport>();
  const http = createServer(async (request, response) => {
    const id = String(request.headers['mcp-session-id'] ?? '');
    let transport = transports.get(id);
    if (transport === undefined && id !== '') return response.writeHead(404).end();
    if (transport === undefined) {
      const created = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (session) => void transports.set(session, created),
      });
      transport = created;
      await mailServer().connect(created as Parameters<ReturnType<typeof mailServer>['connect']>[0]);
    }
    return transport.handleRequest(request, response);
  });
  http.listen(Number(port), '127.0.0.1', () => {
    console.log(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`);
  });
}
