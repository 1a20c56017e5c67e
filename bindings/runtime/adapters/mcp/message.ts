import { wordsOf } from '../../../base/words.js';

/** Id of a JSON-RPC request: the number 1 and the string "1" are different. */
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

/** The error of a request without a result, in JSON-RPC's form. */
export interface McpError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** Source and destination of messages: the interface of the SDK's transports. */
export interface McpTransport {
  /** Begins to receive, once the handlers below are set. */
  start(): Promise<void>;
  /** The proxy sends one message at a time, although some of the SDK's transports take several. */
  send(
    message: McpMessage | McpMessage[],
    options?: { relatedRequestId?: RequestId; resumptionToken?: string },
  ): Promise<void>;
  /** Ends the connection; `onclose` is called. */
  close(): Promise<void>;
  /** Called with the version that client and server have agreed on; over HTTP it is a header from then on. */
  setProtocolVersion?: ((version: string) => void) | undefined;
  /** Called with each message, in order. */
  onmessage?: Receiver | undefined;
  /** Called when the connection is over, whichever side ended it. */
  onclose?: (() => void) | undefined;
  /** Called after an error that does not end the connection. */
  onerror?: ((error: Error) => void) | undefined;
}

/** The type of a method, whose parameter may be narrower, as in the SDK. */
type Receiver = { receive(message: McpMessage): void }['receive'];

/** Error codes: JSON-RPC's own, and the SDK's for a lost connection. */
export const CONNECTION_CLOSED = -32000;
export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const INVALID_PARAMS = -32602;
const INTERNAL_ERROR = -32603;

export function errorResponse(id: RequestId, code: number, message: string): McpMessage {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

/** The answer to what names no request: JSON-RPC gives it the id null, which no message of the protocol otherwise has. */
export function answerToNone(code: number, message: string): McpMessage {
  return { jsonrpc: '2.0', id: null as unknown as undefined, error: { code, message } };
}

/** What is known of a message that was too long to be read. */
export interface LongMessage {
  /** Absent in a notification. */
  readonly id?: RequestId;
  /** Absent in a response. */
  readonly method?: string;
  readonly bytes: number;
}

/** Stands for a response that was too long to be read: the request has been carried out, and nobody knows the result. */
export function responseTooLong(
  { id, bytes }: LongMessage & { readonly id: RequestId },
  maxBytes: number,
): McpMessage {
  const message = `the answer has ${bytes} bytes, more than the ${maxBytes} that a message may have (--max-message), and was left out; what it answers has been carried out: ask for less`;
  const data = { [TOO_LONG]: bytes };
  return { jsonrpc: '2.0', id, error: { code: INTERNAL_ERROR, message, data } };
}

const TOO_LONG = 'foreguard/bytes';

/** Whether an error stands for a response that was too long to be read. */
export function isTooLong({ code, data }: McpError): boolean {
  return code === INTERNAL_ERROR && typeof data === 'object' && data !== null && TOO_LONG in data;
}

/** The id of a session's call, which is a string: the number 1 and the string "1" are different. */
export function callIdOf(id: RequestId): string {
  return JSON.stringify(id);
}

/** The id of the request behind a session's call. */
export function requestIdOf(call: { readonly id: string }): RequestId {
  return JSON.parse(call.id);
}

/** The message of an error, for people. */
export function messageOf(error: unknown): string {
  return wordsOf(error);
}
