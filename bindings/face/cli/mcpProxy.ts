import { InvalidArgumentError } from '../../base/errors.js';
import { printable } from '../../base/words.js';
import {
  guardMcp,
  type McpProxy,
  type McpTransport,
  type McpWorld,
} from '../../runtime/adapters/mcp/index.js';
import { type Ask, createSession, type InspectionStore } from '../../runtime/enforcement/index.js';
import type { Guard } from '../../runtime/guard/index.js';
import { type AuditFile, openAuditFile, openInspections } from '../node/index.js';
import { exposures } from './mcp/exposures.js';
import { onlyRecords, recordFile, recordingSettings } from './mcp/recording.js';
import { rereadGuards } from './mcp/rereadGuards.js';
import {
  oddTools,
  parseHeaders,
  parseListen,
  parseUpstream,
  type SessionWords,
  sessionSettings,
} from './mcp/settings.js';
import { commandServer, stdioClient, withoutSecrets } from './mcp/stdio.js';
import { unlistedTools } from './mcp/unlistedTools.js';
import { webClients } from './mcp/webClients.js';
import { webServer } from './mcp/webServer.js';
import { parseCount } from './numbers.js';
import type { GuardSource } from './openGuards.js';
import type { Outcome, Terminal } from './terminal.js';

export interface McpProxyCommandOptions extends SessionWords, GuardSource {
  /** The server if it is a command: its name and its arguments. */
  readonly command: readonly string[];
  readonly upstream?: string;
  readonly header?: readonly string[];
  readonly listen?: string;
  readonly allowOrigin?: readonly string[];
  readonly maxSessions?: string;
  readonly maxMessage?: string;
  readonly stateTool?: string;
  /** Tools that the server calls read-only are safe. */
  readonly trustReadOnly?: boolean;
  readonly log?: string;
  readonly headFile?: string;
  readonly inspections?: string;
  /** The key file. */
  readonly inspectionsKey?: string;
  /** The file that runs are recorded in. */
  readonly record?: string;
}

const MAX_MESSAGE_BYTES = 10 * 2 ** 20;
const MAX_SESSIONS = 64;
/** Milliseconds without a request or an open connection after which a client over HTTP counts as gone. */
const IDLE_MS = 30 * 60_000;
/** Milliseconds that pending work may take after a client has sent its last message. */
const DRAIN_MS = 10_000;
/** Milliseconds within which a request may be answered on another connection after its connection to the server broke. */
const RESUME_MS = 5000;

/** Puts a guard in front of a server, one of each per client. */
type Connect = (client: McpTransport) => Promise<McpProxy>;

/**
 * `foreguard mcp-proxy`: a guard in front of a server of the Model Context Protocol, until the client disconnects, the server ends, or a
 * signal arrives. If it serves standard input, standard output is reserved for the client.
 */
export async function mcpProxy(options: McpProxyCommandOptions, terminal: Terminal): Promise<Outcome> {
  const note = (text: string): void => terminal.err(`foreguard: ${printable(text.replace(/\s+/g, ' '))}\n`);
  const maxMessageBytes = parseCount('--max-message', options.maxMessage) ?? MAX_MESSAGE_BYTES;
  const openServer = serverOf(options, maxMessageBytes);
  const terminations = new Set<() => void>();
  const listen = options.listen === undefined ? null : parseListen(options.listen);
  const alone = onlyRecords(options);
  const prepare = (guards: readonly Guard[]) => {
    const files = guards.map(({ file }) => file);
    const settings = sessionSettings(options, files);
    if (alone) return { guards, files, settings, strategies: new Set<string>() };
    // Refuses now what a session would refuse later.
    const judges = guards.map((guard) => guard.fork());
    const { strategies } = createSession({ ...settings, judges, tools: [], ask: nobody });
    return { guards, files, settings, strategies };
  };
  const unguarded = alone ? prepare([]) : null;
  const nextRun = unguarded ? async () => unguarded : await rereadGuards(options, prepare, note);
  const inspections = await inspectionsOf(options, note);
  const log = await logOf(options, note);
  for (const text of log?.notes ?? []) note(text);
  const record = await recordFile(options, note);
  if (alone)
    note(
      `nothing is guarded: every call passes, and is recorded in ${record?.path}; --spec or --guard guards`,
    );

  const sessionOf =
    ({ guards, files, settings }: ReturnType<typeof prepare>) =>
    (world: McpWorld) => {
      for (const text of oddTools(Object.keys(world.tools), options.stateTool, settings, files)) note(text);
      return createSession({
        ...settings,
        judges: guards.map((guard) => guard.fork()),
        ...(log && { log }),
        ...(record && recordingSettings(record, settings, alone)),
        ...world,
        // A check of arguments would be a fault around a guard, and there is none.
        ...(alone && { tools: Object.keys(world.tools) }),
        // The client may be the agent itself, which must not approve its own calls.
        ...(inspections && { ask: inspections.ask }),
      });
    };
  const connect: Connect = async (client) => {
    const server = await openServer((id, why) => proxy.unanswered(id, why));
    const judging = await nextRun();
    const proxy: McpProxy = await guardMcp(client, server, {
      session: sessionOf(judging),
      onTools: (names) => {
        for (const text of unlistedTools(names, judging.files)) note(text);
      },
      needsElicitation: judging.strategies.has('inspect') && inspections === null,
      onNote: note,
      ...(options.stateTool !== undefined && { stateTool: options.stateTool }),
      ...(options.trustReadOnly !== undefined && { trustReadOnly: options.trustReadOnly }),
    });
    const { terminate } = server;
    if (terminate !== undefined) {
      terminations.add(terminate);
      void proxy.closed.then(() => terminations.delete(terminate));
    }
    return proxy;
  };
  const signal = interruption(() => {
    for (const terminate of terminations) terminate();
  });
  try {
    if (listen === null) return await serveStdio(connect, maxMessageBytes, signal.come);
    const maxSessions = parseCount('--max-sessions', options.maxSessions) ?? MAX_SESSIONS;
    const { allowOrigin: allowedOrigins = [] } = options;
    const clients = await webClients({
      ...{ ...listen, connect, maxMessageBytes, maxSessions, idleMs: IDLE_MS, allowedOrigins },
      onNote: note,
    });
    note(`listening on ${clients.url}`);
    await signal.come;
    await clients.close();
    return { json: { url: clients.url }, text: '' };
  } finally {
    signal.forget();
    await record?.close();
    await log?.close();
    if (log) note(`${log.path}, to keep elsewhere: --head ${log.head.hash} --count ${log.head.count}`);
  }
}

