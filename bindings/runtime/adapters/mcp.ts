import type { McpTransport } from './mcp/message.js';
import { McpProxy, type McpProxyOptions } from './mcp/proxy.js';
import { loadSchemaCompiler } from './mcp/sdk.js';

export type { McpError, McpMessage, McpTransport, RequestId } from './mcp/message.js';
export type { McpEnd, McpProxy, McpProxyOptions, McpSession, McpWorld } from './mcp/proxy.js';
export type { CompileSchema, Validator } from './mcp/toolCatalogue.js';

/**
 * Puts a guard between a client and a server of the Model Context Protocol. Every message passes as it is, but calls of tools, which the
 * session decides on: one that is permitted is forwarded; for one that is not, the client gets an ordinary result, an error whose text says why; where a
 * call is replaced, the replacement is called; and where a person is to be asked, it is the one at the client (`elicitation/create`).
 * Where anything fails, the client gets an error and the server nothing.
 *
 * @param client the transport to the client, not yet started: on this side the proxy is the server
 * @param server the transport to the server, not yet started: on this side the proxy is the client
 * @throws NotSupportedError if the protocol's SDK is absent and no `compileSchema` is given; whatever a transport throws that cannot be started
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
