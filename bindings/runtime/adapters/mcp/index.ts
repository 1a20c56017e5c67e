export { guardMcp } from '../mcp.js';
export {
  CONNECTION_CLOSED,
  errorResponse,
  INVALID_REQUEST,
  type McpMessage,
  type McpTransport,
  messageOf,
  type RequestId,
} from './message.js';
export { Peer } from './peer.js';
export type { McpProxy, McpProxyOptions, McpSession, McpWorld } from './proxy.js';
export { loadSdk } from './sdk.js';
