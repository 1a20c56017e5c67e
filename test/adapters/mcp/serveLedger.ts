// A ledger as a program over standard input: each call is a line of the file that its argument names.
import { appendFileSync } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

const [ledger] = process.argv.slice(2);

function booked(line: string, given: unknown) {
  appendFileSync(ledger, `${line}\n`);
  return { content: [{ type: 'text' as const, text: JSON.stringify(given) }] };
}

const amounts = { inputSchema: { amount: z.number() } };
const server = new McpServer({ name: 'ledger', version: '1' });
server.registerTool('list', {}, () => booked('list', [1, 2]));
server.registerTool('book', amounts, ({ amount }) => booked(`book ${amount}`, { amount }));
server.registerTool('note', amounts, ({ amount }) => booked(`note ${amount}`, { amount }));
await server.connect(new StdioServerTransport());
