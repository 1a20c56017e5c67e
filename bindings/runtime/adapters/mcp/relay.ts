import {
  CONNECTION_CLOSED,
  errorResponse,
  INVALID_REQUEST,
  type McpMessage,
  messageOf,
  type RequestId,
} from './message.js';
import type { Peer } from './peer.js';
import type { ToolCalls } from './toolCalls.js';

/** The proxy's tasks beside passing messages on. */
export interface RelayHooks {
  /** Called when a client begins. @returns why it cannot be guarded, or null */
  readonly begin: (capabilities: unknown) => string | null;
  /** Called when the tools of the server may have changed. */
  readonly listTools: () => void;
  /** Called with a list of tools that the server gives. @returns the list for the client */
  readonly listed: (result: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  /** Called after a call of a tool was answered. */
  readonly answered: () => void;
  /** Called with anything unusual, for the operator of the proxy. */
  readonly note: (text: string) => void;
}

/** A request of the client in progress; `token` identifies its progress notifications. */
interface Passing {
  readonly method: string;
  readonly token: unknown;
  /** Nobody waits for it any more, although the server may still answer it. */
  abandoned: boolean;
  /** The client was told that it failed: a later answer of the server is not passed on. */
  failed: boolean;
}

/**
 * Passes messages between a client and a server, unchanged and in order; only tool calls take another path. An unusual message goes to its recipient, which
 * knows best, unless it could make the server run a tool unseen.
 */
export class Relay {
  readonly #client: Peer;
  readonly #server: Peer;
  readonly #calls: ToolCalls;
  readonly #hooks: RelayHooks;
  /**
   * Requests of the client that the server has not answered, including tool calls and requests that nobody waits for any more. A server may answer a cancelled
   * request, or one that needs no answer; if its id had been released, that answer would pass for the answer to another request.
   */
  readonly #passing = new Map<RequestId, Passing>();

  constructor(client: Peer, server: Peer, calls: ToolCalls, hooks: RelayHooks) {
    this.#client = client;
    this.#server = server;
    this.#calls = calls;
    this.#hooks = hooks;
  }

  fromClient(message: McpMessage): void {
    const { id, method, params } = message;
    if (method === undefined) {
      if (!this.#client.takes(message)) this.#toServer(message);
    } else if (id === undefined) {
      this.#clientNotifies(message, method);
    } else if (this.#passing.has(id)) {
      this.#toClient(
        errorResponse(id, INVALID_REQUEST, `request ${JSON.stringify(id)} is under way already`),
      );
    } else if (method === 'initialize') {
      const fault = this.#hooks.begin(params?.capabilities);
      if (fault === null) this.#passOn(message, id, method);
      else this.#toClient(errorResponse(id, INVALID_REQUEST, fault));
    } else {
      this.#passOn(message, id, method);
    }
  }

  fromServer(message: McpMessage): void {
    const { id, method } = message;
    if (method === undefined) {
      if (this.#server.takes(message) || this.#calls.takes(message)) return;
      const request = id === undefined ? undefined : this.#passing.get(id);
      if (id !== undefined) this.#responds(message, id);
      if (request?.failed === true) return;
      const { result } = message;
      const isList = request?.method === 'tools/list' && result !== undefined;
      this.#toClient(isList ? { ...message, result: this.#hooks.listed(result) } : message);
    } else {
      if (method === 'notifications/tools/list_changed') this.#hooks.listTools();
      this.#toClient(message, this.#relatedTo(message));
    }
  }

  /** Fails all waiting requests because the server is gone, or, with an id, one request. */
  fail(why: string, only?: RequestId): void {
    this.#calls.fail(why, only);
    for (const id of only === undefined ? [...this.#passing.keys()] : [only]) {
      const passing = this.#passing.get(id);
      if (passing === undefined || this.#calls.has(id) || passing.abandoned) continue;
      passing.abandoned = true;
      passing.failed = true;
      this.#toClient(errorResponse(id, CONNECTION_CLOSED, why));
    }
  }

  /** Whether the client waits for no request. */
  get idle(): boolean {
    return [...this.#passing.keys()].every((id) => this.#isAbandoned(id));
  }

  #isAbandoned(id: RequestId): boolean {
    return this.#passing.get(id)?.abandoned === true || this.#calls.isAbandoned(id);
  }

  #clientNotifies(message: McpMessage, method: string): void {
    if (method === 'tools/call') {
      this.#hooks.note(
        'a call of a tool without an id was dropped: it could be neither answered nor refused',
      );
      return;
    }
    if (method === 'notifications/cancelled') {
      const id = message.params?.requestId as RequestId;
      if (!this.#calls.cancel(id)) return;
      const passing = this.#passing.get(id);
      if (passing !== undefined && !this.#calls.has(id)) passing.abandoned = true;
    }
    this.#toServer(message);
    if (method === 'notifications/initialized') this.#hooks.listTools();
  }

  #passOn(message: McpMessage, id: RequestId, method: string): void {
    const { _meta: meta } = (message.params ?? {}) as { _meta?: { progressToken?: unknown } };
    this.#passing.set(id, { method, token: meta?.progressToken, abandoned: false, failed: false });
    if (method === 'tools/call') {
      const answer = (response: McpMessage): void => this.#toClient(response);
      this.#calls.begin({ ...message, id }, answer, () => {
        this.#passing.delete(id);
        this.#hooks.answered();
      });
    } else {
      this.#server.send(message).catch((error) => this.fail(messageOf(error), id));
    }
  }

  #responds({ result }: McpMessage, id: RequestId): void {
    const initialized = this.#passing.get(id)?.method === 'initialize';
    this.#passing.delete(id);
    const version = result?.protocolVersion;
    if (!initialized || typeof version !== 'string') return;
    for (const { transport } of [this.#server, this.#client]) transport.setProtocolVersion?.(version);
  }

  /**
   * The client's request that a message of the server belongs to, for transports that answer each request on a connection of its own: the request with its
   * progress token, else the latest, because servers send messages while they work.
   */
  #relatedTo({ params }: McpMessage): RequestId | undefined {
    const token = params?.progressToken;
    let latest: RequestId | undefined;
    for (const [id, passing] of this.#passing) {
      if (token !== undefined && passing.token === token) return id;
      if (!this.#isAbandoned(id)) latest = id;
    }
    return latest;
  }

  #toServer(message: McpMessage): void {
    this.#server.send(message).catch((error) => this.#lost('server', message, error));
  }

  #toClient(message: McpMessage, related?: RequestId): void {
    this.#client.send(message, related).catch((error) => this.#lost('client', message, error));
  }

  #lost(side: string, { method = 'a response' }: McpMessage, error: unknown): void {
    this.#hooks.note(`${method} did not reach the ${side}: ${messageOf(error)}`);
  }
}
