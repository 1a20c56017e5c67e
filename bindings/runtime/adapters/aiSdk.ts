import { InvalidArgumentError } from '../../base/errors.js';
import { refuseUnknownOptions } from '../../base/suggest.js';
import {
  type AskTool,
  carryOut,
  type DecidingSession,
  type DecisionRange,
  type Inspection,
  requireEdits,
  type ToolCall,
  type ToolOutcome,
  type Verdict,
  WithheldError,
} from '../enforcement/index.js';
import { Proposals } from './aiSdk/proposals.js';

export type { AskTool, AskToolDefinition } from '../enforcement/index.js';

/** Tools by name, as generateText, streamText and agents of `ai` take them. */
export type AiToolSet = { readonly [name: string]: object };

/** The result of a call that was replaced by another one. */
export interface RanInstead {
  readonly instead: { readonly tool: string; readonly arguments: unknown };
  readonly message: string;
  readonly result: unknown;
}

interface CallOptions {
  readonly toolCallId: string;
  readonly messages: unknown;
}

/** The parts of a tool that are read and replaced. */
interface AiTool {
  readonly type?: string;
  readonly execute?: (input: unknown, options: CallOptions) => unknown;
  readonly needsApproval?:
    | boolean
    | ((input: unknown, options: CallOptions) => boolean | PromiseLike<boolean>);
  readonly toModelOutput?: (options: { readonly output: unknown }) => unknown;
}

const proposalsOf = new WeakMap<DecidingSession, Proposals>();

/**
 * Guards the tools of the Vercel AI SDK, `ai` 6 and 7: pass the returned tools to generateText, streamText and agents in place of the originals. All calls of a
 * step are decided before the first of them runs. A withheld call gives an error result with the message for the agent; a question to a person becomes a
 * request for approval of `ai`, unless the session has `ask`; the result of a replaced call is a `RanInstead`.
 *
 * Add `stoppedBy(session)` to `stopWhen`, so that a run that the guard stops ends; without it the model goes on, although no tool runs any more.
 *
 * @param options.unguarded names of tools that may stay unguarded, because they run where no program can withhold them: at the model's provider, or at a client
 * @returns the same tools, guarded; the originals are not changed
 * @throws InvalidArgumentError if a tool has no `execute`, and therefore cannot be guarded, and is not named in `unguarded`; or if people may change arguments (`edits`) and the session
 * has no `ask`
 */
export function guardToolSet<T extends AiToolSet>(
  session: DecidingSession & Partial<Pick<DecisionRange, 'asks'>>,
  tools: T,
  options: { readonly unguarded?: readonly (keyof T & string)[] } = {},
): T {
  refuseUnknownOptions('guardToolSet', options, { unguarded: true });
  const { unguarded = [] } = options;
  requireEdits(session, 'approvals of `ai`, which are a yes or a no');
  let proposals = proposalsOf.get(session);
  if (proposals === undefined) proposalsOf.set(session, (proposals = new Proposals(session)));
  const set = tools as unknown as Readonly<Record<string, AiTool>>;
  for (const name of unguarded) {
    if (!Object.hasOwn(set, name))
      throw new InvalidArgumentError(
        `unguarded: there is no tool "${name}"; tools: ${Object.keys(set).join(', ')}`,
      );
  }
  const guarded = Object.entries(set).map(([name, tool]) => [
    name,
    unguarded.includes(name) ? tool : guardTool(session, proposals, name, tool, set),
  ]);
  return Object.fromEntries(guarded) as T;
}

/** A tool that answers questions about the rules. */
export interface AiAskTool<Schema> {
  readonly description: string;
  readonly inputSchema: Schema;
  /** Answers the question in the input. */
  readonly execute: (input: unknown) => Promise<string>;
}

/**
 * The tools with which an agent asks about the rules (`askTools` of `foreguard/ask`), for `ai`: `{ ...guardToolSet(session, tools), ...askToolSet(questions,
 * jsonSchema) }`. No guard decides on their calls.
 *
 * @param jsonSchema that of `ai`
 */
export function askToolSet<Schema>(
  questions: readonly AskTool[],
  jsonSchema: (schema: AskTool['inputSchema']) => Schema,
): Readonly<Record<string, AiAskTool<Schema>>> {
  return Object.fromEntries(
    questions.map(({ name, description, inputSchema, answer }) => [
      name,
      { description, inputSchema: jsonSchema(inputSchema), execute: (input: unknown) => answer(input) },
    ]),
  );
}

/** The guard's question in a request for approval: state, rule and risk in words; null if the guard asks nothing, or nothing more, about this call. */
export function inspectionOf(session: DecidingSession, toolCallId: string): Inspection | null {
  return proposalsOf.get(session)?.inspection(toolCallId) ?? null;
}

