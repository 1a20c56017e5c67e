import { InvalidArgumentError } from '../../base/errors.js';
import { printable } from '../../base/words.js';
import { unlistedTools } from '../../rules/specification/index.js';
import {
  guardMcp,
  type McpProxy,
  type McpProxyOptions,
  type McpTransport,
  type McpWorld,
} from '../../runtime/adapters/mcp/index.js';
import {
  type Ask,
  createSession,
  type InspectionStore,
  type Principal,
  requireCallScope,
} from '../../runtime/enforcement/index.js';
import { type Guard, isClosed, namePredicates } from '../../runtime/guard/index.js';
import { type AuditFile, openAuditFile } from '../node/index.js';
import { isDatabase } from './database.js';
import { firstStepRules } from './firstStepRules.js';
import { askedBy } from './mcp/asks.js';
import { exposures, filesGivenAway } from './mcp/exposures.js';
import { type ExtractionWords, extraction } from './mcp/extraction.js';
import { openRuns } from './mcp/keptRuns.js';
import { PinFile, pinAgain } from './mcp/pinFile.js';
import { type PrincipalWords, principalsOf } from './mcp/principals.js';
import { onlyRecords, recordFile, recordingSettings } from './mcp/recording.js';
import { rereadGuards } from './mcp/rereadGuards.js';
import {
  earlierRuns,
  outlastsProcess,
  parseRun,
  Runs,
  requireResumable,
  type SharedWorld,
} from './mcp/runs.js';
import { openServer, openServers, readServers, type ServerTransport } from './mcp/servers.js';
import {
  oddTools,
  parseHeaders,
  parseListen,
  parseUpstream,
  type SessionWords,
  sessionSettings,
} from './mcp/settings.js';
import { stdioClient, withoutSecrets } from './mcp/stdio.js';
import { type HeaderValues, webClients } from './mcp/webClients.js';
import { parseCount } from './numbers.js';
import type { GuardSource, OpenedGuards } from './openGuards.js';
import { questionsAt } from './questionsAt.js';
import type { Outcome, Terminal } from './terminal.js';
import { version } from './version.js';

export interface McpProxyCommandOptions extends SessionWords, PrincipalWords, GuardSource, ExtractionWords {
  /** The server if it is a command: its name and its arguments. */
  readonly command: readonly string[];
  readonly upstream?: string;
  /** A file of several servers. */
  readonly servers?: string;
  readonly header?: readonly string[];
  readonly listen?: string;
  readonly allowOrigin?: readonly string[];
  readonly maxSessions?: string;
  readonly maxMessage?: string;
  /** What a run lasts as long as; default: a connection. */
  readonly run?: string;
  /** Where proxies find each other's runs: a folder, or the address of a database. */
  readonly runs?: string;
  readonly stateTool?: string;
  /** Tools that the server calls read-only are safe. */
  readonly trustReadOnly?: boolean;
  /** The file that tools are pinned in. */
  readonly pin?: string;
  readonly repin?: boolean;
  readonly log?: string;
  readonly headFile?: string;
  readonly inspections?: string;
  /** The key file. */
  readonly inspectionsKey?: string;
  /** The file that runs are recorded in. */
  readonly record?: string;
  /** The agent may ask about the rules, by tools whose names begin so; true: as usual. */
  readonly ask?: string | true;
}

const MAX_MESSAGE_BYTES = 10 * 2 ** 20;
const MAX_SESSIONS = 64;
/** Milliseconds without a request or an open connection after which a client over HTTP counts as gone. */
const IDLE_MS = 30 * 60_000;
/** Milliseconds that pending work may take after a client has sent its last message. */
const DRAIN_MS = 10_000;

/** Puts a guard in front of a server, one of each per client. */
type Connect = (client: McpTransport, session?: string, headers?: HeaderValues) => Promise<McpProxy>;

