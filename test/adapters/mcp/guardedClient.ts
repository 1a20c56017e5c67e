import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { CallToolResult, ClientCapabilities } from '@modelcontextprotocol/sdk/types.js';
import { createSession, type Session, type SessionOptions } from 'foreguard/enforce';
import { guardMcp, type McpProxyOptions } from 'foreguard/mcp';
import { mailbox, mailGuard } from '../shared/mail.js';
import { mailServer } from './mailServer.js';

interface Setup {
  /** What the rule says beside its formula; see `mailGuard`. */
  readonly rule?: Readonly<Record<string, unknown>>;
  readonly session?: Partial<SessionOptions>;
  readonly proxy?: Partial<McpProxyOptions>;
  readonly capabilities?: ClientCapabilities;
}

/** A client in front of the guard, in front of the mail server, whose world the guard sees by its tool `look`. */
export async function guardedClient({ rule, session: changed, proxy: more, capabilities }: Setup = {}) {
  const mail = mailbox();
  const guard = await mailGuard(rule);
  const [near, far] = InMemoryTransport.createLinkedPair();
  const [proxySide, serverSide] = InMemoryTransport.createLinkedPair();
  const sessions: Session[] = [];
  const notes: string[] = [];
  const proxy = await guardMcp(far, proxySide, {
    stateTool: 'look',
    session: (world) => {
      const session = createSession({ guard, maxPending: 6, ...world, ...changed });
      sessions.push(session);
      return session;
    },
    onNote: (text) => notes.push(text),
    ...more,
  });
  const server = mailServer(mail);
  await server.connect(serverSide);
  const client = new Client({ name: 'test', version: '1' }, { capabilities: capabilities ?? {} });
  await client.connect(near);
  const call = async (name: string, args: Record<string, unknown> = {}) =>
    (await client.callTool({ name, arguments: args })) as CallToolResult;
  return { mail, client, server, call, proxy, notes, session: () => sessions[0] };
}

/** What the agent reads of a result. */
export function textOf({ content }: CallToolResult): string {
  return content.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('\n');
}
