import type {
  McpMessage,
  McpProxy,
  McpProxyOptions,
  McpSession,
  McpTransport,
  McpWorld,
  RequestId,
} from '../../../bindings/runtime/adapters/mcp.js';
import { guardMcp } from '../../../bindings/runtime/adapters/mcp.js';
import type { ToolCall, ToolOutcome, Verdict } from '../../../bindings/runtime/enforcement/index.js';
import { verdict } from './verdicts.js';

/** One end of a wire: keeps what arrives, and answers it where it knows how. */
export class End {
  readonly received: McpMessage[] = [];
  /** Results by method. */
  readonly answers = new Map<
    string,
    (params: Readonly<Record<string, unknown>>) => object | Promise<object>
  >();
  /** Requests that messages came with, where they belong to one. */
  readonly related: (RequestId | undefined)[] = [];
  #waiting: (() => void)[] = [];
  readonly transport: McpTransport = {
    start: async () => undefined,
    send: async (message: McpMessage, options) => this.#receive(message, options?.relatedRequestId),
    close: async () => this.transport.onclose?.(),
  };

  /** Sends a message into the proxy, as JSON. */
  say(message: Omit<McpMessage, 'jsonrpc'>): void {
    this.transport.onmessage?.(JSON.parse(JSON.stringify({ jsonrpc: '2.0', ...message })));
  }

  /** Calls a tool. @returns the response */
  async call(id: RequestId, name: string, args: unknown = {}): Promise<McpMessage> {
    this.say({ id, method: 'tools/call', params: { name, arguments: args } });
    return this.responseTo(id);
  }

  responseTo(id: RequestId): Promise<McpMessage> {
    return this.first((message) => message.method === undefined && message.id === id);
  }

  /** The first message of a kind, waiting for it if need be. */
  async first(is: (message: McpMessage) => boolean): Promise<McpMessage> {
    for (;;) {
      const found = this.received.find(is);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  methods(): string[] {
    return this.received.map(({ method }) => method ?? 'response');
  }

  #receive(message: McpMessage, related: RequestId | undefined): void {
    this.received.push(message);
    this.related.push(related);
    for (const resolve of this.#waiting.splice(0)) resolve();
    const answer = message.method === undefined ? undefined : this.answers.get(message.method);
    if (answer === undefined) return;
    void Promise.resolve(answer(message.params ?? {})).then((result) =>
      this.say({ id: message.id, result: result as Record<string, unknown> }),
    );
  }
}

/** What a session decides, where it is not to let a call run. */
export type Decide = (call: ToolCall, world: McpWorld) => Partial<Verdict> | Promise<Partial<Verdict>>;

/** A connection through the proxy, with a session that decides as it is told. */
export interface Wire {
  readonly client: End;
  readonly server: End;
  readonly proxy: McpProxy;
  readonly decided: ToolCall[];
  readonly outcomes: ToolOutcome[];
  /** Calls that were let through and not run. */
  readonly withdrawn: ToolCall[];
  readonly notes: string[];
  /** An entry each time that the session was ended. */
  readonly ends: string[];
  readonly world: () => McpWorld;
}

export const anyObject = { type: 'object' };

/**
 * A client that has begun, a proxy, and a server with tools.
 *
 * @param options.tools with their schemas; by default `echo`, which answers with its arguments, and `brake`
 */
export async function connect(
  decide: Decide = () => ({}),
  options: {
    readonly tools?: readonly object[];
    readonly capabilities?: object;
    readonly begin?: boolean;
  } & Partial<McpProxyOptions> = {},
): Promise<Wire> {
  const { tools, capabilities = {}, begin = true, ...proxyOptions } = options;
  const [client, server] = [new End(), new End()];
  const [decided, withdrawn]: [ToolCall[], ToolCall[]] = [[], []];
  const outcomes: ToolOutcome[] = [];
  const [notes, ends]: [string[], string[]] = [[], []];
  let seen: McpWorld | undefined;
  server.answers.set('initialize', () => ({ protocolVersion: '2025-11-25', capabilities: { tools: {} } }));
  server.answers.set('tools/list', () => ({
    tools: tools ?? ['echo', 'brake'].map((name) => ({ name, inputSchema: anyObject })),
  }));
  server.answers.set('tools/call', ({ name, arguments: args }) => ({
    content: [{ type: 'text', text: JSON.stringify({ name, args }) }],
  }));
  const session = (world: McpWorld): McpSession => {
    seen = world;
    const decideOn = async (call: ToolCall): Promise<Verdict> => {
      decided.push(call);
      const allowed = verdict({ call, run: call, number: decided.length - 1 }, null);
      return { ...allowed, ...(await decide(call, world)) };
    };
    return {
      check: decideOn,
      decide: decideOn,
      answer: async () => Promise.reject(new Error('nobody was asked')),
      ran: async (_verdict, outcome) => void outcomes.push(outcome),
      withdraw: async ({ call }) => void withdrawn.push(call),
      end: async () => void ends.push('end'),
      stopped: null,
    };
  };
  const proxy = await guardMcp(client.transport, server.transport, {
    compileSchema: () => () => null,
    onNote: (text) => notes.push(text),
    session,
    ...proxyOptions,
  });
  if (begin) {
    client.say({ id: 'begin', method: 'initialize', params: { capabilities } });
    await client.responseTo('begin');
    client.say({ method: 'notifications/initialized' });
  }
  return { client, server, proxy, decided, outcomes, withdrawn, notes, ends, world: () => seen as McpWorld };
}
