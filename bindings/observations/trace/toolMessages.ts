import { isObject } from '../../base/objectKind.js';
import { callArguments } from './plainData.js';
import { TraceFault, unexpected } from './reader.js';
import type { Action } from './trace.js';

/** A call in a conversation, and its outcome; `outcome` is absent if the conversation ends before the call is answered. */
export interface AnsweredCall {
  readonly action: Action;
  readonly outcome?: { readonly result: unknown } | { readonly error: unknown };
}

/** The parts of a conversation that a session of the same run would see, and counts of the others. */
export interface Conversation {
  /** In the order of their answers; a call without an answer comes last if the conversation ends with it. */
  readonly calls: readonly AnsweredCall[];
  /** Calls that were not answered before the conversation continued: they never ran. */
  readonly notRun: number;
  /** Number of user messages and of replies without a call. */
  readonly spoken: number;
  /** Whether the last message is the answer to a call. */
  readonly endsWithAnswer: boolean;
}

interface OpenCall {
  readonly id: unknown;
  readonly action: Action;
}

/**
 * Reads the calls of a conversation in the chat format of OpenAI: messages of the assistant have `tool_calls`, messages of the role `tool` answer
 * them, by `tool_call_id` or else by `name`. An answer that begins with "Error" is a failure.
 *
 * Several calls in one message are read one after another, in the order of their answers, because a session observes the world between them.
 *
 * @param place names the list in messages of faults
 * @throws TraceFault if an element is not a message, or answers no call
 */
export function readConversation(messages: readonly unknown[], place: string): Conversation {
  const calls: AnsweredCall[] = [];
  let open: OpenCall[] = [];
  let notRun = 0;
  let spoken = 0;
  let endsWithAnswer = false;
  for (const [i, message] of messages.entries()) {
    const at = `${place}[${i}]`;
    if (!isObject(message)) throw unexpected(at, message, 'a message');
    const { role, content } = message;
    if (typeof role !== 'string') throw unexpected(`${at}.role`, role, 'a string');
    endsWithAnswer = role === 'tool';
    if (role === 'tool') {
      const action = takeAnswered(open, message, at);
      calls.push({ action, outcome: isFailure(content) ? { error: content } : { result: content } });
      continue;
    }
    if (role === 'user') spoken++;
    if (role !== 'assistant') continue;
    // Calls that are still open when the assistant continues were not carried out.
    notRun += open.length;
    open = openCalls(message, at);
    if (open.length === 0) spoken++;
  }
  if (open.length > 0) calls.push({ action: open[0].action });
  return { calls, notRun: notRun + Math.max(0, open.length - 1), spoken, endsWithAnswer };
}

/** The names of all tools that messages call. Elements that are not messages are skipped. */
export function calledTools(messages: readonly unknown[]): string[] {
  return messages.flatMap((message) =>
    isObject(message) && Array.isArray(message.tool_calls)
      ? message.tool_calls.flatMap((call: unknown) =>
          isObject(call) && isObject(call.function) && typeof call.function.name === 'string'
            ? [call.function.name]
            : [],
        )
      : [],
  );
}

function openCalls(message: Readonly<Record<string, unknown>>, at: string): OpenCall[] {
  const { tool_calls: found = null } = message;
  if (found === null) return [];
  if (!Array.isArray(found)) throw unexpected(`${at}.tool_calls`, found, 'an array of calls');
  return found.map((call: unknown, i) => {
    const where = `${at}.tool_calls[${i}]`;
    if (!isObject(call) || !isObject(call.function)) throw unexpected(where, call, 'a call with a function');
    const { name, arguments: given } = call.function;
    if (typeof name !== 'string') throw unexpected(`${where}.function.name`, name, 'the name of a tool');
    // Models may omit the arguments of a call without any.
    const nothing = given === undefined || given === null || given === '';
    const read = nothing ? {} : callArguments(given);
    if (read === undefined)
      throw unexpected(
        `${where}.function.arguments`,
        given,
        'at most 1,000,000 values, nested at most 1000 deep',
      );
    return { id: call.id, action: { name, arguments: read } };
  });
}

/** Removes the call that a message answers from the open calls. */
function takeAnswered(open: OpenCall[], message: Readonly<Record<string, unknown>>, at: string): Action {
  const { tool_call_id: id, name } = message;
  if (id === undefined && typeof name !== 'string')
    throw unexpected(`${at}.name`, name, 'the name of a tool, or a tool_call_id');
  const answered = open.findIndex(
    (call) => (id === undefined || call.id === id) && (name === undefined || call.action.name === name),
  );
  if (answered >= 0) return open.splice(answered, 1)[0].action;
  const waiting = open.map((call) => call.action.name).join(', ') || 'none';
  throw new TraceFault(
    `${at} answers ${JSON.stringify(name ?? id)}, which is not a call that waits for an answer (${waiting}); expected the answer to a call of the assistant's last message`,
    { expected: 'the answer to a call' },
  );
}

function isFailure(content: unknown): boolean {
  return typeof content === 'string' && /^\s*error\b/i.test(content);
}
