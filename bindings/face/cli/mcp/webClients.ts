import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { InvalidArgumentError } from '../../../base/errors.js';
import {
  answerToNone,
  CONNECTION_CLOSED,
  errorResponse,
  INVALID_REQUEST,
  loadSdk,
  type McpMessage,
  type McpProxy,
  type McpTransport,
  messageOf,
  PARSE_ERROR,
  type RequestId,
} from '../../../runtime/adapters/mcp/index.js';
import { hasBatches } from './batches.js';
import { invalidRequest } from './invalidRequests.js';
import { postedBody, requestIdsOf } from './postedBody.js';
import { messageCheck } from './stdio.js';

interface ServerModule {
  readonly StreamableHTTPServerTransport: new (options: {
    sessionIdGenerator: () => string;
    onsessioninitialized: (id: string) => Promise<void>;
    maxRequestBodySize: number;
  }) => WebTransport;
}

interface WebTransport extends McpTransport {
  handleRequest(request: IncomingMessage, response: ServerResponse, body?: unknown): Promise<void>;
}

/** A header that every request has to have, in a session always with the same content. */
export interface RequiredHeader {
  /** In lower case. */
  readonly name: string;
  /** What it says, for messages. */
  readonly says: string;
  /** What of its value counts; throws if it is malformed. Default: all of it. */
  readonly read?: (value: string) => string;
}

/** What counts of required headers, by their names. */
export type HeaderValues = Readonly<Record<string, string>>;

export interface WebClientsOptions {
  readonly host: string;
  readonly port: number;
  /** Path of the single endpoint, such as `/mcp`. */
  readonly path: string;
  /** Connects a client to a guard and a server of its own. */
  readonly connect: (client: McpTransport, session: string, headers: HeaderValues) => Promise<McpProxy>;
  /** Default: none. */
  readonly headers?: readonly RequiredHeader[];
  readonly maxMessageBytes: number;
  /** Maximal number of simultaneous clients; further ones are refused. */
  readonly maxSessions: number;
  /** Milliseconds without a request or an open connection after which a client counts as gone. */
  readonly idleMs: number;
  /** Origins of web pages that may connect, in addition to those of this machine. */
  readonly allowedOrigins: readonly string[];
  readonly onNote: (text: string) => void;
}

/** A listening endpoint. */
export interface WebClients {
  readonly url: string;
  /** Ends all connections and stops listening. */
  close(): Promise<void>;
}

interface Connection {
  readonly transport: WebTransport;
  proxy: McpProxy | null;
  /** Ids of the requests whose responses are open. */
  readonly underWay: Set<RequestId>;
  /** The version of the protocol that client and server have agreed on. */
  version: string | undefined;
  open: number;
  usedAt: number;
  /** Of the required headers. */
  readonly headers: HeaderValues;
}

/**
 * Listens for clients over Streamable HTTP. Each client that begins a session gets its own proxy.
 *
 * A request from a web page must come from a page of this machine or of `allowedOrigins`. On a loopback address, requests must also name a
 * loopback host, so that no other page in a browser can reach the endpoint through a domain name of its own for the address (DNS
 * rebinding).
 *
 * @throws InvalidArgumentError if listening on the address fails
 */