/**
 * `foreguard mcp-proxy`: a guard in front of a server of the Model Context Protocol, until the client disconnects, the server ends, or a
 * signal arrives. If it serves standard input, standard output is reserved for the client.
 */
export async function mcpProxy(options: McpProxyCommandOptions, terminal: Terminal): Promise<Outcome> {
  const note = (text: string): void => terminal.err(`foreguard: ${printable(text.replace(/\s+/g, ' '))}\n`);
  const maxMessageBytes = parseCount('--max-message', options.maxMessage) ?? MAX_MESSAGE_BYTES;
  const server = serverOf(options, maxMessageBytes, note);
  const bound = parseRun(options.run, options.listen !== undefined);
  const principals = principalsOf(options, bound, options.listen !== undefined);
  const pinFile = options.pin === undefined ? null : new PinFile(options.pin, options.repin);
  if (options.repin === true) return pinTools(pinFile, server.openServer, note);
  for (const text of exposures({ 'the file of --pin': options.pin }, server.arguments)) note(text);
  for (const text of filesGivenAway(options, server.arguments)) note(text);
  const runFolder = options.runs !== undefined && !isDatabase(options.runs) ? options.runs : undefined;
  for (const text of exposures({ 'the folder of --runs': runFolder }, server.arguments)) note(text);
  const terminations = new Set<() => void>();
  const listen = options.listen === undefined ? null : parseListen(options.listen);
  const alone = onlyRecords(options);
  const kept = await openRuns(options, bound, note);
  const outlasts = kept !== null || (options.log !== undefined && outlastsProcess(bound));
  const extractorsOf = await extraction(options);
  const asks = askedBy(options);
  const prepare = ({ guards, beside, specification }: OpenedGuards) => {
    if (asks !== null && specification !== null) asks.check(specification);
    const files = guards.map(({ file }) => file);
    const settings = { ...sessionSettings(options, files), ...extractorsOf(files) };
    const opened = { guards, beside, specification, files, settings };
    if (alone) return { ...opened, strategies: new Set<string>() };
    // Refuses now what a session would refuse later.
    const judges = [...guards.map((guard) => guard.fork()), ...beside];
    const session = createSession({ ...settings, judges, tools: [], ask: nobody });
    requireCallScope(session, 'the Model Context Protocol');
    const { strategies } = session;
    if (outlasts && options.stateTool === undefined) requireResumable({ judges });
    return { ...opened, strategies };
  };
  const unguarded = alone ? prepare({ guards: [], beside: [], specification: null }) : null;
  const nextRun = unguarded ? async () => unguarded : await rereadGuards(options, prepare, note);
  const inspections = await inspectionsOf(options, server.arguments, note);
  const log = await logOf(options, server.arguments, note);
  // Not before the log is this process's own: what another still wrote would be missing.
  const earlier = outlasts && log && !kept ? await earlierOf(log) : undefined;
  for (const text of log?.notes ?? []) note(text);
  const record = await recordFile(options, note);
  if (alone)
    note(
      `nothing is guarded: every call passes, and is recorded in ${record?.path}; --spec or --guard guards`,
    );

  const sessionOf =
    (
      { guards, beside, specification, files, settings }: ReturnType<typeof prepare>,
      principal: Principal | undefined,
    ) =>
    (world: McpWorld | SharedWorld) => {
      for (const text of oddTools(Object.keys(world.tools), options.stateTool, settings, files)) note(text);
      const isResumed = 'resume' in world;
      if (record && isResumed)
        note(`run ${world.id} goes on, so its trace would begin in the middle: it is not recorded`);
      const session = createSession({
        // Limits an hour and deadlines use the wall clock, as windows in seconds do.
        time: () => Date.now() / 1000,
        ...settings,
        ...(principal && { principal }),
        judges: [...guards.map((guard) => guard.fork()), ...beside],
        ...(log && { log }),
        ...(record && !isResumed && recordingSettings(record, settings, alone)),
        ...world,
        // A check of arguments would be a fault around a guard, and there is none.
        ...(alone && { tools: Object.keys(world.tools) }),
        // The client may be the agent itself, which must not approve its own calls.
        ...(inspections && { ask: inspections.ask }),
      });
      if (asks !== null && specification !== null) asks.begin(session, specification);
      return session;
    };
  const shared = kept === null ? undefined : { store: kept.store, ...(log && { log }) };
  const runs = bound.kind === 'connection' ? null : new Runs(bound, earlier, shared);
  const connect: Connect = async (client, _, headers = {}) => {
    const { header } = principals;
    const said = header === null ? undefined : headers[header.name];
    // A run has one principal: the same run of another one is another run.
    const ofRun = [bound.kind === 'header' ? headers[bound.name] : '', ...(said === undefined ? [] : [said])];
    const transport = await server.openServer((id, why) => proxy.unanswered(id, why));
    const judging = await nextRun();
    const principal = principals.of(said);
    const next = async () => sessionOf(await nextRun(), principal);
    const proxy: McpProxy = await guardMcp(client, transport, {
      session: (world) =>
        runs?.connect(world, next, ofRun.join('\n')) ?? sessionOf(judging, principal)(world),
      onTools: (names) => {
        for (const text of unlistedTools(names, judging.files, { by: 'the server' })) note(text);
        for (const text of firstStepRules(judging.files.flatMap(({ rules }) => rules))) note(text);
      },
      needsElicitation: judging.strategies.has('inspect') && inspections === null,
      onNote: note,
      ...(pinFile && pinning(pinFile, note)),
      listsAll: alone || options.shadow === true,
      closed: (tools) => closedBy(judging.guards, tools),
      ...(asks !== null && {
        questions: {
          definitions: asks.definitions,
          answer: async (session, tool, args) =>
            asks.answer(runs === null ? session : await runs.behind(session), tool, args),
        },
      }),
      ...(options.stateTool !== undefined && { stateTool: options.stateTool }),
      ...(options.trustReadOnly !== undefined && { trustReadOnly: options.trustReadOnly }),
    });
    const { terminate } = transport;
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
      headers: [
        ...(bound.kind === 'header' ? [{ name: bound.name, says: 'whose run this is' }] : []),
        ...(principals.header === null ? [] : [principals.header]),
      ],
      onNote: note,
    });
    note(`listening on ${clients.url}`);
    await signal.come;
    await clients.close();
    return { json: { url: clients.url }, text: '' };
  } finally {
    signal.forget();
    await runs?.close();
    await kept?.close();
    await record?.close();
    await log?.close();
    if (log) note(`${log.path}, to keep elsewhere: --head ${log.head.hash} --count ${log.head.count}`);
  }
}

