export { guardMcp } from '../mcp.js';
export { JoinedServers, requireServerName } from './joinedServers.js';
export { type ConnectedTools, connectTools, listTools } from './listTools.js';
export {
  answerToNone,
  CONNECTION_CLOSED,
  errorResponse,
  INVALID_REQUEST,
  type LongMessage,
  type McpMessage,
  type McpTransport,
  messageOf,
  PARSE_ERROR,
  type RequestId,
  responseTooLong,
} from './message.js';
export type { McpProxy, McpProxyOptions, McpQuestions, McpSession, McpWorld } from './proxy.js';
export { loadSdk } from './sdk.js';
export { definitionOf, differences, type ToolDefinition } from './toolPins.js';
