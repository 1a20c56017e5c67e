import type { McpTransport } from './message.js';
import { Peer } from './peer.js';
import { toolPages } from './toolCatalogue.js';
import type { ToolDefinition } from './toolPins.js';

const VERSION = '2025-11-25';
const TIMEOUT_MS = 60_000;

/**
 * Lists the tools of a server as a client of its own, and disconnects.
 *
 * @param server not yet started
 * @throws McpRequestError if the server does not answer; any error of a transport that cannot be started
 */
export async function listTools(
  server: McpTransport,
  clientInfo: { readonly name: string; readonly version: string },
): Promise<(ToolDefinition & { readonly name: string })[]> {
  const peer = new Peer(server);
  server.onmessage = (message) => void peer.takes(message);
  server.onclose = () => peer.lost();
  await server.start();
  try {
    const params = { protocolVersion: VERSION, capabilities: {}, clientInfo };
    const { protocolVersion } = await peer.request('initialize', params, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    server.setProtocolVersion?.(String(protocolVersion));
    await peer.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return await toolPages(peer);
  } finally {
    await server.close();
  }
}
