// The entries by the Model Context Protocol: the built `foreguard mcp-proxy` as a process, over standard input and over HTTP. The clients write messages to the letter, as no client of an SDK would.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { verifyAudit } from 'foreguard/enforce';
import { addressOf } from '../mcp/addressOf.js';
import { buildPrograms } from '../mcp/programs.mjs';
import { type Desk, type Entry, type KilledRun, nextId } from './desk.js';
import { Office, type Reply } from './office.js';
import { answer as answerOf } from './officeServer.mjs';
import { SPECIFICATION } from './specification.js';
import type { Call, Turn } from './ways.js';

type Message = {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly message?: string };
};

const officeServer = fileURLToPath(new URL('officeServer.mjs', import.meta.url));
const CAPABILITIES = { elicitation: {} };

/** A call as a line, with its arguments to the letter. */
function lineOf(call: Call): { id: string; line: string } {
  const id = JSON.stringify('id' in call ? call.id : nextId());
  const args = typeof call.args === 'function' ? (call.args() ?? '{}') : '{}';
  const beside = Object.entries(call.beside ?? {}).map(
    ([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`,
  );
  const name = call.name === undefined ? '' : `"name":${JSON.stringify(call.name)},`;
  return {
    id,
    line: `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{${name}"arguments":${args}${beside.join('')}}}`,
  };
}

/** Whether a request has an id to answer it by. */
function isAnswerable(id: string, line: string): boolean {
  if (!/^("|-?\d+$)/.test(id)) return false;
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

const initialize = (name: string) =>
  JSON.stringify({
    ...{ jsonrpc: '2.0', id: 'initialize', method: 'initialize' },
    params: { protocolVersion: '2025-06-18', capabilities: CAPABILITIES, clientInfo: { name, version: '1' } },
  });
const INITIALIZED = '{"jsonrpc":"2.0","method":"notifications/initialized"}';

/** The client's answer to a question of the proxy: what the person says, in a form; null while there is none. */
async function elicited({ id, params }: Message, office: Office): Promise<string | null> {
  let result: unknown;
  try {
    const said = await office.reply(params?.message ?? '');
    const { approved, ...rest } = (typeof said === 'object' && said !== null ? said : {}) as Record<
      string,
      unknown
    >;
    result = approved === undefined ? said : { action: 'accept', content: { approve: approved, ...rest } };
  } catch (error) {
    return JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32000, message: String(error) } });
  }
  return JSON.stringify({ jsonrpc: '2.0', id, result: result ?? null });
}

async function logVerifies(path: string): Promise<boolean> {
  const { fault } = await verifyAudit(createReadStream(path));
  return fault === null || fault.kind === 'torn';
}

/** The programs, and the servers that the tests share. */
export class Proxies {
  readonly #folder = mkdtempSync(join(tmpdir(), 'foreguard-hostile-'));
  readonly #children = new Set<ChildProcess>();
  #foreguard = '';
  #upstream: Server | undefined;
  /** The offices behind the server over HTTP, by the name of the client. */
  readonly #offices = new Map<string, Office>();
  #shared: Promise<{ url: URL; child: ChildProcess; log: string }> | undefined;
  #files = 0;

  async start(): Promise<void> {
    this.#foreguard = (await buildPrograms('hostile')).foreguard;
    writeFileSync(this.#file('rules.yaml'), SPECIFICATION);
    await this.#listen();
  }

  async stop(): Promise<void> {
    for (const child of this.#children) child.kill('SIGKILL');
    this.#upstream?.closeAllConnections();
    this.#upstream?.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #file(name: string): string {
    return join(this.#folder, name);
  }

  #newFile(kind: string): string {
    return this.#file(`${++this.#files}.${kind}.jsonl`);
  }

  #spawn(log: string, ...more: string[]): ChildProcess {
    const child = spawn(
      process.execPath,
      [
        ...[this.#foreguard, 'mcp-proxy', '--spec', this.#file('rules.yaml'), '--log', log],
        ...['--on-fault', 'block', '--ask-timeout', '1', ...more],
      ],
      { stdio: ['pipe', 'pipe', 'pipe'] },
    );
    this.#children.add(child);
    child.once('exit', () => this.#children.delete(child));
    child.stdin.on('error', () => undefined);
    return child;
  }

  // Over standard input

  async #openStdio(label: string, person?: Reply, log = this.#newFile('log')) {
    const calls = this.#newFile('calls');
    writeFileSync(calls, '');
    const office = new Office(person);
    const child = this.#spawn(log, '--', process.execPath, officeServer, calls);
    child.stderr?.resume();
    const waiting: { id: string; resolve: () => void }[] = [];
    let isGone = false;
    const gone = once(child, 'exit').then(() => {
      isGone = true;
      for (const { resolve } of waiting.splice(0)) resolve();
    });
    const write = (line: string) => void child.stdin?.write(`${line}\n`);
    const take = async (message: Message) => {
      if (message.method === 'elicitation/create') {
        const said = await elicited(message, office);
        if (said !== null) write(said);
      }
      if (message.method !== undefined) return;
      const id = JSON.stringify(message.id ?? null);
      const at = waiting.findIndex((one) => one.id === id);
      if (at >= 0) waiting.splice(at, 1)[0].resolve();
    };
    let rest = '';
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) void take(JSON.parse(line) as Message);
    });
    const send = (id: string, line: string) =>
      new Promise<void>((resolve) => {
        if (isGone) return resolve();
        waiting.push({ id, resolve });
        write(line);
      });
    await send('"initialize"', initialize(label));
    write(INITIALIZED);
    const look = () => {
      const lines = readFileSync(calls, 'utf8').split('\n').filter(Boolean);
      office.received.splice(0, office.received.length, ...lines.map((line) => JSON.parse(line)));
    };
    const play = async (turn: Turn) => {
      await Promise.all(
        turn.map((call) => {
          const { id, line } = lineOf(call);
          if (isAnswerable(id, line)) return send(id, line);
          // Nobody can be answered by no id: the connection serves on.
          write(line);
          return send('"ping"', '{"jsonrpc":"2.0","id":"ping","method":"ping"}');
        }),
      );
      look();
      return turn.length;
    };
    return { office, child, gone, play, look, log };
  }

  readonly stdio: Entry = {
    name: 'MCP stdio',
    objects: false,
    shares: true,
    open: async (label): Promise<Desk> => {
      const { office, child, gone, play, log } = await this.#openStdio(label);
      return {
        office,
        play,
        end: async () => {
          child.kill('SIGTERM');
          await gone;
        },
        close: async () => {
          child.stdin?.end();
          await gone;
          return logVerifies(log);
        },
      };
    },
    killed: async (label, turns, reply): Promise<KilledRun[]> => {
      const first = await this.#openStdio(label, reply?.());
      const half = Math.ceil(turns.length / 2);
      for (const turn of turns.slice(0, half)) await first.play(turn);
      const under = turns.slice(half).map(first.play);
      first.child.kill('SIGKILL');
      await Promise.all([...under, first.gone]);
      first.look();
      const torn = await logVerifies(first.log);
      // A connection is a run: another begins, with the same log.
      const next = await this.#openStdio(label, reply?.(), first.log);
      let [asked, answered] = [0, 0];
      for (const turn of turns) {
        asked += turn.length;
        answered += await next.play(turn);
      }
      next.child.stdin?.end();
      await next.gone;
      const verified = torn && (await logVerifies(next.log));
      return [first, next].map(({ office }) => ({ forbidden: office.forbidden, asked, answered, verified }));
    },
  };

  /** Makes calls over standard input that are never answered, gives them up by `notifications/cancelled`, and goes on. */
  async givenUp(label: string, calls: Turn, turns: readonly Turn[]) {
    const { office, child, gone, play, look, log } = await this.#openStdio(label);
    const write = (line: string) => void child.stdin?.write(`${line}\n`);
    const lines = calls.map(lineOf);
    for (const { line } of lines) write(line);
    // Given up once the server has them: before, they would not run.
    for (let i = 0; i < 15_000 && office.received.length < calls.length; i++, look()) await setTimeout(20);
    for (const { id } of lines)
      write(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}`);
    let answered = 0;
    for (const turn of turns) answered += await play(turn);
    child.stdin?.end();
    await gone;
    return { office, answered, verified: await logVerifies(log) };
  }

  // Over HTTP

  /** Serves the offices behind the proxy, each for the client of its name. */
  async #listen(): Promise<void> {
    const names = new Map<string, string>();
    const server = createServer(async (request, response): Promise<unknown> => {
      const id = String(request.headers['mcp-session-id'] ?? '');
      if (request.method !== 'POST') return response.writeHead(request.method === 'DELETE' ? 200 : 405).end();
      const chunks: Uint8Array[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const message = JSON.parse(Buffer.concat(chunks).toString()) as Message & {
        params?: { clientInfo?: { name: string } };
      };
      const isFirst = message.method === 'initialize';
      const session = isFirst ? nextId().replace(' ', '-') : id;
      if (isFirst) names.set(session, message.params?.clientInfo?.name ?? '');
      const office = this.#offices.get(names.get(session) ?? '');
      const reply = await answerOf(message as object, (tool, args) => office?.received.push({ tool, args }));
      if (reply === null) return response.writeHead(202).end();
      response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': session });
      return response.end(JSON.stringify(reply));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    this.#upstream = server;
  }

  async #proxy(log = this.#newFile('log')): Promise<{ url: URL; child: ChildProcess; log: string }> {
    const { port } = (this.#upstream as Server).address() as AddressInfo;
    const upstream = `http://127.0.0.1:${port}/mcp`;
    const child = this.#spawn(log, '--listen', '127.0.0.1:0', '--upstream', upstream);
    child.stdout?.resume();
    return { url: await addressOf(child, 'stderr'), child, log };
  }

  async #openHttp(url: URL, label: string, person?: Reply) {
    const office = new Office(person);
    const name = `${label} ${nextId()}`;
    this.#offices.set(name, office);
    let session = '';
    /** Sends a message, and resolves once it is answered, by whatever. */
    const post = async (line: string): Promise<void> => {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...(session !== '' && { 'mcp-session-id': session, 'mcp-protocol-version': '2025-06-18' }),
        },
        body: line,
      });
      session ||= response.headers.get('mcp-session-id') ?? '';
      let text = '';
      const decoder = new TextDecoder();
      for await (const chunk of response.body ?? []) {
        text += decoder.decode(chunk, { stream: true });
        const events = text.split('\n\n');
        text = events.pop() ?? '';
        for (const event of events) {
          const data = /^data: (.*)$/m.exec(event)?.[1];
          const message = data ? (JSON.parse(data) as Message) : null;
          if (message?.method !== 'elicitation/create') continue;
          void elicited(message, office).then(async (said) => {
            if (said !== null) await post(said).catch(() => undefined);
          });
        }
      }
    };
    await post(initialize(name));
    await post(INITIALIZED);
    const play = async (turn: Turn) => {
      await Promise.all(turn.map((call) => post(lineOf(call).line).catch(() => undefined)));
      return turn.length;
    };
    const end = async () => {
      const response = await fetch(url, { method: 'DELETE', headers: { 'mcp-session-id': session } });
      await response.arrayBuffer();
    };
    return { office, play, end };
  }

  readonly http: Entry = {
    name: 'MCP HTTP',
    objects: false,
    shares: false,
    open: async (label): Promise<Desk> => {
      this.#shared ??= this.#proxy();
      const desk = await this.#openHttp((await this.#shared).url, label);
      return {
        ...desk,
        close: async () => {
          await desk.end();
          return null;
        },
      };
    },
    killed: async (label, turns, reply): Promise<KilledRun[]> => {
      const before = await this.#proxy();
      const first = await this.#openHttp(before.url, label, reply?.());
      const half = Math.ceil(turns.length / 2);
      for (const turn of turns.slice(0, half)) await first.play(turn);
      const under = turns.slice(half).map(first.play);
      const gone = once(before.child, 'exit');
      before.child.kill('SIGKILL');
      await Promise.all([...under, gone]);
      const torn = await logVerifies(before.log);
      const after = await this.#proxy(before.log);
      const next = await this.#openHttp(after.url, label, reply?.());
      let [asked, answered] = [0, 0];
      for (const turn of turns) {
        asked += turn.length;
        answered += await next.play(turn);
      }
      await next.end();
      const ended = once(after.child, 'exit');
      after.child.kill('SIGTERM');
      await ended;
      const verified = torn && (await logVerifies(after.log));
      return [first, next].map(({ office }) => ({ forbidden: office.forbidden, asked, answered, verified }));
    },
  };

  /** Ends the proxy that clients over HTTP have shared. @returns whether its log verifies */
  async endShared(): Promise<boolean> {
    if (this.#shared === undefined) return true;
    const { child, log } = await this.#shared;
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    await gone;
    return logVerifies(log);
  }
}
