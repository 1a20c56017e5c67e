import type { Answer, Inspection, ToolCall } from '../../enforcement/index.js';

/** What a person is shown where the agent pauses: a request as LangChain's own human in the loop makes it, and the inspection itself. */
export interface LangChainInspectionRequest {
  readonly actionRequests: readonly [
    { readonly name: string; readonly args: ToolCall['arguments']; readonly description: string },
  ];
  readonly reviewConfigs: readonly [
    { readonly actionName: string; readonly allowedDecisions: readonly ['approve', 'reject'] },
  ];
  readonly inspection: Inspection;
}

/** A response as LangChain's own human in the loop takes it. The agent is resumed with one, or with an `Answer`. */
export interface LangChainResponse {
  readonly decisions: readonly [{ readonly type: 'approve' | 'reject'; readonly message?: string }];
}

export function inspectionRequest(inspection: Inspection): LangChainInspectionRequest {
  const { call, question } = inspection;
  return {
    actionRequests: [{ name: call.name, args: call.arguments, description: question }],
    reviewConfigs: [{ actionName: call.name, allowedDecisions: ['approve', 'reject'] }],
    inspection,
  };
}

/** Reads an answer, or a response of LangChain's kind; anything else counts as no. */
export function readAnswer(resumed: unknown): Answer {
  const given = resumed as Partial<Answer & LangChainResponse> | null | undefined;
  if (typeof given?.approved === 'boolean') return given as Answer;
  const [decision, ...others] = Array.isArray(given?.decisions) ? given.decisions : [];
  if (decision?.type === 'approve' && others.length === 0) return { approved: true };
  return typeof decision?.message === 'string'
    ? { approved: false, comment: decision.message }
    : { approved: false };
}
