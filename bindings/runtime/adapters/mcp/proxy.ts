import { InvalidArgumentError, InvalidDataError } from '../../../base/errors.js';
import { withTimeout } from '../../../base/withTimeout.js';
import {
  type Ask,
  type AskToolDefinition,
  type DecidingSession,
  type DeclaredTool,
  requireCallScope,
} from '../../enforcement/index.js';
import { canElicit, elicit } from './elicitation.js';
import { type McpTransport, messageOf, type RequestId } from './message.js';
import { Peer } from './peer.js';
import { Relay } from './relay.js';
import { observeByTool } from './stateTool.js';
import { ToolCalls } from './toolCalls.js';
import { type CompileSchema, ToolCatalogue } from './toolCatalogue.js';
import type { ToolDefinition } from './toolPins.js';

/** The session options that the connection provides. */
export interface McpWorld {
  /** The tools that the server lists, each with a check of arguments against its schema, refused where it is not what it was; safe, under `trustReadOnly`, where the server calls it read-only. */
  readonly tools: Readonly<Record<string, DeclaredTool & Required<Pick<DeclaredTool, 'check' | 'refused'>>>>;
  /** Asks the person at the client; absent if the client declares no forms (`elicitation`). */
  readonly ask?: Ask;
  /** Observes the world by the state tool; absent if there is none. */
  readonly state?: () => Promise<Record<string, unknown>>;
}

/** The session of a connection, as `createSession` makes it. */
export interface McpSession extends DecidingSession {
  /** Tools of which no call will be permitted any more: `tools/list` leaves them out. */
  readonly closed?: readonly string[];
  /** Ends the run with the connection. @param options `complete`: whether it came to its end, since the client closed the connection */
  end(options?: { readonly complete?: boolean }): Promise<void>;
}

/** Options of a guarded connection. */
export interface McpProxyOptions {
  /** Makes the session of this connection, once the server has listed its tools: `(world) => createSession({ guard, ...world })`. */
  readonly session: (world: McpWorld) => McpSession;
  /** A tool of the server that observes the world: called without arguments, it returns the state as structured content, or as JSON in its text. */
  readonly stateTool?: string;
  /** Milliseconds that the state tool may take. Default 10 seconds, which is also a session's default limit. */
  readonly stateTimeoutMs?: number;
  /**
   * Whether tools that the server calls read-only (`annotations.readOnlyHint`) count as safe: their calls are not judged by what is predicted. Protocol and
   * proxy verify nothing of it, so trust servers that you know. A tool that was not read-only when the run began is never safe in it. Default false.
   */
  readonly trustReadOnly?: boolean;
  /**
   * The definitions that the server's tools are to have, by their names. Calls of other tools are faults, and `tools/list` leaves them out. Default: the
   * definitions that the server lists before the first call.
   */
  readonly pins?: ReadonlyMap<string, ToolDefinition>;
  /** Called with the definitions that the server lists first, if there are no `pins`. If it throws, no tool is known. */
  readonly onPinned?: (pins: ReadonlyMap<string, ToolDefinition>) => void;
  /** Of tools that a client lists before the run begins, those of which no call will be permitted: see `McpSession.closed`. Default: none are known. */
  readonly closed?: (tools: readonly string[]) => readonly string[];
  /** Whether `tools/list` passes unchanged, with tools that may not be called; default false. */
  readonly listsAll?: boolean;
  /** True if only the person at the client can be asked: a client that shows no forms is refused when it connects. Default false. */
  readonly needsElicitation?: boolean;
  /** Makes validators for the tools' schemas. Default: those of the protocol's SDK. */
  readonly compileSchema?: CompileSchema;
  /**
   * Tools with which the agent asks about the rules, as `askTools` of `foreguard/ask` makes them. They stand at the end of `tools/list`, and no call of them is judged
   * or reaches the server. If the server lists a tool of one of their names, the connection ends.
   */
  readonly questions?: McpQuestions;
  /** Called with the names of the server's tools, whenever it has listed them. */
  readonly onTools?: (names: readonly string[]) => void;
  /** Called with unusual events that no message reports, such as messages that cannot be delivered. */
  readonly onNote?: (text: string) => void;
}

/** Tools of the proxy itself, with which an agent asks about the rules: no calls of the run. */
export interface McpQuestions {
  /** What lists of tools say of them. */
  readonly definitions: readonly AskToolDefinition[];
  /** Answers a call of one of them, whatever the arguments are. */
  readonly answer: (session: McpSession, tool: string, args: unknown) => Promise<string>;
}

