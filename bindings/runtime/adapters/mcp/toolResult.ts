import type { ToolOutcome, Verdict } from '../../enforcement/index.js';
import { isTooLong, type McpMessage } from './message.js';

type Result = Readonly<Record<string, unknown>>;

/** What ran in place of a call. */
export type ReplacedKind = 'same-tool' | 'other' | 'promised-other';

/** An ordinary result that states why a call did not run: it reaches the agent in its conversation. */
export function refusal(text: string, verdict?: Verdict, differences: readonly string[] = []): Result {
  return {
    content: [{ type: 'text', text }],
    isError: true,
    ...(verdict && { _meta: { 'foreguard/verdict': summary(verdict, differences) } }),
  };
}

/** The response as the client gets it: an answer that was too long is a result that says so, which reaches the agent in its conversation. */
export function told(response: McpMessage): McpMessage {
  const { error, ...rest } = response;
  return error !== undefined && isTooLong(error) ? { ...rest, result: refusal(error.message) } : response;
}

/**
 * The result of the replacement of a call, with a note that says so.
 *
 * @param kind whether the requested tool ran, with other arguments; and if not, whether it has an output schema: clients refuse results of another form unless they
 * are errors
 */
export function replacedResult(result: Result, verdict: Verdict, kind: ReplacedKind): Result {
  const note = { type: 'text', text: verdict.message ?? verdict.explanation };
  const { structuredContent, ...rest } = result;
  const content = Array.isArray(result.content) ? result.content : [];
  const told =
    content.length === 0 && structuredContent !== undefined
      ? [{ type: 'text', text: JSON.stringify(structuredContent) }]
      : content;
  return {
    ...rest,
    content: [note, ...told],
    ...(kind === 'same-tool' && structuredContent !== undefined && { structuredContent }),
    ...(kind === 'promised-other' && { isError: true }),
    _meta: { ...(result._meta as object | undefined), 'foreguard/verdict': summary(verdict) },
  };
}

/** The verdict for programs; the message is for the agent. */
function summary(
  { decision, reason, rule, ends, step }: Verdict,
  differences: readonly string[] = [],
): object {
  return {
    ...{ decision, reason, rule, ends },
    ...(step && { risk: step.risk }),
    ...(differences.length > 0 && { differences }),
  };
}

/**
 * Reads the outcome of a call from its response: its data if it has any, its text, or the whole result. Clients put before the agent whatever the response holds, so
 * that detectors are shown what this leaves out.
 */
export function outcomeOf({ result, error }: McpMessage): ToolOutcome {
  // It ran, and no predicate may take a result that nobody has read for an empty one.
  if (error !== undefined && isTooLong(error)) return { result: new Error(error.message) };
  if (result === undefined)
    return {
      error: error?.message ?? 'no result',
      ...(error?.data !== undefined && { shown: error.data }),
    };
  const text = textOf(result);
  const { structuredContent } = result;
  const isPart = structuredContent !== undefined || (text === undefined && result.isError === true);
  const shown = isPart ? { shown: result } : {};
  if (result.isError === true) return { error: text ?? 'failed', ...shown };
  return { result: structuredContent ?? text ?? result, ...shown };
}

/** The text of a result that consists only of text. */
export function textOf({ content }: Result): string | undefined {
  if (!Array.isArray(content) || content.length === 0) return undefined;
  const texts = content.map((part) => (part?.type === 'text' ? part.text : undefined));
  return texts.every((text) => typeof text === 'string') ? texts.join('\n') : undefined;
}