/** The runs that the log has not ended. @throws any error of reading it, after giving it back */
async function earlierOf(log: AuditFile): ReturnType<typeof earlierRuns> {
  try {
    return await earlierRuns(log.path);
  } catch (error) {
    await log.close();
    throw error;
  }
}

/** Those of the tools of which guards permit no call from the beginning. */
function closedBy(guards: readonly Guard[], tools: readonly string[]): string[] {
  const judges = guards.map((guard) => [guard.fork(), namePredicates(guard.file)] as const);
  const run = { id: '', isSafe: () => false, mayQuote: false };
  const policies = guards.flatMap((guard) => guard.policies?.begin(run) ?? []);
  return tools.filter(
    (tool) =>
      judges.some(([guard, predicates]) => isClosed(guard, predicates, tool)) ||
      policies.some((one) => one.closes?.(tool)),
  );
}

/** `--repin`: writes the pins anew, and ends. */
async function pinTools(
  file: PinFile | null,
  openServer: OpenServer,
  onNote: (text: string) => void,
): Promise<Outcome> {
  if (file === null) throw new InvalidArgumentError('--repin is for --pin FILE: give that as well');
  const transport = await openServer(() => undefined);
  transport.onerror = (error) => onNote(`server: ${error.message}`);
  const changes = await pinAgain(file, transport, version);
  const { size = 0 } = file.pins ?? {};
  const text = [...changes, `${file.path}: ${size} tools are pinned`].join('\n');
  return { json: { file: file.path, tools: size, changes }, text: `${text}\n` };
}

