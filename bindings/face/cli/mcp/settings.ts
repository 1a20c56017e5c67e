import { readFileSync } from 'node:fs';
import { InvalidArgumentError } from '../../../base/errors.js';
import { isObject } from '../../../base/objectKind.js';
import type { Replacement, SessionOptions } from '../../../runtime/enforcement/index.js';
import { type GuardFile, MAX_PENDING } from '../../../runtime/guard/index.js';
import { parseCount, parseUpTo } from '../numbers.js';
import { replacementsOf } from '../replacements.js';
import { filledIn } from './servers.js';

/** Options of the command that configure sessions. */
export interface SessionWords {
  /** A file of JSON: `{"brake": {"name": "stop_motor", "arguments": {}}}`. */
  readonly replacements?: string;
  /** Seconds. */
  readonly askTimeout?: string;
  readonly edits?: boolean;
  readonly maxPending?: string;
  readonly onFault?: 'stop' | 'block';
  readonly shadow?: boolean;
  readonly redact?: readonly string[];
}

export type SessionSettings = Pick<
  SessionOptions,
  'replacements' | 'askTimeoutMs' | 'edits' | 'maxPending' | 'onFault' | 'shadow' | 'redact' | 'time'
>;

/** The settings common to all sessions, whatever the client. @throws InvalidArgumentError */
export function sessionSettings(
  { replacements, askTimeout, edits, maxPending, onFault = 'block', shadow, redact }: SessionWords,
  files: readonly GuardFile[],
): SessionSettings {
  const seconds = parseCount('--ask-timeout', askTimeout);
  const pending = parseUpTo('--max-pending', maxPending, MAX_PENDING);
  return {
    replacements: {
      ...Object.assign({}, ...files.map(replacementsOf)),
      ...(replacements !== undefined && readReplacements(replacements)),
    },
    ...(seconds !== undefined && { askTimeoutMs: seconds * 1000 }),
    ...(edits !== undefined && { edits }),
    ...(pending !== undefined && { maxPending: pending }),
    // A misspelt argument ends one call, not the whole run: agents correct themselves.
    onFault,
    ...(shadow !== undefined && { shadow }),
    ...(redact !== undefined && { redact }),
    // Windows in seconds use the wall clock, also after a restart.
    ...(files.some((file) => typeof file.samplingPeriodSeconds === 'number') && {
      time: () => Date.now() / 1000,
    }),
  };
}

/** Describes in words tools that are missing or unknown: among those called by name, and among those that the server lists. */
export function oddTools(
  listed: readonly string[],
  stateTool: string | undefined,
  { replacements = {} }: SessionSettings,
  files: readonly GuardFile[],
): string[] {
  const safe = Object.values(replacements).flatMap((one) => (typeof one === 'function' ? [] : [one.name]));
  const called = stateTool === undefined ? safe : [stateTool, ...safe];
  const missing = called.filter((name) => !listed.includes(name));
  const known = files.flatMap(({ actions }) => (actions === undefined ? [] : [actions.names]));
  const unknown = listed.filter(
    (name) =>
      name !== stateTool &&
      !files.some(({ tools = {} }) => Object.hasOwn(tools, name) && tools[name].safe === true) &&
      known.some((names) => names.every((one) => one !== name && !one.startsWith(`${name}[`))),
  );
  return [
    ...missing.map((name) => `the server lists no tool "${name}", which the guard is to call`),
    ...(unknown.length > 0 ? [`the guard has never seen the tools ${unknown.join(', ')}`] : []),
  ];
}

function readReplacements(path: string): Record<string, Replacement> {
  const expected = 'expected JSON such as {"brake": {"name": "stop_motor", "arguments": {"hard": true}}}';
  let read: unknown;
  try {
    read = JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new InvalidArgumentError(
      `${path} holds no replacements: ${(cause as Error).message}; ${expected}`,
      {
        cause,
      },
    );
  }
  const entries = isObject(read) ? Object.entries(read) : [];
  const wrong = entries.find(
    ([, call]) => !isObject(call) || typeof call.name !== 'string' || !isObject(call.arguments ?? {}),
  );
  if (!isObject(read) || wrong !== undefined) {
    throw new InvalidArgumentError(
      `${path} holds no replacements${wrong ? `: "${wrong[0]}" is not a call` : ''}; ${expected}`,
    );
  }
  return Object.fromEntries(
    entries.map(([action, call]) => [action, { arguments: {}, ...(call as { name: string }) }]),
  );
}

/** Parses the address to listen on, `HOST:PORT/PATH`; host and path may be omitted. @throws InvalidArgumentError */
export function parseListen(text: string): { host: string; port: number; path: string } {
  const match = /^(?:\[([\da-f:.]+)\]|([^:/[\]]*)):(\d{1,5})(\/[^?#\s]*)?$/i.exec(text);
  const port = Number(match?.[3]);
  if (match === null || port > 65_535) {
    throw new InvalidArgumentError(
      `--listen is "${text}"; expected HOST:PORT/PATH such as 127.0.0.1:8080/mcp; port 0 is any`,
    );
  }
  return { host: match[1] ?? (match[2] || '127.0.0.1'), port, path: match[4] ?? '/mcp' };
}

/** Parses `--upstream`. @throws InvalidArgumentError */
export function parseUpstream(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new InvalidArgumentError(
    `--upstream is "${text}"; expected the address of a server, such as https://example.org/mcp`,
  );
}

/**
 * Parses the values of `--header`, each `Name: value`. `${VARIABLE}` stands for an environment variable, so that secrets need not appear
 * among the arguments, which everyone on a machine may read.
 * @throws InvalidArgumentError
 */
export function parseHeaders(
  texts: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const headers = texts.map((text): [string, string] => {
    const match = /^([\w!#$%&'*+.^`|~-]+):\s*(.*)$/.exec(text);
    if (match === null) {
      throw new InvalidArgumentError(
        'a --header is expected to be "Name: value", such as "Accept-Language: en"',
      );
    }
    const value = filledIn(match[2], `the header ${match[1]}`, environment);
    return [match[1], value];
  });
  return Object.fromEntries(headers);
}
