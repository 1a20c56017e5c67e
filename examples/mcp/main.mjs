// A guard between a client and a server of the Model Context Protocol, here in one process; `foreguard mcp-proxy` is the same between programs.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { createSession } from 'foreguard/enforce';
import { guardMcp } from 'foreguard/mcp';
import { z } from 'zod';
import { mailbox, mailGuard } from '../mail/mail.mjs';

const { tools, state } = mailbox();
const server = new McpServer({ name: 'mail', version: '1.0.0' });
for (const [name, argument] of Object.entries({ fetch: 'url', send: 'to' })) {
  const run = async (args) => ({ content: [{ type: 'text', text: await tools[name](args) }] });
  server.registerTool(name, { inputSchema: { [argument]: z.string() } }, run);
}

const guard = await mailGuard({ strategy: 'inspect' });
const [clientEnd, proxyFront] = InMemoryTransport.createLinkedPair();
const [proxyBack, serverEnd] = InMemoryTransport.createLinkedPair();
const proxy = await guardMcp(proxyFront, proxyBack, {
  session: (world) => createSession({ guard, ...world, state }),
  needsElicitation: true,
});
await server.connect(serverEnd);

// The person at the client is asked, and says no.
const client = new Client({ name: 'agent', version: '1.0.0' }, { capabilities: { elicitation: {} } });
client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
  console.log(`asked: ${params.message}`);
  return { action: 'accept', content: { approve: false, comment: 'Not to a stranger.' } };
});
await client.connect(clientEnd);
const calls = { fetch: { url: 'https://example.org/offer' }, send: { to: 'mallory@example.org' } };
for (const [name, args] of Object.entries(calls))
  console.log(`${name}: ${(await client.callTool({ name, arguments: args })).content[0].text}`);
await client.close();
await proxy.closed;
