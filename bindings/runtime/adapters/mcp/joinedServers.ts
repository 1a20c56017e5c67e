import { InvalidArgumentError } from '../../../base/errors.js';
import {
  CONNECTION_CLOSED,
  errorResponse,
  INVALID_PARAMS,
  type McpMessage,
  type McpTransport,
  messageOf,
  type RequestId,
} from './message.js';
import { Peer } from './peer.js';
import { ResourceOwners } from './resourceOwners.js';
import { ABOUT_TASKS, renamedTasks, taskBegun, taskOver, withTaskIds } from './taskIds.js';

type Params = Readonly<Record<string, unknown>>;
type Request = McpMessage & { readonly id: RequestId; readonly method: string };

/**
 * Between the name of a server and that of its tool. The protocol's names of tools may hold dots as well, but those that language models' services take may not:
 * they are letters, digits, `_` and `-`.
 */
const SEPARATOR = '__';
const NAME = /^[A-Za-z0-9-]+(_[A-Za-z0-9-]+)*$/;
const MAX_PAGES = 1000;
const TIMEOUT_MS = 60_000;
const METHOD_NOT_FOUND = -32601;
/** The first version of the protocol that has tasks. */
const FIRST_WITH_TASKS = '2025-11-25';
const NOT_FOUND = -32002;
/** What servers list, by the method that lists it: the field of the result, and the capability that has it. */
const LISTS: Readonly<Record<string, readonly [field: string, capability: string]>> = {
  'tools/list': ['tools', 'tools'],
  'prompts/list': ['prompts', 'prompts'],
  'resources/list': ['resources', 'resources'],
  'resources/templates/list': ['resourceTemplates', 'resources'],
};

/** One of several servers. */
interface Member {
  readonly name: string;
  readonly peer: Peer;
  /** Requests of the client that it has not answered. */
  readonly open: Map<RequestId, { readonly method: string; readonly token: unknown }>;
  /** The progress tokens of calls that have become tasks, by its own ids of these, until they are over. */
  readonly tasks: Map<unknown, unknown>;
  capabilities: Params;
  isDown: boolean;
}

/** The name under which the client knows a tool or a prompt of one of several servers. */
export function nameAt(server: string, name: string): string {
  return `${server}${SEPARATOR}${name}`;
}

/** @throws InvalidArgumentError unless names of tools can begin with the server's */
export function requireServerName(name: string): void {
  if (NAME.test(name) && name.length <= 64) return;
  throw new InvalidArgumentError(
    `a server is called "${name}", and its tools would be "${nameAt(name, 'tool')}"; expected at most 64 letters, digits, - and single _ in between, such as "mail"`,
  );
}

/**
 * Several servers as one. Tools and prompts are called `SERVER__NAME`; lists are those of all servers, in their order; a resource is read where it is listed.
 * Requests and tasks of the servers reach the client under ids of their own.
 *
 * A server that ends takes only its own tools, prompts and resources with it: its requests are answered by errors, and the client hears that lists have changed. The
 * connection ends when all servers have ended.
 */
export class JoinedServers implements McpTransport {
  onmessage?: ((message: McpMessage) => void) | undefined;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  readonly #members: ReadonlyMap<string, Member>;
  readonly #owners = new ResourceOwners<Member>();
  #hasBegun = false;
  #isClosed = false;

