import { errorResponse, type McpMessage, type McpTransport } from './message.js';
import { Peer } from './peer.js';
import { toolPages } from './toolCatalogue.js';
import type { ToolDefinition } from './toolPins.js';

const VERSION = '2025-11-25';
/** A package may be downloaded first. */
const START_MS = 120_000;
const METHOD_NOT_FOUND = -32601;

/** What a server says of itself. */
export interface ListedTools {
  readonly serverInfo: unknown;
  readonly tools: readonly (ToolDefinition & { readonly name: string })[];
}

/**
 * Lists the tools of a server as a client of its own, who can do nothing for it, and disconnects.
 *
 * @param server not yet started
 * @throws McpRequestError if the server does not answer; any error of a transport that cannot be started
 */
export async function listTools(
  server: McpTransport,
  clientInfo: { readonly name: string; readonly version: string },
): Promise<ListedTools> {
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
    return { serverInfo, tools: await toolPages(peer) };
  } finally {
    await server.close();
  }
}

function answer(server: McpTransport, { id, method }: McpMessage): void {
  if (id === undefined || method === undefined) return;
  const response: McpMessage =
    method === 'ping'
      ? { jsonrpc: '2.0', id, result: {} }
      : errorResponse(id, METHOD_NOT_FOUND, `${method} is not done by this client, which only lists tools`);
  server.send(response).catch(() => undefined);
}
