import { InvalidDataError } from '../../../base/errors.js';
import { isObject } from '../../../base/objectKind.js';
import { messageOf } from './message.js';
import type { Peer } from './peer.js';
import { textOf } from './toolResult.js';

/**
 * Observes the world by a tool of the server: the state is its structured content, or its text as JSON.
 *
 * @throws McpRequestError if the server does not answer; InvalidDataError if its answer is not a state
 */
export async function observeByTool(
  server: Peer,
  name: string,
  timeoutMs: number,
): Promise<Record<string, unknown>> {
  const signal = AbortSignal.timeout(timeoutMs);
  const result = await server.request('tools/call', { name, arguments: {} }, { signal });
  const text = textOf(result);
  if (result.isError === true) throw new InvalidDataError(`tool "${name}" failed: ${text ?? 'no message'}`);
  const state = result.structuredContent ?? parsed(name, text);
  if (!isObject(state)) {
    throw new InvalidDataError(
      `tool "${name}" observes no state: expected a JSON object such as {"doorOpen": true}`,
    );
  }
  return state as Record<string, unknown>;
}

function parsed(name: string, text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch (cause) {
    throw new InvalidDataError(
      `tool "${name}" observes no state: its text is not JSON: ${messageOf(cause)}`,
      {
        cause,
      },
    );
  }
}
