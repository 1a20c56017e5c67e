import { InvalidArgumentError, InvalidDataError } from '../../../base/errors.js';
import { isObject } from '../../../base/objectKind.js';
import { type ConnectedTools, connectTools, messageOf } from '../../../runtime/adapters/mcp/index.js';
import { commandServer } from '../mcp/stdio.js';
import { version } from '../version.js';
import { readTools, type ToolDescription } from './toolDescription.js';

const MAX_MESSAGE_BYTES = 10 * 2 ** 20;

/** The tools of a server as it lists them, and what it calls itself. */
export interface ServerTools {
  readonly source: string;
  readonly tools: ConnectedTools['tools'];
}

/**
 * Starts a server of the Model Context Protocol, asks it for its tools, and ends it.
 *
 * @throws InvalidArgumentError if the command cannot be run; InvalidDataError if the server does not answer; NotSupportedError if the protocol's SDK is absent
 */
export async function listedTools(command: readonly string[]): Promise<ServerTools> {
  const { source, tools, end } = await connectedTools(command);
  await end();
  return { source, tools };
}

/** A server that runs until `end`. */
export interface RunningServer extends ServerTools, Pick<ConnectedTools, 'call'> {
  readonly end: () => Promise<void>;
}

/** The same, and the server stays, so that its tools can be called. */
export async function connectedTools(command: readonly string[]): Promise<RunningServer> {
  const server = await commandServer(command, MAX_MESSAGE_BYTES);
  const what = command.join(' ');
  try {
    const { serverInfo, tools, call, close } = await connectTools(server, { name: 'foreguard', version });
    return {
      source: isObject(serverInfo) && typeof serverInfo.name === 'string' ? serverInfo.name : what,
      tools,
      call,
      end: async () => {
        await close();
        server.terminate();
      },
    };
  } catch (cause) {
    server.terminate();
    // The command itself cannot be run.
    if (cause instanceof InvalidArgumentError) throw cause;
    throw new InvalidDataError(
      `the server "${what}" does not list its tools: ${messageOf(cause)}; expected a server of the Model Context Protocol on standard input`,
      { cause },
    );
  }
}

/** The same, as `init` reads tools. @throws also InvalidDataError if there are none */
export async function serverTools(command: readonly string[]): Promise<ToolDescription[]> {
  const { source, tools } = await listedTools(command);
  return readTools(tools, source);
}
