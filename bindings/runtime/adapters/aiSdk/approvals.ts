/** A person's answer to a request for approval, as `ai` carries it in its messages. */
export interface Approval {
  readonly id: string;
  readonly toolCallId: string;
  readonly approved: boolean;
  readonly comment: string | undefined;
  /** Not acted on yet: `ai` acts on answers in the last of the messages it is called with. */
  readonly current: boolean;
}

interface Part {
  readonly type?: unknown;
  readonly approvalId?: unknown;
  readonly toolCallId?: unknown;
  readonly approved?: unknown;
  readonly reason?: unknown;
}

/** Reads the answers in the messages of `ai`, in their order; skips anything of another form. */
export function approvalsIn(messages: unknown): Approval[] {
  if (!Array.isArray(messages)) return [];
  const contents = messages.map(partsOf);
  const calls = new Map<unknown, unknown>();
  for (const parts of contents)
    for (const { type, approvalId, toolCallId } of parts)
      if (type === 'tool-approval-request') calls.set(approvalId, toolCallId);
  const answeredInLast = new Set(
    (contents.at(-1) ?? []).filter(({ type }) => type === 'tool-result').map(({ toolCallId }) => toolCallId),
  );
  return contents.flatMap((parts, index) =>
    parts.flatMap(({ type, approvalId, approved, reason }): Approval[] => {
      const toolCallId = calls.get(approvalId);
      if (
        type !== 'tool-approval-response' ||
        typeof approvalId !== 'string' ||
        typeof toolCallId !== 'string'
      )
        return [];
      return [
        {
          id: approvalId,
          toolCallId,
          approved: approved === true,
          comment: typeof reason === 'string' ? reason : undefined,
          current: index === contents.length - 1 && !answeredInLast.has(toolCallId),
        },
      ];
    }),
  );
}

function partsOf(message: unknown): readonly Part[] {
  const content = (message as { readonly content?: unknown } | null)?.content;
  return Array.isArray(content) ? content.filter((part) => typeof part === 'object' && part !== null) : [];
}
