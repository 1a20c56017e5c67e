import { isObject } from '../../base/objectKind.js';
import { readDocument } from './document.js';
import { parseJson, type ReadOptions, readOrSkip, TraceFault, unexpected } from './reader.js';
import { ToolHistory } from './toolHistory.js';
import { calledTools, readConversation } from './toolMessages.js';
import type { Step, Trace } from './trace.js';

/** Options for reading conversations. */
export interface ReadTauBenchOptions extends ReadOptions {
  /** Further tools for which `calls` and `failures` get an entry, in addition to those that the file calls. Default: none. */
  tools?: readonly string[];
}

/** The judge's result for a conversation. Agents and sessions do not see it. */
export interface TauBenchResult {
  /** The id of the conversation's trace. */
  readonly id: string;
  /** The task's number; conversations of one task differ in their trial. */
  readonly task: string;
  readonly trial: string;
  /** 1 if the task succeeded, 0 if it did not. */
  readonly reward: number;
}

/**
 * Reads conversations of tau-bench: one JSON array of `{ task_id, trial, reward, traj }`, read as a whole
 * (`maxLineBytes` limits its length; faults inside it are at line 1 and name the conversation).
 *
 * A trace has the steps that a session of the same run would see: one before each call, whose action is the call, and one after the last. A
 * state is a `ToolState`, with an entry in `calls` and `failures` for each tool that the file calls. An answer that begins with "Error"
 * counts as a failure, which a session sees as an exception of the tool. Several calls in one message are read one after another, in the
 * order of their answers.
 *
 * Messages are not steps, since a session decides on calls only: texts of users and of the assistant are left out, and so is the judge's
 * reward (see `readTauBenchResults`). A call that was never answered is left out if the conversation continues; if it ends the
 * conversation, the trace ends with it.
 *
 * `complete` is false in that case, and if the conversation ends with a tool's answer to which the assistant does not respond, because
 * tau-bench limits the number of steps. An answer of `transfer_to_human_agents` does end a conversation. The id is
 * `task-<task_id>-trial-<trial>`.
 *
 * @throws ParseError unless `skipInvalid` is set.
 * @see Yao et al., tau-bench, 2024, arXiv:2406.12045
 */
export async function* readTauBench(
  chunks: AsyncIterable<Uint8Array>,
  options: ReadTauBenchOptions,
): AsyncGenerator<Trace[]> {
  const conversations = await readDocumentOf(chunks, options);
  const called = conversations.flatMap((one) =>
    isObject(one) && Array.isArray(one.traj) ? calledTools(one.traj) : [],
  );
  const tools = [...new Set([...(options.tools ?? []), ...called])].sort();
  const counts: Counts = { calls: 0, failed: 0, notRun: 0, spoken: 0 };
  const traces: Trace[] = [];
  for (const [i, one] of conversations.entries()) {
    const trace = readOrSkip(() => toTrace(one, `conversation ${i}`, tools, counts), 1, options);
    if (trace !== undefined) traces.push(trace);
  }
  for (const message of notes(counts)) options.onNote?.({ source: options.source, message });
  for (const trace of traces) yield [trace];
}

/**
 * Reads the judge's results for the conversations in the same files; a result has the id of its trace.
 *
 * @throws ParseError unless `skipInvalid` is set.
 */
export async function* readTauBenchResults(
  chunks: AsyncIterable<Uint8Array>,
  options: ReadOptions,
): AsyncGenerator<TauBenchResult[]> {
  for (const [i, one] of (await readDocumentOf(chunks, options)).entries()) {
    const result = readOrSkip(() => toResult(one, `conversation ${i}`), 1, options);
    if (result !== undefined) yield [result];
  }
}

async function readDocumentOf(
  chunks: AsyncIterable<Uint8Array>,
  options: ReadOptions,
): Promise<readonly unknown[]> {
  const text = await readDocument(chunks, options);
  const read = (): unknown[] => {
    if (typeof text !== 'string') throw text;
    const conversations = parseJson(text);
    if (!Array.isArray(conversations))
      throw unexpected('the file', conversations, 'an array of conversations');
    return conversations;
  };
  return readOrSkip(read, 1, options) ?? [];
}

interface Counts {
  calls: number;
  failed: number;
  notRun: number;
  spoken: number;
}

/** The tool whose answer ends a conversation. */
const LAST_TOOL = 'transfer_to_human_agents';

function toTrace(conversation: unknown, place: string, tools: readonly string[], counts: Counts): Trace {
  const { id, traj } = requireConversation(conversation, place);
  if (!Array.isArray(traj)) throw unexpected(`${place}.traj`, traj, 'an array of messages');
  if (traj.length === 0)
    throw new TraceFault(`${place} has no messages; expected at least one`, { reason: 'empty' });
  const { calls, notRun, spoken, endsWithAnswer } = readConversation(traj, `${place}.traj`);
  counts.notRun += notRun;
  counts.spoken += spoken;
  const history = new ToolHistory(tools);
  const steps: Step[] = [];
  for (const { action, outcome } of calls) {
    counts.calls++;
    steps.push({ state: history.state(), action });
    // The outcome of the call is unknown.
    if (outcome === undefined) return { id, complete: false, steps };
    if ('error' in outcome) counts.failed++;
    history.record(action, outcome);
  }
  const state = history.state();
  steps.push({ state });
  return { id, complete: !endsWithAnswer || state.lastTool === LAST_TOOL, steps };
}

function toResult(conversation: unknown, place: string): TauBenchResult {
  const { id, task, trial, reward } = requireConversation(conversation, place);
  if (typeof reward !== 'number') throw unexpected(`${place}.reward`, reward, 'a number');
  return { id, task, trial, reward };
}

function requireConversation(conversation: unknown, place: string) {
  if (!isObject(conversation)) throw unexpected(place, conversation, 'an object with traj and reward');
  const { task_id: task, trial, reward, traj } = conversation;
  return { id: `task-${task}-trial-${trial}`, task: String(task), trial: String(trial), reward, traj };
}

function notes({ calls, failed, notRun, spoken }: Counts): string[] {
  return [
    ...(spoken > 0
      ? [
          `${spoken} messages of users and answers to them are not steps: a session decides on calls of tools alone`,
        ]
      : []),
    ...(failed > 0
      ? [
          `${failed} of ${calls} tool calls failed, as their answers begin with "Error": a session knows that where the tool throws`,
        ]
      : []),
    ...(notRun > 0 ? [`${notRun} tool calls have no answer: taken as never run, and left out`] : []),
  ];
}
