import {
  loadSdk,
  type McpMessage,
  type McpTransport,
  type RequestId,
} from '../../../runtime/adapters/mcp/index.js';
import { MessageLines } from './messageLines.js';
import { insteadOf } from './stdio.js';

interface ClientModule {
  readonly StreamableHTTPClientTransport: new (
    url: URL,
    options: { requestInit: RequestInit; fetch: typeof fetch },
  ) => McpTransport & { terminateSession(): Promise<void> };
}

export interface WebServerOptions {
  readonly headers: Readonly<Record<string, string>>;
  /** Maximal size of a message; a longer answer is left out, and an error takes its place. */
  readonly maxMessageBytes: number;
  /** Milliseconds within which a request whose connection broke may be answered on another one. */
  readonly resumeMs: number;
  /** Called for requests that will not be answered any more. */
  readonly onUnanswered: (id: RequestId, why: string) => void;
}

/** Connects to a server at an address, over Streamable HTTP. */
export async function webServer(url: URL, options: WebServerOptions): Promise<McpTransport> {
  const { StreamableHTTPClientTransport } = await loadSdk<ClientModule>('client/streamableHttp.js');
  const signals = new RequestSignals();
  const watched: typeof fetch = async (input, init) => {
    const { signal, done } = signals.next(init?.signal);
    const response = await fetch(input, { ...init, signal }).catch((error) => {
      done();
      throw error;
    });
    if (response.status === 404 && new Headers(init?.headers).has('mcp-session-id')) {
      // The server has forgotten the session, so the client has to begin another.
      queueMicrotask(() => transport.onclose?.());
    }
    if (!response.ok || response.body === null) {
      done();
      return response;
    }
    const id = requestIn(init);
    const ended = (): void => {
      done();
      if (id === undefined) return;
      const why = 'the connection to the server broke: this request may have been carried out, or not';
      setTimeout(() => options.onUnanswered(id, why), options.resumeMs).unref();
    };
    const isStream = response.headers.get('content-type')?.includes('text/event-stream') ?? false;
    const refuse = (error: McpMessage): void => void transport.send(error).catch(() => undefined);
    const body = watchedBody(response.body, isStream, options.maxMessageBytes, refuse, ended);
    return new Response(body, response);
  };
  const transport = new StreamableHTTPClientTransport(url, {
    requestInit: { headers: options.headers },
    fetch: watched,
  });
  const close = transport.close.bind(transport);
  return Object.assign(transport, {
    async close(): Promise<void> {
      await Promise.race([
        transport.terminateSession().catch(() => undefined),
        new Promise((resolve) => setTimeout(resolve, 1000).unref()),
      ]);
      await close();
    },
  });
}

/**
 * Gives each request its own signal, although the SDK has one for all: `fetch` counts the listeners of a signal at every request, which
 * takes longer the more there are.
 */
class RequestSignals {
  readonly #open = new Set<AbortController>();
  #all: AbortSignal | null = null;

  next(all: AbortSignal | null | undefined): { signal: AbortSignal; done: () => void } {
    const controller = new AbortController();
    if (all?.aborted) controller.abort(all.reason);
    if (all && all !== this.#all) {
      this.#all = all;
      all.addEventListener('abort', () => {
        for (const one of this.#open) one.abort(all.reason);
      });
    }
    this.#open.add(controller);
    return { signal: controller.signal, done: () => void this.#open.delete(controller) };
  }
}

/** The id of the sent message, if it is a request. */
function requestIn(init: RequestInit | undefined): RequestId | undefined {
  if (init?.method !== 'POST' || typeof init.body !== 'string') return undefined;
  const { id, method } = JSON.parse(init.body);
  return method === undefined ? undefined : id;
}

/** Passes the messages on, all but those that are longer than `maxBytes`: an error takes their place. */
function watchedBody(
  body: ReadableStream<Uint8Array>,
  isStream: boolean,
  maxBytes: number,
  refuse: (error: McpMessage) => void,
  ended: () => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const lines = new MessageLines(
    maxBytes,
    (message) => {
      const text = insteadOf(message, maxBytes, refuse);
      return text === null ? null : `${isStream ? 'data: ' : ''}${text}`;
    },
    !isStream,
  );
  return new ReadableStream({
    async pull(controller) {
      try {
        for (let given = 0; given === 0; ) {
          const { done, value } = await reader.read();
          const read = done ? lines.end() : lines.take(value);
          for (const line of read) controller.enqueue(line);
          given = read.length;
          if (!done) continue;
          ended();
          controller.close();
          return;
        }
      } catch (error) {
        ended();
        controller.error(error);
        await reader.cancel().catch(() => undefined);
      }
    },
    async cancel(reason) {
      ended();
      await reader.cancel(reason);
    },
  });
}