/** The reason why a connection ended; `name clash`: the server lists a tool that is named as one of `questions`. */
export type McpEnd = 'closed' | 'client gone' | 'server gone' | 'name clash';

/** Milliseconds that calls in progress have to finish when a connection is over. */
const SETTLE_MS = 1000;

/** A client and a server of the Model Context Protocol with a guard between them; see `guardMcp`. */
export class McpProxy {
  /** Resolves when the connection is over. */
  readonly closed: Promise<McpEnd>;
  readonly #client: Peer;
  readonly #server: Peer;
  readonly #options: McpProxyOptions;
  readonly #catalogue: ToolCatalogue;
  readonly #calls: ToolCalls;
  readonly #relay: Relay;
  readonly #over = new AbortController();
  #canElicit = false;
  /** The tools that the client's last list left out because no call of them will be permitted. */
  #closed: readonly string[] = [];
  #hasListed = false;
  #listing: Promise<void> | null = null;
  #session: McpSession | null = null;
  /** The tools that the session knows. */
  #declared: ReadonlySet<string> | null = null;
  #ending: Promise<void> | null = null;
  /** Why nothing is answered any more: names clash. */
  #clash: string | null = null;
  #ended: (why: McpEnd) => void = () => undefined;

  /** @internal Use `guardMcp`. */
  constructor(
    client: McpTransport,
    server: McpTransport,
    options: McpProxyOptions & { readonly compileSchema: CompileSchema },
  ) {
    this.closed = new Promise((resolve) => {
      this.#ended = resolve;
    });
    this.#options = options;
    this.#client = new Peer(client);
    this.#server = new Peer(server);
    const { compileSchema: compile, pins, onPinned } = options;
    this.#catalogue = new ToolCatalogue(this.#server, {
      compile,
      ...(pins && { pins }),
      ...(onPinned && { onPinned }),
      onNote: (text) => this.#note(text),
    });
    this.#calls = new ToolCalls(this.#server, this.#catalogue, () => this.#readySession(), options.questions);
    this.#relay = new Relay(this.#client, this.#server, this.#calls, {
      begin: (capabilities) => this.#begin(capabilities),
      listTools: () => this.#listTools(),
      listed: (result) => this.#listed(result),
      answered: () => this.#tellClosed(),
      note: (text) => this.#note(text),
    });
  }

  /** @internal */
  async start(): Promise<void> {
    const [client, server] = [this.#client.transport, this.#server.transport];
    client.onmessage = (message) => this.#relay.fromClient(message);
    server.onmessage = (message) => this.#relay.fromServer(message);
    client.onerror = (error) => this.#note(`client: ${error.message}`);
    server.onerror = (error) => this.#note(`server: ${error.message}`);
    client.onclose = () => void this.#end('client gone');
    server.onclose = () => void this.#end('server gone');
    await server.start();
    await client.start();
  }

  /** Fails a request that the server does not answer, for example because its connection broke. */
  unanswered(id: RequestId, why: string): void {
    if (!this.#server.fail(id, why)) this.#relay.fail(why, id);
  }

  /** Resolves once the client waits for none of its requests, or after `timeoutMs`. */
  async drained(timeoutMs: number): Promise<void> {
    for (const until = Date.now() + timeoutMs; !this.#relay.idle && Date.now() < until; ) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  /** Ends the connection: calls in progress are given up, the session ends, and both transports close. */
  async close(): Promise<void> {
    await this.#end('closed');
  }

  #end(why: McpEnd): Promise<void> {
    this.#ending ??= this.#finish(why);
    return this.#ending;
  }

  async #finish(why: McpEnd): Promise<void> {
    if (why === 'client gone') this.#client.lost();
    if (why === 'server gone') this.#server.lost();
    this.#calls.stop(this.#client.gone);
    this.#over.abort();
    this.#relay.fail('the server is gone: this request may have been carried out, or not');
    // A person asked elsewhere may take longer; a call that they then permit does not run.
    await withTimeout(SETTLE_MS, () => this.#calls.settled()).catch(() => undefined);
    try {
      // Ending observes the world once more.
      await this.#session?.end({ complete: why === 'client gone' });
    } catch (error) {
      this.#note(`the run could not be ended: ${messageOf(error)}`);
    }
    await Promise.allSettled([this.#client.transport.close(), this.#server.transport.close()]);
    this.#client.lost();
    this.#server.lost();
    this.#ended(why);
  }

  /** A list of tools as the client gets it: without those that may not be called. */
  #listed(result: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    if (!Array.isArray(result.tools)) return result;
    this.#hasListed = true;
    this.#closed =
      this.#session?.closed ?? this.#options.closed?.(result.tools.map((tool) => tool?.name)) ?? [];
    const seen = result.tools.filter(
      (tool) =>
        typeof tool?.name !== 'string' || (this.#catalogue.see(tool) && !this.#closed.includes(tool.name)),
    );
    const { listsAll, questions } = this.#options;
    // The last page has no cursor to another.
    const asked = questions !== undefined && result.nextCursor == null ? questions.definitions : [];
    if ((listsAll || seen.length === result.tools.length) && asked.length === 0) return result;
    return { ...result, tools: [...(listsAll ? result.tools : seen), ...asked] };
  }

  /** After a call has come back, tells a client that has listed the tools if fewer of them may be called. */
  #tellClosed(): void {
    if (!this.#hasListed || this.#options.listsAll) return;
    const closed = this.#session?.closed ?? [];
    if (closed.length <= this.#closed.length) return;
    this.#closed = closed;
    const changed = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' } as const;
    this.#client.send(changed).catch(() => undefined);
  }

  #begin(capabilities: unknown): string | null {
    this.#canElicit = canElicit(capabilities);
    if (this.#canElicit || !this.#options.needsElicitation) return null;
    return 'the guard in front of this server asks a person about some calls, and this client declares no forms to ask with ("elicitation"): use one that does, or have the guard ask elsewhere';
  }

  /** Starts to ask the server for its tools; calls wait for the list. */
  #listTools(): Promise<void> {
    const listing = this.#list().catch((error) => {
      // The next call asks again. Until the server answers, no tool is known.
      if (this.#listing === listing) this.#listing = null;
      this.#note(`the server's tools are not known: ${messageOf(error)}`);
    });
    this.#listing = listing;
    return listing;
  }

  async #list(): Promise<void> {
    await this.#catalogue.list();
    this.#refuseClash();
    this.#options.onTools?.(this.#catalogue.names);
    const added = this.#catalogue.names.filter((name) => !(this.#declared?.has(name) ?? true));
    if (added.length === 0) return;
    this.#note(
      `the server lists tools that the run began without; to a guard their calls are faults: ${added.join(', ')}`,
    );
  }

  /** Neither a tool of the server may pass for an answer, nor an answer for a tool. @throws InvalidArgumentError if names clash, and ends the connection */
  #refuseClash(): void {
    const asked = (this.#options.questions?.definitions ?? []).map(({ name }) => name);
    const clash = this.#catalogue.names.find((name) => asked.includes(name));
    if (clash === undefined) return;
    this.#clash = `the server lists a tool named ${clash}, as one is with which the agent asks about the rules; give those names another beginning (--ask PREFIX)`;
    void this.#end('name clash');
    throw new InvalidArgumentError(this.#clash);
  }

  async #readySession(): Promise<McpSession> {
    await (this.#listing ?? this.#listTools());
    if (this.#clash !== null) throw new InvalidArgumentError(this.#clash);
    if (this.#session === null) {
      this.#declared = new Set(this.#catalogue.names);
      this.#catalogue.keep();
      const session = this.#options.session(this.#world());
      requireCallScope(session, 'the Model Context Protocol');
      this.#session = session;
    }
    return this.#session;
  }

  #world(): McpWorld {
    const { stateTool, stateTimeoutMs = 10_000, trustReadOnly = false } = this.#options;
    const catalogue = this.#catalogue;
    const tools = catalogue.names.map((name) => {
      const check = (args: unknown): string | null => catalogue.fault(name, args);
      const refused = (): string | null => catalogue.changeOf(name)?.why ?? null;
      const wasReadOnly = trustReadOnly && catalogue.isReadOnly(name);
      const tool = {
        check,
        refused,
        // The server may list its tools anew.
        get safe(): boolean {
          return wasReadOnly && catalogue.isReadOnly(name);
        },
      };
      return [name, wasReadOnly ? tool : { check, refused }] as const;
    });
    const ask: Ask = (inspection, signal) => {
      const cancelled = this.#calls.cancellationOf(inspection.call);
      return elicit(this.#client, inspection, AbortSignal.any([signal, cancelled, this.#over.signal]));
    };
    return {
      tools: Object.fromEntries(tools),
      ...(this.#canElicit && { ask }),
      ...(stateTool !== undefined && {
        state: async () => {
          const change = this.#catalogue.names.includes(stateTool)
            ? this.#catalogue.changeOf(stateTool)
            : null;
          if (change !== null) throw new InvalidDataError(`tool "${stateTool}" is not called: ${change.why}`);
          return observeByTool(this.#server, stateTool, stateTimeoutMs);
        },
      }),
    };
  }

  #note(text: string): void {
    this.#options.onNote?.(text);
  }
}
