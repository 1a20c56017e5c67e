import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { InvalidArgumentError, InvalidDataError } from '../../../base/errors.js';
import {
  answerToNone,
  errorResponse,
  INVALID_REQUEST,
  type LongMessage,
  loadSdk,
  type McpMessage,
  type McpTransport,
  messageOf,
  responseTooLong,
} from '../../../runtime/adapters/mcp/index.js';
import { INSPECTIONS_KEY } from '../../node/index.js';
import { MODEL_KEY } from '../modelKey.js';
import { hasBatches, splitBatches } from './batches.js';
import { refuseInvalid } from './invalidRequests.js';
import { limitLines, MessageLines } from './messageLines.js';
import { RUNS } from './runsVariable.js';

interface ServerModule {
  readonly StdioServerTransport: new (
    input: Readable,
    output: Writable,
    options: { maxBufferSize: number },
  ) => McpTransport;
}

interface TypesModule {
  readonly JSONRPCMessageSchema: { safeParse(value: unknown): { readonly success: boolean } };
}

/** Whether a value is a message of the protocol. */
export async function messageCheck(): Promise<(value: unknown) => boolean> {
  const { JSONRPCMessageSchema: schema } = await loadSdk<TypesModule>('types.js');
  return (value) => schema.safeParse(value).success;
}

/**
 * What takes the place of a message that is too long: of a response an error, so that nobody waits for it; of a request nothing, but its sender is told.
 *
 * @param refuse sends an error to the sender of a request
 */
export function insteadOf(
  message: LongMessage,
  maxBytes: number,
  refuse: (error: McpMessage) => void,
): string | null {
  const { id, method, bytes } = message;
  if (id === undefined) return null;
  if (method === undefined) return JSON.stringify(responseTooLong({ id, bytes }, maxBytes));
  refuse(errorResponse(id, INVALID_REQUEST, tooLong(method, bytes, maxBytes)));
  return null;
}

function tooLong(what: string, bytes: number, maxBytes: number): string {
  return `${what} has ${bytes} bytes, more than the ${maxBytes} that a message may have (--max-message)`;
}

/**
 * Connects a client at the other end of two streams, by default those of this process. The client is gone when its stream ends.
 *
 * @param maxMessageBytes a longer message is not read; if it is a request, it is answered by an error
 * @param onEnd called when the client's stream has ended, before the connection is closed
 */
export async function stdioClient(
  maxMessageBytes: number,
  onEnd: () => Promise<void>,
  input: Readable = process.stdin,
  output: Writable = process.stdout,
): Promise<McpTransport> {
  const { StdioServerTransport } = await loadSdk<ServerModule>('server/stdio.js');
  const isMessage = await messageCheck();
  let agreed: string | undefined;
  const refuse = (error: McpMessage): void => void transport.send(error).catch(() => undefined);
  const limited = limitLines(maxMessageBytes, (message) => {
    if (message.id === undefined && message.method === undefined)
      refuse(answerToNone(INVALID_REQUEST, tooLong('a message', message.bytes, maxMessageBytes)));
    return insteadOf(message, maxMessageBytes, refuse);
  });
  const messages = input
    .pipe(limited)
    .pipe(splitBatches(maxMessageBytes, () => hasBatches(agreed)))
    .pipe(refuseInvalid(isMessage, refuse, maxMessageBytes));
  const transport: McpTransport = new StdioServerTransport(messages, output, {
    // The lines that arrive are limited already.
    maxBufferSize: Number.POSITIVE_INFINITY,
  });
  transport.setProtocolVersion = (version) => {
    agreed = version;
  };
  messages.on('end', () => void onEnd().finally(() => transport.close()));
  return transport;
}

/** A server that is a command of this machine, with the environment of this process except the key of inspections. */
export interface CommandServer extends McpTransport {
  /** Asks the command to end, if it does not end by itself. */
  readonly terminate: () => void;
}

/** The environment without the secrets of the guard. */
export function withoutSecrets({
  [INSPECTIONS_KEY]: _,
  [MODEL_KEY]: __,
  [RUNS]: ___,
  ...others
}: NodeJS.ProcessEnv): Record<string, string> {
  return others as Record<string, string>;
}

/** Milliseconds that a command has to end after its standard input has, and again after a signal. */
const END_MS = 2000;

/**
 * Runs a command that serves its standard input.
 *
 * @param maxMessageBytes a longer message is not read; the request that it answers is answered by an error
 * @param env the command's environment
 */
export async function commandServer(
  [command, ...args]: readonly string[],
  maxMessageBytes: number,
  env: Readonly<Record<string, string>> = withoutSecrets(process.env),
): Promise<CommandServer> {
  const isMessage = await messageCheck();
  let child: ChildProcess | null = null;
  let ended = Promise.resolve();
  const read = (line: Buffer): void => {
    const text = line.toString('utf8').trim();
    if (text === '') return;
    try {
      const message: unknown = JSON.parse(text);
      if (!isMessage(message)) throw new InvalidDataError('it is not a message of the protocol');
      transport.onmessage?.(message as McpMessage);
    } catch (error) {
      transport.onerror?.(new Error(`a line of "${command}" was left out: ${messageOf(error)}`));
    }
  };
  const transport: CommandServer = {
    async start(): Promise<void> {
      const started = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'inherit'], windowsHide: true });
      await new Promise<void>((resolve, reject) => {
        started.once('spawn', resolve);
        started.once('error', (cause: NodeJS.ErrnoException) => {
          const why = cause.code === 'ENOENT' ? 'there is no such command' : messageOf(cause);
          reject(new InvalidArgumentError(`cannot run the server "${command}": ${why}`, { cause }));
        });
      });
      child = started;
      ended = new Promise((resolve) => {
        started.once('close', () => {
          child = null;
          resolve();
          transport.onclose?.();
        });
      });
      const onerror = (error: Error): void => transport.onerror?.(error);
      const lines = new MessageLines(maxMessageBytes, (message) => {
        if (message.id === undefined || message.method !== undefined)
          onerror(
            new Error(
              `${message.method ?? 'a message'} of ${message.bytes} bytes was left out: it is too long`,
            ),
          );
        return insteadOf(message, maxMessageBytes, (error) => void transport.send(error).catch(onerror));
      });
      // Read at once: what a command says last comes before its end.
      started.stdout.on('data', (chunk: Buffer) => lines.take(chunk).forEach(read));
      started.stdout.on('end', () => lines.end().forEach(read));
      for (const one of [started, started.stdin, started.stdout]) one.on('error', onerror);
    },
    async send(message): Promise<void> {
      const stdin = child?.stdin;
      if (!stdin?.writable) throw new Error('the command has ended');
      if (!stdin.write(`${JSON.stringify(message)}\n`)) await Promise.race([once(stdin, 'drain'), ended]);
    },
    async close(): Promise<void> {
      child?.stdin?.end();
      for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
        await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, END_MS).unref())]);
        child?.kill(signal);
      }
    },
    terminate: () => void child?.kill('SIGTERM'),
  };
  return transport;
}
