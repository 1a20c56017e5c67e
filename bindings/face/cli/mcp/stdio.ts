import type { Readable, Writable } from 'node:stream';
import { InvalidArgumentError } from '../../../base/errors.js';
import {
  loadSdk,
  type McpMessage,
  type McpTransport,
  messageOf,
} from '../../../runtime/adapters/mcp/index.js';
import { INSPECTIONS_KEY } from '../../node/index.js';
import { splitBatches } from './batches.js';
import { refuseInvalid } from './invalidRequests.js';

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

interface ClientModule {
  readonly StdioClientTransport: new (command: {
    command: string;
    args: string[];
    env: Record<string, string>;
    stderr: 'inherit' | 'ignore';
    maxBufferSize: number;
  }) => McpTransport & { readonly pid: number | null };
}

/**
 * Connects a client at the other end of two streams, by default those of this process. The client is gone when its stream ends.
 *
 * @param maxMessageBytes a longer message ends the connection
 * @param onEnd called when the client's stream has ended, before the connection is closed
 */
export async function stdioClient(
  maxMessageBytes: number,
  onEnd: () => Promise<void>,
  input: Readable = process.stdin,
  output: Writable = process.stdout,
): Promise<McpTransport> {
  const { StdioServerTransport } = await loadSdk<ServerModule>('server/stdio.js');
  const { JSONRPCMessageSchema: schema } = await loadSdk<TypesModule>('types.js');
  const isMessage = (value: unknown): boolean => schema.safeParse(value).success;
  const refuse = (error: McpMessage): void => void transport.send(error).catch(() => undefined);
  const messages = input
    .pipe(splitBatches(maxMessageBytes))
    .pipe(refuseInvalid(isMessage, refuse, maxMessageBytes));
  const transport: McpTransport = new StdioServerTransport(messages, output, {
    maxBufferSize: maxMessageBytes,
  });
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
  ...others
}: NodeJS.ProcessEnv): Record<string, string> {
  return others as Record<string, string>;
}

/** @param maxMessageBytes a longer message ends the server */
export async function commandServer(
  [command, ...args]: readonly string[],
  maxMessageBytes: number,
): Promise<CommandServer> {
  const { StdioClientTransport } = await loadSdk<ClientModule>('client/stdio.js');
  const transport = new StdioClientTransport({
    command,
    args,
    env: withoutSecrets(process.env),
    stderr: 'inherit',
    maxBufferSize: maxMessageBytes,
  });
  const start = transport.start.bind(transport);
  let pid: number | null = null;
  return Object.assign(transport, {
    async start(): Promise<void> {
      try {
        await start();
      } catch (cause) {
        const why =
          (cause as NodeJS.ErrnoException).code === 'ENOENT' ? 'there is no such command' : messageOf(cause);
        throw new InvalidArgumentError(`cannot run the server "${command}": ${why}`, { cause });
      }
      pid = transport.pid;
    },
    terminate: (): void => {
      try {
        if (pid !== null) process.kill(pid, 'SIGTERM');
      } catch {
        // The command has already ended.
      }
    },
  });
}
