import type { McpTransport } from './mcp/message.js';
import { McpProxy, type McpProxyOptions } from './mcp/proxy.js';
import { loadSchemaCompiler } from './mcp/sdk.js';

export type { McpError, McpMessage, McpTransport, RequestId } from './mcp/message.js';
export type { McpEnd, McpProxy, McpProxyOptions, McpSession, McpWorld } from './mcp/proxy.js';
export type { CompileSchema, Validator } from './mcp/toolCatalogue.js';

/**
 * Puts a guard between a client and a server of the Model Context Protocol. All messages pass unchanged, except tool calls, on which the session decides. A
 * permitted call is forwarded; a withheld call gives the client an ordinary error result whose text states the reason; a replaced call is sent to the server as
 * its replacement. The person at the client answers questions (`elicitation/create`). After any failure, the client receives an error and the server nothing.
 *
 * @param client the transport to the client, not yet started: on this side the proxy is the server
 * @param server the transport to the server, not yet started: on this side the proxy is the client
 * @throws NotSupportedError if the protocol's SDK is absent and no `compileSchema` is given; any error of a transport that cannot be started
 * @see https://modelcontextprotocol.io/specification
 */
export async function guardMcp(
  client: McpTransport,
  server: McpTransport,
  options: McpProxyOptions,
): Promise<McpProxy> {
  const compileSchema = options.compileSchema ?? (await loadSchemaCompiler());
  const proxy = new McpProxy(client, server, { ...options, compileSchema });
  await proxy.start();
  return proxy;
}
