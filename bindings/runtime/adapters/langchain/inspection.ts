import type { Answer, Inspection, ToolCall } from '../../enforcement/index.js';
import { TO_ANOTHER } from '../askedQuestions.js';

/** The request shown to a person while the agent pauses: in the form of LangChain's own human in the loop, with the inspection itself. */
export interface LangChainInspectionRequest {
  readonly actionRequests: readonly [
    { readonly name: string; readonly args: ToolCall['arguments']; readonly description: string },
  ];
  readonly reviewConfigs: readonly [
    {
      readonly actionName: string;
      /** `edit` where the session takes other arguments. */
      readonly allowedDecisions: readonly ('approve' | 'edit' | 'reject')[];
    },
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
  readonly decisions: readonly [
    {
      readonly type: 'approve' | 'edit' | 'reject';
      readonly message?: string;
      /** With `edit`: the same tool, with all arguments that it is to run with. */
      readonly editedAction?: { readonly name: string; readonly args: ToolCall['arguments'] };
    },
  ];
  readonly id?: string;
}

const OTHER_TOOL =
  'the person wanted another call than this one, which the agent has to propose itself: of a call that was asked about only the arguments can be changed';

export function inspectionRequest(inspection: Inspection): LangChainInspectionRequest {
  const { call, question, editable } = inspection;
  return {
    actionRequests: [{ name: call.name, args: call.arguments, description: question }],
    reviewConfigs: [
      {
        actionName: call.name,
        allowedDecisions: editable ? ['approve', 'edit', 'reject'] : ['approve', 'reject'],
      },
    ],
    inspection,
  };
}

/**
 * Reads an answer, or a response of LangChain's kind; anything else counts as no.
 *
 * @param ids of the question, as it was asked before and after restarts: an answer with another id is ignored
 * @param options `tool`: whose arguments may be edited; default none, and an edit is a no. `needsId`: without an id nothing is approved; default false
 */
export function readAnswer(
  resumed: unknown,
  ids: readonly string[] = [],
  { needsId = false, tool }: { readonly needsId?: boolean; readonly tool?: string | undefined } = {},
): Answer {
  const given = resumed as Partial<LangChainAnswer & LangChainResponse> | null | undefined;
  const answer = answerOf(given, tool);
  const id = idOf(resumed);
  return (id === null ? needsId && answer.approved : !ids.includes(id as string)) ? TO_ANOTHER : answer;
}

/** The question that an answer says it is to; null where it says none. */
export function idOf(resumed: unknown): unknown {
  return (resumed as Partial<LangChainAnswer> | null | undefined)?.id ?? null;
}

function answerOf(
  given: Partial<LangChainAnswer & LangChainResponse> | null | undefined,
  tool: string | undefined,
): Answer {
  if (typeof given?.approved === 'boolean') return given as Answer;
  const [decision, ...others] = Array.isArray(given?.decisions) ? given.decisions : [];
  if (decision?.type === 'approve' && others.length === 0) return { approved: true };
  if (decision?.type === 'edit' && others.length === 0) {
    const { name, args } = decision.editedAction ?? {};
    return args === undefined || tool === undefined || name !== tool
      ? { approved: false, comment: OTHER_TOOL }
      : { approved: true, arguments: args };
  }
  return typeof decision?.message === 'string'
    ? { approved: false, comment: decision.message }
    : { approved: false };
}
