import { readDocument } from './document.js';
import { callArguments } from './plainData.js';
import { isObject, parseJson, type ReadOptions, readOrSkip, TraceFault, unexpected } from './reader.js';
import type { Action, Step, Trace } from './trace.js';

/**
 * Reads conversations of tau-bench: one JSON array of `{ task_id, trial, reward, traj }`, read as a whole
 * (`maxLineBytes` limits its length; faults inside it are at line 1 and name the conversation).
 *
 * A trace has one step after each message of `traj`. Its state is `{ role, lastTool, lastToolFailed, calls, turns, failed }`:
 * - `role`: who wrote the message, `system`, `user`, `assistant` or `tool`;
 * - `lastTool`, `lastToolFailed`: the tool that answered last, and whether its answer began with "Error"; `""` and false before;
 * - `calls`: answers so far per tool, an entry (0 at first) for each tool that is called anywhere in the file, since a missing
 *   field is an error in predicates;
 * - `turns`: messages of the user so far;
 * - `failed`: true in the last step where `reward` is 0, else false. It is the judge's verdict, not something an agent sees.
 *
 * The action of a step is what the assistant does next: the tool it calls, with its arguments (the first, should a message
 * call several), or `respond`, tau-bench's name for answering the user. All traces are complete. The id is
 * `task-<task_id>-trial-<trial>`.
 *
 * @throws ParseError unless `skipInvalid` is set.
 * @see Yao et al., tau-bench, 2024, arXiv:2406.12045
 */
export async function* readTauBench(
  chunks: AsyncIterable<Uint8Array>,
  options: ReadOptions,
): AsyncGenerator<Trace[]> {
  const text = await readDocument(chunks, options);
  const conversations = readOrSkip(() => parseConversations(text), 1, options) ?? [];
  const tools = toolNames(conversations);
  for (let i = 0; i < conversations.length; i++) {
    const trace = readOrSkip(() => toTrace(conversations[i], `conversation ${i}`, tools), 1, options);
    if (trace !== undefined) yield [trace];
  }
}

function parseConversations(text: string | TraceFault): unknown[] {
  if (typeof text !== 'string') throw text;
  const conversations = parseJson(text);
  if (!Array.isArray(conversations)) throw unexpected('the file', conversations, 'an array of conversations');
  return conversations;
}

/** All tools called in the file, sorted. */
function toolNames(conversations: readonly unknown[]): string[] {
  const names = new Set<string>();
  for (const conversation of conversations) {
    if (!isObject(conversation) || !Array.isArray(conversation.traj)) continue;
    for (const message of conversation.traj) {
      if (!isObject(message)) continue;
      if (message.role === 'tool' && typeof message.name === 'string') names.add(message.name);
      const action = message.role === 'assistant' ? chosenAction(message) : undefined;
      if (action !== undefined && action.name !== RESPOND) names.add(action.name);
    }
  }
  return [...names].sort();
}

function toTrace(conversation: unknown, place: string, tools: readonly string[]): Trace {
  if (!isObject(conversation)) throw unexpected(place, conversation, 'an object with traj and reward');
  const { task_id: task, trial, reward, traj } = conversation;
  if (typeof reward !== 'number') throw unexpected(`${place}.reward`, reward, 'a number');
  if (!Array.isArray(traj)) throw unexpected(`${place}.traj`, traj, 'an array of messages');
  if (traj.length === 0)
    throw new TraceFault(`${place} has no messages; expected at least one`, { reason: 'empty' });
  const counts: Record<string, number> = Object.fromEntries(tools.map((name) => [name, 0]));
  let calls: Readonly<Record<string, number>> = { ...counts };
  let lastTool = '';
  let lastToolFailed = false;
  let turns = 0;
  const steps = traj.map((message: unknown, i): Step => {
    const at = `${place}.traj[${i}]`;
    if (!isObject(message)) throw unexpected(at, message, 'a message');
    const { role, name, content } = message;
    if (typeof role !== 'string') throw unexpected(`${at}.role`, role, 'a string');
    if (role === 'user') turns++;
    if (role === 'tool') {
      if (typeof name !== 'string') throw unexpected(`${at}.name`, name, 'the name of a tool');
      counts[name]++;
      calls = { ...counts };
      lastTool = name;
      lastToolFailed = typeof content === 'string' && /^\s*error/i.test(content);
    }
    const failed = reward === 0 && i === traj.length - 1;
    const state = { role, lastTool, lastToolFailed, calls, turns, failed };
    const next: unknown = traj[i + 1];
    return isObject(next) && next.role === 'assistant' ? { state, action: chosenAction(next) } : { state };
  });
  return { id: `task-${task}-trial-${trial}`, complete: true, steps };
}

const RESPOND = 'respond';

function chosenAction(message: Readonly<Record<string, unknown>>): Action {
  const { tool_calls: calls } = message;
  const called = Array.isArray(calls) && isObject(calls[0]) ? calls[0].function : undefined;
  if (!isObject(called) || typeof called.name !== 'string') return { name: RESPOND };
  return { name: called.name, arguments: callArguments(called.arguments) };
}
