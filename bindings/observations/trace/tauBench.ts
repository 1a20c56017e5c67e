import { isObject } from '../../base/objectKind.js';
import { readDocument } from './document.js';
import { parseJson, type ReadOptions, readOrSkip, TraceFault, unexpected } from './reader.js';
import { ToolHistory } from './toolHistory.js';
import { calledTools, readConversation } from './toolMessages.js';
import type { Step, Trace } from './trace.js';

/** How conversations are read. */
export interface ReadTauBenchOptions extends ReadOptions {
  /** Tools beside those that the file calls, so that `calls` and `failures` have an entry for each. Default: none. */
  tools?: readonly string[];
}

/** What the judge said of a conversation. No agent and no session sees it. */
export interface TauBenchResult {
  /** The id of the conversation's trace. */
  readonly id: string;
  /** The task's number: conversations of one task differ in their trial. */
  readonly task: string;
  readonly trial: string;
  /** 1 where the task ended right, 0 where it did not. */
  readonly reward: number;
}

/**
 * Reads conversations of tau-bench: one JSON array of `{ task_id, trial, reward, traj }`, read as a whole
 * (`maxLineBytes` limits its length; faults inside it are at line 1 and name the conversation).
 *
 * A trace has the steps that a session of the same run sees: one before each call, whose action is the call, and one after the last. A state is a
 * `ToolState`, with an entry in `calls` and `failures` for each tool that the file calls. An answer that begins with "Error" is a failure: a session knows of it where
 * the tool throws. Several calls of one message are taken one after the other, in the order of their answers.
 *
 * Messages are no steps, since a session decides on calls alone: what users and the assistant say is left out, and so is the judge's reward (see `readTauBenchResults`). A
 * call that was never answered is left out where the conversation goes on; where it ends the conversation, the trace ends with it.
 *
 * `complete` is false there, and where the conversation ends with the answer of a tool to which the assistant says no more, because tau-bench limits the number of steps. The answer
 * of `transfer_to_human_agents` is the end of a conversation. The id is `task-<task_id>-trial-<trial>`.
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
 * Reads what the judge said of the conversations in the same files; a result has the id of its trace.
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
    // Nobody knows what came of it.
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
          `${spoken} messages of users and answers to them are no steps: a session decides on calls of tools alone`,
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
