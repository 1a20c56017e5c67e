import type { Answer, Inspection, ToolCall } from '../../enforcement/index.js';
import { TO_ANOTHER } from '../askedQuestions.js';

/** The request shown to a person while the agent pauses: in the form of LangChain's own human in the loop, with the inspection itself. */
export interface LangChainInspectionRequest {
  readonly actionRequests: readonly [
    { readonly name: string; readonly args: ToolCall['arguments']; readonly description: string },
  ];
  readonly reviewConfigs: readonly [
    { readonly actionName: string; readonly allowedDecisions: readonly ['approve', 'reject'] },
  ];
  readonly inspection: Inspection;
}

/** An answer that names its question. */
export interface LangChainAnswer extends Answer {
  /** Id of the inspection. An answer with another inspection's id is ignored; without an id a yes counts only if it cannot belong to another question. */
  readonly id?: string;
}

/** A response in the form of LangChain's own human in the loop. The agent is resumed with one, or with an answer; both may have the inspection's `id`. */
export interface LangChainResponse {
  readonly decisions: readonly [{ readonly type: 'approve' | 'reject'; readonly message?: string }];
  readonly id?: string;
}

export function inspectionRequest(inspection: Inspection): LangChainInspectionRequest {
  const { call, question } = inspection;
  return {
    actionRequests: [{ name: call.name, args: call.arguments, description: question }],
    reviewConfigs: [{ actionName: call.name, allowedDecisions: ['approve', 'reject'] }],
    inspection,
  };
}

/**
 * Reads an answer, or a response of LangChain's kind; anything else counts as no.
 *
 * @param ids of the question, as it was asked before and after restarts: an answer with another id is ignored
 * @param options `needsId`: without an id nothing is approved; default false
 */
export function readAnswer(
  resumed: unknown,
  ids: readonly string[] = [],
  { needsId = false }: { readonly needsId?: boolean } = {},
): Answer {
  const given = resumed as Partial<LangChainAnswer & LangChainResponse> | null | undefined;
  const answer = answerOf(given);
  const id = idOf(resumed);
  return (id === null ? needsId && answer.approved : !ids.includes(id as string)) ? TO_ANOTHER : answer;
}

/** The question that an answer says it is to; null where it says none. */
export function idOf(resumed: unknown): unknown {
  return (resumed as Partial<LangChainAnswer> | null | undefined)?.id ?? null;
}

function answerOf(given: Partial<LangChainAnswer & LangChainResponse> | null | undefined): Answer {
  if (typeof given?.approved === 'boolean') return given as Answer;
  const [decision, ...others] = Array.isArray(given?.decisions) ? given.decisions : [];
  if (decision?.type === 'approve' && others.length === 0) return { approved: true };
  return typeof decision?.message === 'string'
    ? { approved: false, comment: decision.message }
    : { approved: false };
}