  /**
   * @param servers by their names, in the order of their tools
   * @throws InvalidArgumentError if a name cannot be part of names of tools
   */
  constructor(servers: Readonly<Record<string, McpTransport>>) {
    for (const name of Object.keys(servers)) requireServerName(name);
    this.#members = new Map(
      Object.entries(servers).map(([name, transport]) => [
        name,
        {
          name,
          peer: new Peer(transport),
          open: new Map(),
          tasks: new Map(),
          capabilities: {},
          isDown: false,
        },
      ]),
    );
  }

  /** @throws any error of a server that cannot be started; the others are then closed */
  async start(): Promise<void> {
    try {
      for (const member of this.#members.values()) {
        const { transport } = member.peer;
        transport.onmessage = (message) => this.#fromServer(member, message);
        transport.onerror = (error) => this.onerror?.(new Error(`${member.name}: ${error.message}`));
        transport.onclose = () => this.#lose(member, 'it has ended');
        await transport.start();
      }
    } catch (error) {
      this.#isClosed = true;
      await this.#closeAll();
      throw error;
    }
  }

  async send(given: McpMessage | McpMessage[]): Promise<void> {
    for (const message of Array.isArray(given) ? given : [given]) {
      const { id, method } = message;
      if (method === undefined) await this.#respond(message);
      else if (id === undefined) await this.#notify(message, method);
      else void this.#answer({ ...message, id, method });
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#closeAll();
    this.onclose?.();
  }

  /** Fails a request of this object's own that a server does not answer. @returns whether the id is one */
  fail(server: string, id: RequestId, why: string): boolean {
    return this.#members.get(server)?.peer.fail(id, why) ?? false;
  }

  async #closeAll(): Promise<void> {
    await Promise.allSettled([...this.#members.values()].map(({ peer }) => peer.transport.close()));
  }

  get #up(): Member[] {
    return [...this.#members.values()].filter(({ isDown }) => !isDown);
  }

  /** Answers a request, or has a server answer it. */
  async #answer(request: Request): Promise<void> {
    const { id } = request;
    try {
      const result = await this.#resultOf(request);
      if (result !== null) this.onmessage?.({ jsonrpc: '2.0', id, result });
    } catch (error) {
      const code = error instanceof NoSuch ? error.code : CONNECTION_CLOSED;
      this.onmessage?.(errorResponse(id, code, messageOf(error)));
    }
  }

  /** The result of a request; null if one of the servers answers it. */
  async #resultOf(request: Request): Promise<Params | null> {
    const { method, params = {} } = request;
    if (method === 'initialize') return this.#initialize(params);
    if (method === 'ping') return {};
    if (Object.hasOwn(LISTS, method)) return this.#list(method);
    if (method === 'logging/setLevel') return this.#setLevel(params);
    if (method === 'tools/call' || method === 'prompts/get') {
      const [member, name] = this.#named(params.name);
      return this.#pass(member, { ...request, params: { ...params, name } });
    }
    if (method === 'tasks/list') return this.#listTasks();
    if (ABOUT_TASKS.has(method)) {
      const { member, id } = this.#ownId(params.taskId);
      if (member === undefined)
        throw new NoSuch(`no server that is there has the task ${String(params.taskId)}`, INVALID_PARAMS);
      return this.#pass(member, { ...request, params: { ...params, taskId: id } });
    }
    if (method === 'completion/complete') return this.#complete(request, params);
    if (method.startsWith('resources/')) return this.#pass(await this.#ownerOf(params.uri), request);
    throw new NoSuch(`${method} is not passed on to one of several servers`, METHOD_NOT_FOUND);
  }

  async #pass(member: Member, request: Request): Promise<null> {
    if (member.isDown) throw new NoSuch(`the server "${member.name}" is gone`, CONNECTION_CLOSED);
    const meta = request.params?._meta as { progressToken?: unknown } | undefined;
    member.open.set(request.id, { method: request.method, token: meta?.progressToken });
    try {
      await member.peer.send(request);
    } catch (error) {
      member.open.delete(request.id);
      throw error;
    }
    return null;
  }

  async #initialize(given: Params): Promise<Params> {
    // At the client, the tasks of all servers would be one list, open to each of them.
    const { tasks: _, ...capabilities } = (given.capabilities ?? {}) as Params;
    const params = { ...given, capabilities };
    const begun = await Promise.all(
      this.#up.map(async (member) => {
        const { peer } = member;
        try {
          const result = await peer.request('initialize', params, {
            signal: AbortSignal.timeout(TIMEOUT_MS),
          });
          member.capabilities = (result.capabilities ?? {}) as Params;
          peer.transport.setProtocolVersion?.(String(result.protocolVersion));
          return [{ name: member.name, result }];
        } catch (error) {
          this.#lose(member, `it does not start: ${messageOf(error)}`);
          return [];
        }
      }),
    );
    const results = begun.flat();
    if (results.length === 0) throw new Error('none of the servers starts');
    this.#hasBegun = true;
    const versions = results.map(({ result }) => String(result.protocolVersion)).sort();
    const told = results.map(({ name, result: { instructions } }) =>
      [
        `Tools of ${name} are called ${nameAt(name, '…')}.`,
        ...(typeof instructions === 'string' ? [instructions] : []),
      ].join(' '),
    );
    return {
      // What all of them speak.
      protocolVersion: versions[0],
      capabilities: merged(
        this.#up.map(({ capabilities }) => capabilities),
        versions[0] >= FIRST_WITH_TASKS,
      ),
      serverInfo: { name: `foreguard (${results.map(({ name }) => name).join(', ')})`, version: '1' },
      instructions: told.join('\n'),
    };
  }

  /** A list of all servers, on one page. */
  async #list(method: string): Promise<Params> {
    const [field, capability] = LISTS[method];
    const lists = await Promise.all(
      this.#up
        .filter(({ capabilities }) => capabilities[capability] !== undefined)
        .map(async (member) => {
          try {
            return (await this.#pages(member, method, field)).map((item) => ({ member, item }));
          } catch (error) {
            this.onerror?.(new Error(`${member.name}: its ${field} are not known: ${messageOf(error)}`));
            return [];
          }
        }),
    );
    const items = lists.flat();
    if (capability === 'resources') {
      const taken = items.filter(({ member, item }) => this.#owners.take(item, member));
      return { [field]: taken.map(({ item }) => item) };
    }
    const named = items.filter(({ item }) => typeof item.name === 'string');
    return {
      [field]: named.map(({ member, item }) => ({ ...item, name: nameAt(member.name, String(item.name)) })),
    };
  }

  async #pages({ peer }: Member, method: string, field: string): Promise<Params[]> {
    const items: Params[] = [];
    let cursor: unknown;
    for (let page = 0; page < MAX_PAGES; page++) {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const result = await peer.request(method, cursor === undefined ? {} : { cursor }, { signal });
      const found = Array.isArray(result[field]) ? (result[field] as unknown[]) : [];
      items.push(...found.filter((item): item is Params => typeof item === 'object' && item !== null));
      cursor = result.nextCursor;
      if (cursor === undefined || cursor === null || cursor === '') return items;
    }
    throw new Error(`the list has more than ${MAX_PAGES} pages`);
  }

  /** The tasks of all servers, on one page. */
  async #listTasks(): Promise<Params> {
    const listing = this.#up.filter(({ capabilities: { tasks } }) => (tasks as Params | undefined)?.list);
    const lists = await Promise.all(
      listing.map(async (member) => {
        try {
          return renamedTasks(await this.#pages(member, 'tasks/list', 'tasks'), (id) => idAt(member, id));
        } catch (error) {
          this.onerror?.(new Error(`${member.name}: its tasks are not known: ${messageOf(error)}`));
          return [];
        }
      }),
    );
    return { tasks: lists.flat() };
  }

  async #setLevel(params: Params): Promise<Params> {
    const logging = this.#up.filter(({ capabilities }) => capabilities.logging !== undefined);
    await Promise.all(
      logging.map(({ peer }) =>
        peer.request('logging/setLevel', params, { signal: AbortSignal.timeout(TIMEOUT_MS) }),
      ),
    );
    return {};
  }

  async #complete(request: Request, params: Params): Promise<null> {
    const ref = (params.ref ?? {}) as Params;
    if (ref.type !== 'ref/prompt') return this.#pass(await this.#ownerOf(ref.uri), request);
    const [member, name] = this.#named(ref.name);
    return this.#pass(member, { ...request, params: { ...params, ref: { ...ref, name } } });
  }

  /** The server of a tool or a prompt, and its name there. @throws NoSuch if it names none of the servers */
  #named(given: unknown): [member: Member, name: string] {
    const text = String(given);
    const at = text.indexOf(SEPARATOR);
    const member = at < 0 ? undefined : this.#members.get(text.slice(0, at));
    if (member !== undefined) return [member, text.slice(at + SEPARATOR.length)];
    const names = [...this.#members.keys()].join(', ');
    throw new NoSuch(
      `"${text}" names none of the servers ${names}; expected SERVER${SEPARATOR}NAME`,
      INVALID_PARAMS,
    );
  }

  /** The server that lists a resource. @throws NoSuch if none does */
  async #ownerOf(uri: unknown): Promise<Member> {
    const text = String(uri);
    const known = this.#owners.of(text);
    if (known !== undefined) return known;
    await this.#list('resources/list');
    await this.#list('resources/templates/list');
    const found = this.#owners.of(text);
    if (found !== undefined) return found;
    throw new NoSuch(`no server lists the resource ${text}`, NOT_FOUND);
  }

  /** A response of the client, to the request of a server. */
  async #respond(message: McpMessage): Promise<void> {
    const { member, id } = this.#ownId(message.id);
    const own = withTaskIds(message, undefined, (task) => this.#taskAt(member, task));
    await member?.peer.send({ ...own, id: id as RequestId });
  }

  async #notify(message: McpMessage, method: string): Promise<void> {
    const { params = {} } = message;
    if (method === 'notifications/cancelled') {
      // Its own requests, such as those for lists, end by themselves.
      const at = this.#up.find(({ open }) => open.has(params.requestId as RequestId));
      await at?.peer.send(message);
    } else if (method === 'notifications/progress') {
      const { member, id } = this.#ownId(params.progressToken);
      await member?.peer.send({ ...message, params: { ...params, progressToken: id } });
    } else {
      const sent = await Promise.allSettled(this.#up.map(({ peer }) => peer.send(message)));
      for (const one of sent) if (one.status === 'rejected') this.onerror?.(one.reason);
    }
  }

  #fromServer(member: Member, said: McpMessage): void {
    const asked = said.method === undefined && said.id !== undefined ? member.open.get(said.id) : undefined;
    member.tasks.delete(taskOver(said, asked?.method));
    const message = withTaskIds(said, asked?.method, (task) => idAt(member, task));
    const { id, method, params } = message;
    if (method === undefined) {
      if (member.peer.takes(said)) return;
      const begun = asked?.method === 'tools/call' ? taskBegun(said.result) : undefined;
      if (begun !== undefined && asked?.token !== undefined) member.tasks.set(begun, asked.token);
      if (id !== undefined && member.open.delete(id)) this.onmessage?.(message);
      else this.onerror?.(new Error(`${member.name}: a response to no request was left out`));
    } else if (id !== undefined) {
      const meta = params?._meta as Params | undefined;
      const token = meta?.progressToken;
      const own =
        token === undefined ? params : { ...params, _meta: { ...meta, progressToken: idAt(member, token) } };
      this.onmessage?.({ ...message, id: idAt(member, id), ...(own && { params: own }) });
    } else if (method === 'notifications/cancelled') {
      this.onmessage?.({ ...message, params: { ...params, requestId: idAt(member, params?.requestId) } });
    } else if (
      method !== 'notifications/progress' ||
      [...member.open.values()].some(({ token }) => token === params?.progressToken) ||
      [...member.tasks.values()].includes(params?.progressToken)
    ) {
      this.onmessage?.(message);
    }
  }

  /** Of an id that the client knows: the server, and the id there. */
  #ownId(given: unknown): { readonly member?: Member; readonly id?: unknown } {
    const [, name = '', id = ''] = /^([^/]*)\/(.*)$/s.exec(String(given)) ?? [];
    const member = this.#members.get(name);
    if (member === undefined || member.isDown) return {};
    try {
      return { member, id: JSON.parse(id) };
    } catch {
      return {};
    }
  }

  /** A server's own id of a task; an id that is not of this server stays as it is. */
  #taskAt(member: Member | undefined, task: string): string {
    const own = this.#ownId(task);
    return own.member !== undefined && own.member === member ? String(own.id) : task;
  }

  /** Handles a server that has ended, or never begins. */
  #lose(member: Member, why: string): void {
    if (member.isDown) return;
    member.isDown = true;
    if (this.#isClosed) return;
    this.onerror?.(new Error(`the server "${member.name}" is gone with its tools: ${why}`));
    member.peer.lost();
    this.#owners.forget(member);
    const gone = `the server "${member.name}" is gone: this request may have been carried out, or not`;
    for (const id of member.open.keys()) this.onmessage?.(errorResponse(id, CONNECTION_CLOSED, gone));
    member.open.clear();
    void member.peer.transport.close().catch(() => undefined);
    if (this.#up.length === 0) this.onclose?.();
    else if (this.#hasBegun) {
      for (const what of ['tools', 'prompts', 'resources'])
        if (member.capabilities[what] !== undefined)
          this.onmessage?.({ jsonrpc: '2.0', method: `notifications/${what}/list_changed` });
    }
  }
}

