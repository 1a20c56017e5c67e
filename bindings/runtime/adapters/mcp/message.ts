import { wordsOf } from '../../../base/words.js';

/** Of a JSON-RPC request: the number 1 and the string "1" are two. */
export type RequestId = string | number;

/** A JSON-RPC message: a request has `id` and `method`, a notification only `method`, a response no `method`. */
export interface McpMessage {
  readonly jsonrpc: '2.0';
  readonly id?: RequestId | undefined;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: McpError;
}

/** Why a request has no result, as JSON-RPC says it. */
export interface McpError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** Where messages come from and go to: what transports of the SDK are. */
export interface McpTransport {
  /** Begins to receive, once the handlers below are set. */
  start(): Promise<void>;
  /** Is given one at a time, though some of the SDK's take several. */
  send(
    message: McpMessage | McpMessage[],
    options?: { relatedRequestId?: RequestId; resumptionToken?: string },
  ): Promise<void>;
  /** Ends the connection; `onclose` is called. */
  close(): Promise<void>;
  /** Told of the version that client and server have agreed on; over HTTP it is a header from then on. */
  setProtocolVersion?: ((version: string) => void) | undefined;
  /** Is given each message, in order. */
  onmessage?: Receiver | undefined;
  /** The connection is over, whoever ended it. */
  onclose?: (() => void) | undefined;
  /** Something went wrong that does not end the connection. */
  onerror?: ((error: Error) => void) | undefined;
}

/** A method's type, whose parameter may be narrower: the SDK's own is. */
type Receiver = { receive(message: McpMessage): void }['receive'];

/** Codes of errors: JSON-RPC's own, and the SDK's for a connection that is gone. */
export const CONNECTION_CLOSED = -32000;
export const INVALID_REQUEST = -32600;
export const INVALID_PARAMS = -32602;

export function errorResponse(id: RequestId, code: number, message: string): McpMessage {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

/** Of a session's call, which has a string: the number 1 and the string "1" are two. */
export function callIdOf(id: RequestId): string {
  return JSON.stringify(id);
}

/** Of the request that a session's call was. */
export function requestIdOf(call: { readonly id: string }): RequestId {
  return JSON.parse(call.id);
}

/** What is thrown, for people. */
export function messageOf(error: unknown): string {
  return wordsOf(error);
}