/** @throws InvalidArgumentError if the log cannot be written, or its head is to be kept and there is no log */
async function logOf(
  { log: path, headFile, command }: McpProxyCommandOptions,
  onNote: (text: string) => void,
): Promise<AuditFile | null> {
  if (path === undefined) {
    if (headFile === undefined) return null;
    throw new InvalidArgumentError('--head-file keeps the head of a log: give --log FILE as well');
  }
  for (const text of exposures({ 'the file of --head-file': headFile }, command)) onNote(text);
  return openAuditFile(path, { ...(headFile !== undefined && { headFile }) });
}

/** The place where people are asked, and the objections to it. @throws InvalidArgumentError if there is no key */
async function inspectionsOf(
  { inspections: folder, inspectionsKey: keyFile, command }: McpProxyCommandOptions,
  onNote: (text: string) => void,
): Promise<InspectionStore | null> {
  if (folder === undefined) {
    if (keyFile === undefined) return null;
    throw new InvalidArgumentError('--inspections-key is for --inspections FOLDER: give that as well');
  }
  const store = await openInspections(folder, { ...(keyFile !== undefined && { keyFile }), onNote });
  for (const text of exposures(
    { 'the folder of --inspections': folder, 'the key of inspections': keyFile },
    command,
  ))
    onNote(text);
  return store;
}

/** Serves one client, at the other end of standard input and output. */
async function serveStdio(
  connect: Connect,
  maxMessageBytes: number,
  interrupted: Promise<void>,
): Promise<Outcome> {
  let proxy: McpProxy | undefined;
  const client = await stdioClient(maxMessageBytes, async () => proxy?.drained(DRAIN_MS));
  try {
    proxy = await connect(client);
    void interrupted.then(() => proxy?.close());
    const end = await proxy.closed;
    return { json: { end }, text: '', exitCode: end === 'server gone' ? 3 : 0 };
  } finally {
    // The process at the other end may keep it open.
    process.stdin.destroy();
  }
}

/** Creates a transport to a server of its own; `terminate` ends a command that ignores the disconnection of its client. */
type OpenServer = (
  onUnanswered: McpProxy['unanswered'],
) => Promise<McpTransport & { readonly terminate?: () => void }>;

/** @throws InvalidArgumentError unless the options name one server */
function serverOf(
  { command, upstream, header }: McpProxyCommandOptions,
  maxMessageBytes: number,
): OpenServer {
  if (command.length > 0 === (upstream !== undefined)) {
    throw new InvalidArgumentError(
      'the server is either a command, after --, or an address, with --upstream: foreguard mcp-proxy --guard guard.json -- my-server --its-options',
    );
  }
  if (header !== undefined && upstream === undefined) {
    throw new InvalidArgumentError('--header is for a server at an address: give --upstream as well');
  }
  if (upstream === undefined) return () => commandServer(command, maxMessageBytes);
  const url = parseUpstream(upstream);
  const headers = parseHeaders(header ?? [], withoutSecrets(process.env));
  return (onUnanswered) => webServer(url, { headers, maxMessageBytes, resumeMs: RESUME_MS, onUnanswered });
}

/** Stands in for the person who will be asked. */
const nobody: Ask = () => Promise.reject(new Error('nobody is asked'));

/** A promise of the first signal to end; `act` runs at once, and later signals have their default effect. */
function interruption(act: () => void): { come: Promise<void>; forget: () => void } {
  let forget = (): void => undefined;
  const come = new Promise<void>((resolve) => {
    const end = (): void => {
      forget();
      act();
      resolve();
    };
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, end);
    forget = () => {
      for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, end);
    };
  });
  return { come, forget: () => forget() };
}
