import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { expect, it } from 'vitest';
import { textOf } from './guardedClient.js';
import { connected, proxiedMail } from './proxied.js';

const { words } = await proxiedMail(
  'asks',
  `
version: 1
predicates: { sends: 'action.name == "send"', fetches: 'action.name == "fetch"' }
rules: { noLeak: { formula: 'G (sends -> !O fetches)', strategy: block } }
`,
);

it.each([[[]], [['--run', 'session']]])(
  'mcp-proxy --ask answers the agent, with %j',
  async (more: string[]) => {
    const client = await connected(
      new StdioClientTransport({
        command: process.execPath,
        args: words('--ask', ...more),
        stderr: 'ignore',
      }),
    );
    const call = async (name: string, args: Record<string, unknown>) =>
      textOf((await client.callTool({ name, arguments: args })) as CallToolResult);
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toContain('foreguard_may');
    const may = { tool: 'send', arguments: { to: 'ann' } };
    expect(await call('foreguard_may', may)).toContain('Yes');
    await call('fetch', { url: 'u' });
    expect(await call('foreguard_may', may)).toContain('No: rule "noLeak"');
    await client.close();
  },
);