export async function webClients(options: WebClientsOptions): Promise<WebClients> {
  const { StreamableHTTPServerTransport } = await loadSdk<ServerModule>('server/streamableHttp.js');
  const connections = new Map<string, Connection>();
  let opening = 0;

  /** @param begun called once the connection is counted among the others, or has failed */
  const connect = (begun: () => void, headers: HeaderValues): WebTransport => {
    const transport: WebTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: options.maxMessageBytes,
      onsessioninitialized: async (id) => {
        const connection: Connection = {
          transport,
          proxy: null,
          underWay: new Set(),
          version: undefined,
          open: 0,
          usedAt: Date.now(),
          headers,
        };
        connections.set(id, connection);
        transport.setProtocolVersion = (version) => {
          connection.version = version;
        };
        begun();
        try {
          connection.proxy = await options.connect(transport, id, headers);
          void connection.proxy.closed.then(() => connections.delete(id));
        } catch (error) {
          connections.delete(id);
          options.onNote(messageOf(error));
          refuseAll(transport, `there is no server behind this address: ${messageOf(error)}`);
        }
      },
    });
    return transport;
  };

  const isMessage = await messageCheck();

  /** The messages in a request; null if there are none, and it was answered. */
  const readBody = async (
    request: IncomingMessage,
    response: ServerResponse,
    connection: Connection | undefined,
  ): Promise<{ readonly body: unknown } | null> => {
    const { maxMessageBytes } = options;
    const text = await postedBody(request, maxMessageBytes);
    if (text === null) {
      answer(response, 413, `a message has at most ${maxMessageBytes} bytes`);
      return null;
    }
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch (error) {
      refuse(response, 400, answerToNone(PARSE_ERROR, `Parse error: this is not JSON: ${messageOf(error)}`));
      return null;
    }
    const isBatch = Array.isArray(body) && body.length > 0 && hasBatches(connection?.version);
    const wrong = (isBatch ? (body as unknown[]) : [body]).find((message) => !isMessage(message));
    if (wrong === undefined && (isBatch || isMessage(body))) return { body };
    refuse(
      response,
      400,
      invalidRequest(wrong) ?? answerToNone(INVALID_REQUEST, 'this is not a valid response'),
    );
    return null;
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const refusal = refusalOf(request, options);
    if (refusal !== null) return answer(response, ...refusal);
    const headers = headersOf(request, options.headers ?? []);
    if (typeof headers === 'string') return answer(response, 400, headers);
    const id = request.headers['mcp-session-id'];
    const connection = id === undefined ? undefined : connections.get(String(id));
    if (id !== undefined && connection === undefined) return answer(response, 404, 'Session not found');
    const other = Object.keys(headers).find(
      (name) => connection && connection.headers[name] !== headers[name],
    );
    if (other !== undefined) return answer(response, 403, `this session is of another ${other}`);
    const read = request.method === 'POST' ? await readBody(request, response, connection) : NO_BODY;
    if (read === null) return;
    const { body } = read;
    if (connection === undefined) {
      if (connections.size + opening >= options.maxSessions)
        return answer(response, 503, 'too many sessions');
      // Each client counts once: first as opening, then among the connections.
      let isOpening = true;
      const begun = (): void => {
        if (isOpening) opening--;
        isOpening = false;
      };
      opening++;
      try {
        return await connect(begun, headers).handleRequest(request, response, body);
      } finally {
        begun();
      }
    }
    connection.open++;
    response.on('close', () => {
      connection.open--;
      connection.usedAt = Date.now();
    });
    if (request.method !== 'POST') return connection.transport.handleRequest(request, response);
    // The SDK sends the answers to an id to its latest request: an earlier one would never be answered.
    const ids = requestIdsOf(body);
    const taken = ids.find((one) => connection.underWay.has(one));
    if (taken !== undefined)
      return refuse(
        response,
        400,
        errorResponse(taken, INVALID_REQUEST, `request ${JSON.stringify(taken)} is under way already`),
      );
    for (const one of ids) connection.underWay.add(one);
    response.on('close', () => {
      for (const one of ids) connection.underWay.delete(one);
    });
    return connection.transport.handleRequest(request, response, body);
  };

  const server = createServer((request, response) => {
    handle(request, response).catch((error) => {
      options.onNote(`a request failed: ${messageOf(error)}`);
      if (!response.headersSent) answer(response, 500, 'the proxy failed');
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => {
      const place = `${options.host}:${options.port}`;
      reject(new InvalidArgumentError(`cannot listen on ${place}: ${cause.message}`, { cause }));
    });
    server.listen(options.port, options.host, resolve);
  });
  const expiry = setInterval(
    () => {
      const before = Date.now() - options.idleMs;
      for (const { proxy, open, usedAt } of connections.values()) {
        if (open === 0 && usedAt < before) void proxy?.close();
      }
    },
    Math.min(options.idleMs, 10_000),
  ).unref();

  const { port } = server.address() as AddressInfo;
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  return {
    url: `http://${host}:${port}${options.path}`,
    async close() {
      clearInterval(expiry);
      const closed = new Promise((resolve) => server.close(resolve));
      await Promise.all([...connections.values()].map(({ proxy }) => proxy?.close()));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The required headers of a request; text that says what is wrong with one of them. */
function headersOf(
  { headersDistinct }: IncomingMessage,
  required: readonly RequiredHeader[],
): HeaderValues | string {
  const values: Record<string, string> = {};
  for (const { name, says, read = (text: string) => text } of required) {
    const [value, other] = headersDistinct[name] ?? [];
    if (value === undefined || value === '') return `the header ${name}, which says ${says}, is missing`;
    // One of them may be the client's own, beside that of what stands in front.
    if (other !== undefined) return `the header ${name}, which says ${says}, stands there twice`;
    try {
      values[name] = read(value);
    } catch (error) {
      return messageOf(error);
    }
  }
  return values;
}

const NO_BODY: { readonly body: unknown } = { body: undefined };
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/;

/** Why a request is not for this endpoint. */
function refusalOf(
  { url, headers }: IncomingMessage,
  { host, path, allowedOrigins }: WebClientsOptions,
): [status: number, why: string] | null {
  if (new URL(url ?? '/', 'http://localhost').pathname !== path) return [404, `there is only ${path}`];
  const { origin, host: named = '' } = headers;
  const local = LOOPBACK.test(host.includes(':') ? `[${host}]` : host);
  if (local && !LOOPBACK.test(named)) return [403, `this endpoint is not called ${named}`];
  if (origin === undefined || allowedOrigins.includes(origin)) return null;
  const page = /^https?:\/\/([^/]+)$/.exec(origin)?.[1] ?? '';
  return LOOPBACK.test(page) ? null : [403, `pages of ${origin} may not connect`];
}

function answer(response: ServerResponse, status: number, why: string): void {
  refuse(response, status, answerToNone(CONNECTION_CLOSED, why));
}

function refuse(response: ServerResponse, status: number, error: McpMessage): void {
  // The rest of a body that is too long is not read.
  const headers = { 'content-type': 'application/json', ...(status === 413 && { connection: 'close' }) };
  response.writeHead(status, headers);
  response.end(JSON.stringify(error));
}

/** Answers the single request that began the session, and ends the session. */
function refuseAll(transport: McpTransport, why: string): void {
  transport.onmessage = ({ id }) => {
    if (id === undefined) return;
    void transport.send(errorResponse(id, CONNECTION_CLOSED, why)).finally(() => transport.close());
  };
}
