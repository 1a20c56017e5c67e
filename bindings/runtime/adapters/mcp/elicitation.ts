import { type Answer, type Inspection, shownQuestion } from '../../enforcement/index.js';
import { requestIdOf } from './message.js';
import { McpRequestError, type Peer } from './peer.js';

/** Whether a client that declares these capabilities shows forms to a person. */
export function canElicit(capabilities: unknown): boolean {
  const elicitation = (capabilities as { elicitation?: unknown } | undefined)?.elicitation;
  if (typeof elicitation !== 'object' || elicitation === null) return false;
  // The first version of elicitation had only forms, declared by an empty object.
  return Object.keys(elicitation).length === 0 || 'form' in elicitation;
}

/** Maximum number of characters of a question that a person can read through. */
const MAX_SHOWN = 20_000;

/**
 * Asks the person at the client, in the course of one of its requests: shows the question and the call with its arguments as JSON, with redacted fields hidden.
 * @throws McpRequestError if the client cannot ask, the arguments are too long to be shown, or the signal aborts
 */
export async function elicit(client: Peer, inspection: Inspection, signal: AbortSignal): Promise<Answer> {
  const message = shownQuestion(inspection).join('\n');
  // Nobody may approve a call that they cannot see in full.
  if (message.length > MAX_SHOWN)
    throw new McpRequestError(
      `the arguments are too long to be shown to a person: ${message.length} characters`,
    );
  const params = {
    message,
    requestedSchema: {
      type: 'object',
      properties: {
        approve: { type: 'boolean', title: 'Let this call run', default: false },
        comment: { type: 'string', title: 'A message to the agent' },
        ...(inspection.editable && {
          arguments: { type: 'string', title: 'Other arguments to run it with: all of them, as JSON' },
        }),
      },
      required: ['approve'],
    },
  };
  const { action, content } = await client.request('elicitation/create', params, {
    related: requestIdOf(inspection.call),
    signal,
  });
  const { approve, comment, arguments: edited } = (content ?? {}) as Readonly<Record<string, unknown>>;
  const answer = {
    approved: action === 'accept' && approve === true,
    by: 'the client',
    ...(typeof comment === 'string' && comment !== '' && { comment }),
  };
  if (!answer.approved || typeof edited !== 'string' || edited.trim() === '') return answer;
  try {
    return { ...answer, arguments: JSON.parse(edited) as NonNullable<Answer['arguments']> };
  } catch {
    throw new McpRequestError('the other arguments that the person gave are not JSON');
  }
}