/** A condition for `stopWhen`: true once the guard has stopped the run. */
export function stoppedBy(session: DecidingSession): () => boolean {
  return () => session.stopped !== null;
}

function guardTool(
  session: DecidingSession,
  proposals: Proposals,
  name: string,
  tool: AiTool,
  set: Readonly<Record<string, AiTool>>,
): AiTool {
  requireExecute(name, tool);
  const { needsApproval, toModelOutput } = tool;
  const callOf = (input: unknown, { toolCallId }: CallOptions): ToolCall => ({
    id: toolCallId,
    name,
    arguments: input as ToolCall['arguments'],
  });

  return {
    ...tool,
    needsApproval: (input, options) =>
      proposals.propose(callOf(input, options), options.messages, () =>
        typeof needsApproval === 'function' ? needsApproval(input, options) : needsApproval === true,
      ),
    execute: (input, options) => {
      const call = callOf(input, options);
      // Run the judged arguments: `input` may have changed since.
      const itself = (run: ToolCall) => tool.execute!(run.arguments, options);
      const instead = (run: ToolCall) => executeOf(set, run, options);
      const verdict = proposals.take(call);
      if (verdict === null)
        return proposals
          .takeUnasked(call, options.messages)
          .then((late) => resultOf(session, late, itself, instead));
      // A tool that streams its results must return its stream at once.
      return runsItself(verdict) && session.stopped === null
        ? reported(session, verdict, itself)
        : resultOf(session, verdict, itself, instead);
    },
    ...(toModelOutput !== undefined && {
      toModelOutput: (options) =>
        isRanInstead(options.output) ? { type: 'json', value: options.output } : toModelOutput(options),
    }),
  };
}

function requireExecute(name: string, { type, execute }: AiTool): void {
  if (typeof execute === 'function') return;
  const where =
    type === 'provider' ? 'at the provider of the model, before this program sees its calls' : 'at a client';
  throw new InvalidArgumentError(
    `tool "${name}" has no \`execute\`: it runs ${where}, where it cannot be withheld. Give it \`execute\`, leave it out, or name it in \`unguarded\``,
  );
}

function executeOf(set: Readonly<Record<string, AiTool>>, run: ToolCall, options: CallOptions): unknown {
  const tool = Object.hasOwn(set, run.name) ? set[run.name] : undefined;
  if (tool?.execute !== undefined) return tool.execute(run.arguments, options);
  throw new InvalidArgumentError(
    `"${run.name}" is to run instead, but is not a tool with \`execute\` of this set, which has ${Object.keys(set).join(', ')}: add it`,
  );
}

/** Whether the call runs as it was proposed. */
function runsItself({ run, message }: Verdict): boolean {
  return run !== null && message === null;
}

/** Carries a verdict out; for streamed results the last one counts. */
async function resultOf(
  session: DecidingSession,
  decided: Verdict,
  itself: (run: ToolCall) => unknown,
  instead: (run: ToolCall) => unknown,
): Promise<unknown> {
  const carried = await carryOut(session, decided, (run) =>
    lastOf(runsItself(decided) ? itself(run) : instead(run)),
  );
  const { run, message } = carried.verdict;
  if (!carried.ran || run === null) throw new WithheldError(carried.verdict);
  if (message === null) return carried.result;
  return {
    instead: { tool: run.name, arguments: run.arguments },
    message,
    result: carried.result,
  } satisfies RanInstead;
}

async function lastOf(output: unknown): Promise<unknown> {
  if (!isAsyncIterable(output)) return output;
  let last: unknown;
  for await (const next of output) last = next;
  return last;
}

/** Runs a tool whose call is permitted unchanged, and reports the outcome; a stream remains a stream. */
function reported(session: DecidingSession, verdict: Verdict, run: (call: ToolCall) => unknown): unknown {
  let output: unknown;
  try {
    output = run(verdict.run!);
  } catch (error) {
    output = Promise.reject(error);
  }
  if (isAsyncIterable(output)) return reportedStream(session, verdict, output);
  return carryOut(session, verdict, () => output).then((carried) =>
    carried.ran ? carried.result : undefined,
  );
}

async function* reportedStream(
  session: DecidingSession,
  verdict: Verdict,
  stream: AsyncIterable<unknown>,
): AsyncGenerator<unknown> {
  // Who reads no further does not undo what the tool has done.
  let outcome: ToolOutcome = { error: new Error('its results were not read to the end'), mayHaveRun: true };
  try {
    let last: unknown;
    for await (const next of stream) yield (last = next);
    outcome = { result: last };
  } catch (error) {
    outcome = { error };
    throw error;
  } finally {
    await session.ran(verdict, outcome);
  }
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

function isRanInstead(value: unknown): value is RanInstead {
  return typeof value === 'object' && value !== null && 'instead' in value && 'message' in value;
}
