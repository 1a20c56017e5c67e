import { ForeguardError } from '../../../base/errors.js';
import {
  CONNECTION_CLOSED,
  type McpError,
  type McpMessage,
  type McpTransport,
  type RequestId,
} from './message.js';

/** Thrown if the other side answers a request of the proxy's own with an error, or not at all. */
export class McpRequestError extends ForeguardError {
  /** The error that the other side has answered with, and is therefore done with the request. */
  readonly answer: McpError | undefined;

  constructor(message: string, { answer, ...options }: ErrorOptions & { answer?: McpError } = {}) {
    super('mcp-request-failed', message, options);
    this.answer = answer;
  }
}

interface OwnRequest {
  readonly method: string;
  readonly settle: (outcome: Readonly<Record<string, unknown>> | McpRequestError) => void;
}

export interface OwnRequestOptions {
  /** The request of the other side that it belongs to. */
  readonly related?: RequestId;
  /** Its abort tells the other side that no answer is wanted any more. */
  readonly signal?: AbortSignal;
}

/**
 * One of the proxy's two sides: a transport for the passing messages, and for requests of the proxy's own. The other side cannot guess the ids of these
 * requests, and therefore cannot use them first.
 */
export class Peer {
  readonly transport: McpTransport;
  readonly #prefix = `foreguard-${crypto.randomUUID()}-`;
  readonly #own = new Map<string, OwnRequest>();
  #count = 0;
  #gone = false;

  constructor(transport: McpTransport) {
    this.transport = transport;
  }

  /** The transport is closed. */
  get gone(): boolean {
    return this.#gone;
  }

  async send(message: McpMessage, related?: RequestId): Promise<void> {
    if (this.#gone) throw new McpRequestError('the connection is closed');
    await this.transport.send(message, related === undefined ? undefined : { relatedRequestId: related });
  }

  /**
   * Sends a request of the proxy's own.
   * @returns the result
   * @throws McpRequestError if the answer is an error, the connection is lost, or the signal aborts
   */
  async request(
    method: string,
    params: Readonly<Record<string, unknown>>,
    { related, signal }: OwnRequestOptions = {},
  ): Promise<Readonly<Record<string, unknown>>> {
    if (signal?.aborted) throw new McpRequestError(`${method} was not asked: it is no longer wanted`);
    const id = `${this.#prefix}${this.#count++}`;
    const abandon = (): void => {
      const cancelled = { method: 'notifications/cancelled', params: { requestId: id } };
      this.send({ jsonrpc: '2.0', ...cancelled }, related).catch(() => undefined);
      this.#resolve(id, new McpRequestError(`${method} was given up: there was no answer in time`));
    };
    try {
      return await new Promise((resolve, reject) => {
        const settle: OwnRequest['settle'] = (outcome) =>
          outcome instanceof McpRequestError ? reject(outcome) : resolve(outcome);
        this.#own.set(id, { method, settle });
        signal?.addEventListener('abort', abandon, { once: true });
        this.send({ jsonrpc: '2.0', id, method, params }, related).catch((cause: Error) =>
          this.#resolve(id, new McpRequestError(`${method} could not be sent: ${cause.message}`, { cause })),
        );
      });
    } finally {
      signal?.removeEventListener('abort', abandon);
    }
  }

  /** Takes a response to a request of the proxy's own, even a late one. @returns whether the message is one */
  takes({ id, result, error }: McpMessage): boolean {
    if (typeof id !== 'string' || !id.startsWith(this.#prefix)) return false;
    const method = this.#own.get(id)?.method;
    if (method === undefined) return true;
    const answer = error ?? { code: CONNECTION_CLOSED, message: 'neither a result nor an error' };
    const why = `${method} was answered by an error: ${answer.message}`;
    this.#resolve(id, result ?? new McpRequestError(why, { answer }));
    return true;
  }

  /** Fails a request of the proxy's own that will not be answered any more. @returns whether the id is one */
  fail(id: RequestId, why: string): boolean {
    if (typeof id !== 'string' || !id.startsWith(this.#prefix)) return false;
    this.#resolve(id, new McpRequestError(`${this.#own.get(id)?.method} is not answered: ${why}`));
    return true;
  }

  /** Handles the closed transport: nothing is answered any more. */
  lost(): void {
    this.#gone = true;
    for (const [id, { method }] of this.#own) {
      this.#resolve(id, new McpRequestError(`${method} is not answered: the connection is closed`));
    }
  }

  #resolve(id: string, outcome: Readonly<Record<string, unknown>> | McpRequestError): void {
    const own = this.#own.get(id);
    this.#own.delete(id);
    own?.settle(outcome);
  }
}