/** The pins of a connection: those of the file, which the first connection writes. */
function pinning(file: PinFile, onNote: (text: string) => void): Pick<McpProxyOptions, 'pins' | 'onPinned'> {
  if (file.pins !== undefined) return { pins: file.pins };
  return {
    onPinned(pins) {
      file.write(pins);
      onNote(`${file.path}: ${pins.size} tools are pinned as they are now`);
    },
  };
}

/** @throws InvalidArgumentError if the log cannot be written, or its head is to be kept and there is no log */
async function logOf(
  { log: path, headFile }: McpProxyCommandOptions,
  serverArguments: readonly string[],
  onNote: (text: string) => void,
): Promise<AuditFile | null> {
  if (path === undefined) {
    if (headFile === undefined) return null;
    throw new InvalidArgumentError('--head-file keeps the head of a log: give --log FILE as well');
  }
  for (const text of exposures({ 'the file of --head-file': headFile }, serverArguments)) onNote(text);
  return openAuditFile(path, { ...(headFile !== undefined && { headFile }) });
}

/** The place where people are asked, and the objections to it. @throws InvalidArgumentError if there is no key */
async function inspectionsOf(
  { inspections: folder, inspectionsKey: keyFile }: McpProxyCommandOptions,
  serverArguments: readonly string[],
  onNote: (text: string) => void,
): Promise<InspectionStore | null> {
  if (folder === undefined) {
    if (keyFile === undefined) return null;
    throw new InvalidArgumentError('--inspections-key is for --inspections FOLDER: give that as well');
  }
  const store = await questionsAt(folder, keyFile, onNote);
  for (const text of exposures(
    {
      'the folder of --inspections': isDatabase(folder) ? undefined : folder,
      'the key of inspections': keyFile,
    },
    serverArguments,
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
    return { json: { end }, text: '', exitCode: end === 'server gone' ? 3 : end === 'name clash' ? 2 : 0 };
  } finally {
    // The process at the other end may keep it open.
    process.stdin.destroy();
  }
}

/** Creates a transport to a server of its own. */
type OpenServer = (onUnanswered: McpProxy['unanswered']) => Promise<ServerTransport>;

/** @throws InvalidArgumentError unless the options name one server, or a file of several */
function serverOf(
  { command, upstream, servers, header }: McpProxyCommandOptions,
  maxMessageBytes: number,
  onNote: (text: string) => void,
): { readonly openServer: OpenServer; readonly arguments: readonly string[] } {
  const given = [command.length > 0, upstream !== undefined, servers !== undefined];
  if (given.filter((one) => one).length !== 1) {
    throw new InvalidArgumentError(
      'the server is either a command, after --, an address, with --upstream, or several, with --servers: foreguard mcp-proxy --guard guard.json -- my-server --its-options',
    );
  }
  if (header !== undefined && upstream === undefined) {
    throw new InvalidArgumentError('--header is for a server at an address: give --upstream as well');
  }
  const environment = withoutSecrets(process.env);
  if (servers !== undefined) {
    const entries = readServers(servers, environment, onNote);
    return {
      openServer: (onUnanswered) => openServers(entries, maxMessageBytes, onUnanswered),
      arguments: Object.values(entries).flatMap((entry) => ('args' in entry ? entry.args : [])),
    };
  }
  const [name, ...args] = command;
  const entry =
    upstream === undefined
      ? { command: name, args, env: {} }
      : { url: parseUpstream(upstream), headers: parseHeaders(header ?? [], environment) };
  return { openServer: (onUnanswered) => openServer(entry, maxMessageBytes, onUnanswered), arguments: args };
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
