import type { ToolOutcome } from '../../enforcement/index.js';
import { errorResponse, type McpMessage, type McpTransport } from './message.js';
import { McpRequestError, Peer } from './peer.js';
import { toolPages } from './toolCatalogue.js';
import type { ToolDefinition } from './toolPins.js';
import { outcomeOf } from './toolResult.js';

const VERSION = '2025-11-25';
/** A package may be downloaded first. */
const START_MS = 120_000;
const METHOD_NOT_FOUND = -32601;

/** What a server says of itself. */
export interface ListedTools {
  readonly serverInfo: unknown;
  readonly tools: readonly (ToolDefinition & { readonly name: string })[];
}

/** A server that this program is the client of. */
export interface ConnectedTools extends ListedTools {
  /** Calls a tool. @returns what it gave, or why it failed; rejects with McpRequestError if the server does not answer, or `signal` aborts */
  call(name: string, args: Readonly<Record<string, unknown>>, signal?: AbortSignal): Promise<ToolOutcome>;
  close(): Promise<void>;
}

interface ClientInfo {
  readonly name: string;
  readonly version: string;
}

/**
 * Lists the tools of a server as a client of its own, who can do nothing for it, and disconnects.
 *
 * @param server not yet started
 * @throws McpRequestError if the server does not answer; any error of a transport that cannot be started
 */
export async function listTools(server: McpTransport, clientInfo: ClientInfo): Promise<ListedTools> {
  const { serverInfo, tools, close } = await connectTools(server, clientInfo);
  await close();
  return { serverInfo, tools };
}

/** The same, and stays connected, to call them. */
export async function connectTools(server: McpTransport, clientInfo: ClientInfo): Promise<ConnectedTools> {
  const peer = new Peer(server);
  server.onmessage = (message) => {
    if (!peer.takes(message)) answer(server, message);
  };
  server.onclose = () => peer.lost();
  await server.start();
  try {
    const params = { protocolVersion: VERSION, capabilities: {}, clientInfo };
    const { protocolVersion, serverInfo } = await peer.request('initialize', params, {
      signal: AbortSignal.timeout(START_MS),
    });
    server.setProtocolVersion?.(String(protocolVersion));
    await peer.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return {
      serverInfo,
      tools: await toolPages(peer),
      close: () => server.close(),
      async call(name, args, signal) {
        try {
          const result = await peer.request('tools/call', { name, arguments: args }, signal && { signal });
          return outcomeOf({ jsonrpc: '2.0', result });
        } catch (error) {
          if (!(error instanceof McpRequestError) || error.answer === undefined) throw error;
          return outcomeOf({ jsonrpc: '2.0', error: error.answer });
        }
      },
    };
  } catch (error) {
    await server.close();
    throw error;
  }
}

function answer(server: McpTransport, { id, method }: McpMessage): void {
  if (id === undefined || method === undefined) return;
  const response: McpMessage =
    method === 'ping'
      ? { jsonrpc: '2.0', id, result: {} }
      : errorResponse(
          id,
          METHOD_NOT_FOUND,
          `${method} is not done by this client, which only lists and calls tools`,
        );
  server.send(response).catch(() => undefined);
}
