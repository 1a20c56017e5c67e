import { readFileSync } from 'node:fs';
import { InvalidArgumentError } from '../../../base/errors.js';
import { isObject } from '../../../base/objectKind.js';
import {
  JoinedServers,
  type McpTransport,
  type RequestId,
  requireServerName,
} from '../../../runtime/adapters/mcp/index.js';
import { commandServer, withoutSecrets } from './stdio.js';
import { webServer } from './webServer.js';

/** A server as files of MCP clients describe it: a command, or an address. */
export type ServerEntry =
  | {
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
    }
  | { readonly url: URL; readonly headers: Readonly<Record<string, string>> };

/** Milliseconds within which a request may be answered on another connection after its connection to the server broke. */
const RESUME_MS = 5000;
const EXPECTED =
  'expected JSON such as {"mcpServers": {"mail": {"command": "mail-server", "args": ["--quiet"], "env": {}}, "files": {"url": "https://example.org/mcp", "headers": {}}}}';

/** A transport to a server; `terminate` ends commands that ignore the disconnection of their client. */
export type ServerTransport = McpTransport & { readonly terminate?: () => void };

/** Called for requests that a server will not answer any more. */
type OnUnanswered = (id: RequestId, why: string) => void;

/** Creates a transport to one server. */
export function openServer(
  entry: ServerEntry,
  maxMessageBytes: number,
  onUnanswered: OnUnanswered,
): Promise<ServerTransport> {
  if ('url' in entry) {
    const { url, headers } = entry;
    return webServer(url, { headers, maxMessageBytes, resumeMs: RESUME_MS, onUnanswered });
  }
  const env = { ...withoutSecrets(process.env), ...entry.env };
  return commandServer([entry.command, ...entry.args], maxMessageBytes, env);
}

/** Creates a transport to several servers. */
export async function openServers(
  entries: Readonly<Record<string, ServerEntry>>,
  maxMessageBytes: number,
  onUnanswered: OnUnanswered,
): Promise<ServerTransport> {
  const transports: Record<string, ServerTransport> = {};
  for (const [name, entry] of Object.entries(entries)) {
    transports[name] = await openServer(entry, maxMessageBytes, (id, why) => {
      if (!joined.fail(name, id, why)) onUnanswered(id, why);
    });
  }
  const joined: JoinedServers = new JoinedServers(transports);
  const terminate = (): void => {
    for (const one of Object.values(transports)) one.terminate?.();
  };
  return Object.assign(joined, { terminate });
}

/**
 * Reads the servers from a file in the form that MCP clients use. `${NAME}` in its texts stands for a variable of the environment.
 *
 * @param onNote called with what is left out
 * @throws InvalidArgumentError that says what is wrong with which server
 */
export function readServers(
  path: string,
  environment: Readonly<Record<string, string | undefined>>,
  onNote: (text: string) => void,
): Record<string, ServerEntry> {
  const wrong = (why: string): InvalidArgumentError =>
    new InvalidArgumentError(`${path} names no servers: ${why}; ${EXPECTED}`);
  let read: unknown;
  try {
    read = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw wrong((error as Error).message);
  }
  const servers = isObject(read) ? read.mcpServers : undefined;
  if (!isObject(servers)) throw wrong('there is no "mcpServers"');
  const entries: Record<string, ServerEntry> = {};
  for (const [name, given] of Object.entries(servers)) {
    requireServerName(name);
    if (!isObject(given)) throw wrong(`"${name}" is no object`);
    if (given.disabled === true) continue;
    const text = (value: unknown, field: string): string => {
      if (typeof value !== 'string') throw wrong(`${field} of "${name}" is not text`);
      return filledIn(value, `${field} of "${name}"`, environment);
    };
    const texts = (value: unknown, field: string): Record<string, string> => {
      if (!isObject(value)) throw wrong(`${field} of "${name}" is no object`);
      return Object.fromEntries(
        Object.entries(value).map(([key, one]) => [key, text(one, `${field}.${key}`)]),
      );
    };
    const { command, args = [], env = {}, url, headers = {}, type, disabled: _, ...others } = given;
    if ((command === undefined) === (url === undefined))
      throw wrong(`"${name}" has neither or both of command and url`);
    if (type === 'sse')
      throw wrong(`"${name}" is reached by "sse", which is not supported; use Streamable HTTP`);
    if (!Array.isArray(args)) throw wrong(`args of "${name}" is no list`);
    if (Object.keys(others).length > 0)
      onNote(`${path}: "${name}" has ${Object.keys(others).join(', ')}, which the proxy does not read`);
    if (url === undefined) {
      const words = args.map((one, i) => text(one, `args[${i}]`));
      entries[name] = { command: text(command, 'command'), args: words, env: texts(env, 'env') };
      continue;
    }
    const address = text(url, 'url');
    if (!/^https?:/.test(address) || !URL.canParse(address)) throw wrong(`url of "${name}" is "${address}"`);
    entries[name] = { url: new URL(address), headers: texts(headers, 'headers') };
  }
  if (Object.keys(entries).length === 0) throw wrong('there are none');
  return entries;
}

/** Puts variables of the environment into a text. @throws InvalidArgumentError for one that is not set */
export function filledIn(
  text: string,
  what: string,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  return text.replace(/\$\{(\w+)\}/g, (_, variable: string) => {
    const found = environment[variable];
    if (found !== undefined) return found;
    throw new InvalidArgumentError(`${what} needs the variable ${variable}, which is not set`);
  });
}
