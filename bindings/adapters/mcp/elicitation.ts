import type { Answer, Inspection } from '../../enforcement/index.js';
import { requestIdOf } from './message.js';
import type { Peer } from './peer.js';

/** Whether a client that declares these capabilities shows forms to a person. */
export function canElicit(capabilities: unknown): boolean {
  const elicitation = (capabilities as { elicitation?: unknown } | undefined)?.elicitation;
  if (typeof elicitation !== 'object' || elicitation === null) return false;
  // The first version of elicitation had forms only, and declared them by an empty object.
  return Object.keys(elicitation).length === 0 || 'form' in elicitation;
}

/**
 * Asks the person at the client, in the course of one of its requests.
 * @throws McpRequestError if the client cannot ask, or the signal aborts
 */
export async function elicit(
  client: Peer,
  { question, call }: Inspection,
  signal: AbortSignal,
): Promise<Answer> {
  const params = {
    message: question,
    requestedSchema: {
      type: 'object',
      properties: {
        approve: { type: 'boolean', title: 'Let this call run', default: false },
        comment: { type: 'string', title: 'A word to the agent' },
      },
      required: ['approve'],
    },
  };
  const { action, content } = await client.request('elicitation/create', params, {
    related: requestIdOf(call),
    signal,
  });
  const { approve, comment } = (content ?? {}) as Readonly<Record<string, unknown>>;
  return {
    approved: action === 'accept' && approve === true,
    by: 'the client',
    ...(typeof comment === 'string' && comment !== '' && { comment }),
  };
}
