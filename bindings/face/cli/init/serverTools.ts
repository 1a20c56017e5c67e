import { InvalidDataError } from '../../../base/errors.js';
import { isObject } from '../../../base/objectKind.js';
import {
  errorResponse,
  type McpMessage,
  type McpTransport,
  messageOf,
  Peer,
} from '../../../runtime/adapters/mcp/index.js';
import { commandServer } from '../mcp/stdio.js';
import { version } from '../version.js';
import { readTools, type ToolDescription } from './toolDescription.js';

const MAX_MESSAGE_BYTES = 10 * 2 ** 20;
/** A package may be downloaded first. */
const START_MS = 120_000;
const LIST_MS = 60_000;
const MAX_PAGES = 1000;
const METHOD_NOT_FOUND = -32601;

/**
 * Starts a server of the Model Context Protocol, asks it for its tools, and ends it.
 *
 * @throws InvalidDataError if it does not answer, or has no tools; NotSupportedError if the protocol's SDK is absent
 */
export async function serverTools(command: readonly string[]): Promise<ToolDescription[]> {
  const server = await commandServer(command, MAX_MESSAGE_BYTES);
  const peer = new Peer(server);
  server.onclose = () => peer.lost();
  server.onmessage = (message) => {
    if (!peer.takes(message)) answer(server, message);
  };
  await server.start();
  try {
    return await ask(peer, command.join(' '));
  } catch (cause) {
    throw new InvalidDataError(
      `the server "${command.join(' ')}" does not tell its tools: ${messageOf(cause)}; expected a server of the Model Context Protocol on standard input`,
      { cause },
    );
  } finally {
    await server.close();
    server.terminate();
  }
}

/** Answers what the server asks of its client, who can do nothing. */
function answer(server: McpTransport, { id, method }: McpMessage): void {
  if (id === undefined || method === undefined) return;
  const response: McpMessage =
    method === 'ping'
      ? { jsonrpc: '2.0', id, result: {} }
      : errorResponse(id, METHOD_NOT_FOUND, `foreguard init does not do ${method}`);
  server.send(response).catch(() => undefined);
}

async function ask(peer: Peer, command: string): Promise<ToolDescription[]> {
  const { serverInfo } = await peer.request(
    'initialize',
    { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'foreguard', version } },
    { signal: AbortSignal.timeout(START_MS) },
  );
  await peer.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  const listed: unknown[] = [];
  let cursor: unknown;
  for (let page = 0; page < MAX_PAGES; page++) {
    const result = await peer.request('tools/list', cursor === undefined ? {} : { cursor }, {
      signal: AbortSignal.timeout(LIST_MS),
    });
    if (Array.isArray(result.tools)) listed.push(...result.tools);
    cursor = result.nextCursor;
    if (typeof cursor !== 'string' || cursor === '') break;
  }
  const name = isObject(serverInfo) && typeof serverInfo.name === 'string' ? serverInfo.name : command;
  return readTools(listed, name);
}
