import type { ToolCall } from '../../enforcement/index.js';
import { isSameCall } from '../sameCall.js';

/** A person's answer to a request for approval, as `ai` carries it in its messages. */
export interface Approval {
  readonly id: string;
  readonly toolCallId: string;
  /** The call that the request was about; null if that cannot be told, because other calls of its step have the same id. */
  readonly call: ToolCall | null;
  readonly approved: boolean;
  readonly comment: string | undefined;
  /** Not acted on yet: `ai` acts on answers in the last of the messages it is called with. */
  readonly current: boolean;
}

interface Part {
  readonly type?: unknown;
  readonly approvalId?: unknown;
  readonly toolCallId?: unknown;
  readonly toolName?: unknown;
  readonly input?: unknown;
  readonly approved?: unknown;
  readonly reason?: unknown;
}

/** Reads the answers in the messages of `ai`, in their order; skips anything of another form. */
export function approvalsIn(messages: unknown): Approval[] {
  if (!Array.isArray(messages)) return [];
  const contents = messages.map(partsOf);
  const requests = requestsIn(contents);
  const answeredInLast = new Set(
    (contents.at(-1) ?? []).filter(({ type }) => type === 'tool-result').map(({ toolCallId }) => toolCallId),
  );
  return contents.flatMap((parts, index) =>
    parts.flatMap(({ type, approvalId, approved, reason }): Approval[] => {
      const request = requests.get(approvalId);
      if (type !== 'tool-approval-response' || typeof approvalId !== 'string' || request === undefined)
        return [];
      const { toolCallId } = request;
      return [
        {
          id: approvalId,
          ...request,
          approved: approved === true,
          comment: typeof reason === 'string' ? reason : undefined,
          current: index === contents.length - 1 && !answeredInLast.has(toolCallId),
        },
      ];
    }),
  );
}

type Request = Pick<Approval, 'toolCallId' | 'call'>;

/** By approval: what was to be approved. `ai` itself takes the last call of the id in all messages for it. */
function requestsIn(contents: readonly (readonly Part[])[]): Map<unknown, Request> {
  const requests = new Map<unknown, Request>();
  const latest = new Map<string, ToolCall | null>();
  for (const parts of contents) {
    const inStep = new Map<string, ToolCall | null>();
    for (const { type, toolCallId: id, toolName, input } of parts) {
      if (type !== 'tool-call' || typeof id !== 'string') continue;
      const call = { id, name: toolName, arguments: input } as ToolCall;
      const other = inStep.get(id);
      inStep.set(id, other === undefined || (other !== null && isSameCall(other, call)) ? call : null);
    }
    for (const [id, call] of inStep) latest.set(id, call);
    for (const { type, approvalId, toolCallId } of parts)
      if (type === 'tool-approval-request' && typeof toolCallId === 'string')
        requests.set(approvalId, { toolCallId, call: latest.get(toolCallId) ?? null });
  }
  return requests;
}

function partsOf(message: unknown): readonly Part[] {
  const content = (message as { readonly content?: unknown } | null)?.content;
  return Array.isArray(content) ? content.filter((part) => typeof part === 'object' && part !== null) : [];
}
