import type { ToolCall, ToolOutcome } from '../../enforcement/index.js';

/** A tool call in LangChain's form. */
export interface LangChainToolCall {
  readonly id?: string;
  readonly name: string;
  // biome-ignore lint/suspicious/noExplicitAny: as LangChain types it
  readonly args: Record<string, any>;
}

/** The part that is read of LangChain's messages. */
export interface LangChainMessage {
  readonly type: string;
  readonly content?: unknown;
  readonly status?: string;
  readonly tool_calls?: readonly LangChainToolCall[];
  readonly tool_call_id?: string;
}

/** The part used of the runtime that LangChain passes to middleware. */
export interface LangChainRuntime {
  readonly configurable?: { readonly thread_id?: string; readonly [key: string]: unknown };
  /** Pauses the run to show `value` to a person, and returns their answer; needs a checkpointer. */
  readonly interrupt?: (value: unknown) => unknown;
  readonly signal?: AbortSignal;
}

/** The calls that a message of the model proposes. Calls named `extract-…` are its structured output, which no tool answers. */
export function proposedCalls({ tool_calls = [] }: LangChainMessage): ToolCall[] {
  return tool_calls.filter(({ name }) => !name.startsWith('extract-')).map(asToolCall);
}

/** The calls of the model's last message that no message answers yet. */
export function unanswered(messages: readonly LangChainMessage[]): ToolCall[] {
  const last = messages.findLastIndex(({ type }) => type === 'ai');
  if (last < 0) return [];
  const answered = new Set(messages.slice(last + 1).map(({ tool_call_id }) => tool_call_id));
  return proposedCalls(messages[last]).filter(({ id }) => !answered.has(id));
}

export function asToolCall({ id = '', name, args }: LangChainToolCall): ToolCall {
  return { id, name, arguments: args };
}

/** Whether LangGraph threw this to pause or leave a node: it is not an error, and the call has not ended. */
export function isPause(error: unknown): boolean {
  return (error as { is_bubble_up?: unknown } | null | undefined)?.is_bubble_up === true;
}

export function asMessage(result: unknown): LangChainMessage | null {
  const message = result as LangChainMessage | null | undefined;
  return message?.type === 'tool' ? message : null;
}

/** Tools answer with messages, or with commands to the graph: these count as having no result, but the agent reads the messages in them, and so do detectors. */
export function plainOutcome(outcome: ToolOutcome): ToolOutcome {
  if ('error' in outcome) return outcome;
  const message = asMessage(outcome.result);
  if (message === null) return { result: null, shown: outcome.result };
  return message.status === 'error' ? { error: message.content } : { result: message.content };
}
