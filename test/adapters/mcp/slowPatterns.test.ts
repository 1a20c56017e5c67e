import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { createSession } from 'foreguard/enforce';
import { guardMcp } from 'foreguard/mcp';
import { expect, it } from 'vitest';
import { mailGuard } from '../shared/mail.js';

/** A client in front of the guard, in front of a server whose tool takes texts of this form. */
async function begun(pattern: string) {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const [proxySide, serverSide] = InMemoryTransport.createLinkedPair();
  const ran: unknown[] = [];
  const server = new Server({ name: 'forms', version: '1' }, { capabilities: { tools: {} } });
  const inputSchema = { type: 'object' as const, properties: { to: { type: 'string', pattern } } };
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [{ name: 'send', inputSchema }] }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    ran.push(params.arguments);
    return { content: [{ type: 'text', text: 'sent' }] };
  });
  const guard = await mailGuard();
  await guardMcp(far, proxySide, {
    session: (world) =>
      createSession({ guard, ...world, state: () => ({ tainted: false, leaked: false }), onFault: 'block' }),
  });
  await server.connect(serverSide);
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(near);
  const send = async (to: string) =>
    JSON.stringify(await client.callTool({ name: 'send', arguments: { to } }));
  return { send, ran };
}

it('a pattern of a server that takes for ever with a text of the agent blocks that call alone', async () => {
  const { send, ran } = await begun('^(a+)+$');
  expect(await send(`${'a'.repeat(60)}!`)).toContain('took more than 1000 ms');
  expect(await send('b')).toContain('must match pattern');
  expect(await send('aaa')).toContain('sent');
  expect(ran).toEqual([{ to: 'aaa' }]);
});
