import { isObject } from '../../base/objectKind.js';
import { callArguments } from './plainData.js';
import { TraceFault, unexpected } from './reader.js';
import type { Action } from './trace.js';

/** A call in a conversation, and what came of it; without `outcome` where the conversation ends before it was answered. */
export interface AnsweredCall {
  readonly action: Action;
  readonly outcome?: { readonly result: unknown } | { readonly error: unknown };
}

/** What a conversation holds, as far as a session of the same run would see it, and counts of what it would not. */
export interface Conversation {
  /** In the order in which they were answered; last one without an answer, where the conversation ends with it. */
  readonly calls: readonly AnsweredCall[];
  /** Calls without an answer in a conversation that goes on: they never ran. */
  readonly notRun: number;
  /** Messages of the user, and texts that answer them without a call. */
  readonly spoken: number;
  /** The last message is the answer to a call. */
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
 * Several calls of one message are taken one after the other, in the order of their answers: so a session observes the world between them.
 *
 * @param place names the list in messages of faults
 * @throws TraceFault where a message is none, or answers no call
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
    // Calls that the assistant goes on without were not carried out.
    notRun += open.length;
    open = openCalls(message, at);
    if (open.length === 0) spoken++;
  }
  if (open.length > 0) calls.push({ action: open[0].action });
  return { calls, notRun: notRun + Math.max(0, open.length - 1), spoken, endsWithAnswer };
}

/** The names of all tools that messages call. Messages that are none are passed over. */
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
    // Models write nothing at all where there is nothing to say.
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

/** Takes the call that a message answers off the open ones. */
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
    `${at} answers ${JSON.stringify(name ?? id)}, which is no call that waits for an answer (${waiting}); expected the answer to a call of the assistant's last message`,
    { expected: 'the answer to a call' },
  );
}

function isFailure(content: unknown): boolean {
  return typeof content === 'string' && /^\s*error\b/i.test(content);
}