/** A request that names nothing that there is. */
class NoSuch extends Error {
  readonly code: number;

  constructor(message: string, code: number) {
    super(message);
    this.code = code;
  }
}

function idAt({ name }: Member, id: unknown): string {
  return `${name}/${JSON.stringify(id)}`;
}

/** What any of the servers can; lists change when a server ends. */
function merged(all: readonly Params[], hasTasks: boolean): Params {
  const has = (what: string): boolean => all.some((one) => one[what] !== undefined);
  const subscribe = all.some(({ resources }) => (resources as Params | undefined)?.subscribe === true);
  return {
    ...(has('tools') && { tools: { listChanged: true } }),
    ...(has('prompts') && { prompts: { listChanged: true } }),
    ...(has('resources') && { resources: { listChanged: true, subscribe } }),
    ...(has('logging') && { logging: {} }),
    ...(has('completions') && { completions: {} }),
    ...(hasTasks && has('tasks') && { tasks: mergedTasks(all) }),
  };
}

function mergedTasks(all: readonly Params[]): Params {
  const tasks = all.map((one) => (one.tasks ?? {}) as Params);
  const callable = tasks.some(({ requests }) => {
    const { tools } = (requests ?? {}) as { readonly tools?: Params };
    return tools?.call !== undefined;
  });
  return {
    ...(tasks.some(({ list }) => list !== undefined) && { list: {} }),
    ...(tasks.some(({ cancel }) => cancel !== undefined) && { cancel: {} }),
    ...(callable && { requests: { tools: { call: {} } } }),
  };
}
