import { JoinedServers } from './mcp/joinedServers.js';
import type { McpTransport } from './mcp/message.js';
import { McpProxy, type McpProxyOptions } from './mcp/proxy.js';
import { loadSchemaCompiler } from './mcp/sdk.js';

export type { AskToolDefinition } from '../enforcement/index.js';
export type { McpError, McpMessage, McpTransport, RequestId } from './mcp/message.js';
export type { McpEnd, McpProxy, McpProxyOptions, McpQuestions, McpSession, McpWorld } from './mcp/proxy.js';
export type { CompileSchema, Validator } from './mcp/toolCatalogue.js';
export type { ToolDefinition } from './mcp/toolPins.js';

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

/**
 * Makes one server of several, for `guardMcp`: their tools and prompts are called `SERVER__NAME`, so that rules can speak of all of them. A server that ends takes
 * only its own tools with it; the connection ends when all have ended.
 *
 * @param servers transports by the names of the servers, not yet started: letters, digits, `-`, and single `_` in between
 * @throws InvalidArgumentError if a name cannot be part of names of tools
 */
export function joinServers(servers: Readonly<Record<string, McpTransport>>): McpTransport {
  return new JoinedServers(servers);
}
