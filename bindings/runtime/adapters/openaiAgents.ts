import { InvalidArgumentError } from '../../base/errors.js';
import { type OptionNames, refuseUnknownOptions } from '../../base/suggest.js';
import {
  type Answer,
  type AskTool,
  type Inspection,
  requireCallScope,
  type Session,
  type ToolCall,
  toldAgent,
  WithheldError,
} from '../enforcement/index.js';
import { type PendingCalls, pendingCalls, REFUSED } from './openaiAgents/pendingCalls.js';
import { refuseUnguarded, requirePlainOutput } from './openaiAgents/requirements.js';
import {
  type FunctionTool,
  type InputGuardrail,
  isApproved,
  isFunctionTool,
  type OpenAIAgent,
  type OpenAIInterruption,
  type OpenAIRunContext,
  type OpenAIRunState,
  readCall,
  readInterruption,
} from './openaiAgents/sdk.js';
import { markGuarded } from './openaiAgents/unguarded.js';
import { answeringTools, isAnswering, requireOtherNames } from './questionTools.js';

export type { AskTool, AskToolDefinition } from '../enforcement/index.js';
export type {
  OpenAIAgent,
  OpenAIInterruption,
  OpenAIRunContext,
  OpenAIRunState,
} from './openaiAgents/sdk.js';

/** One session, which is one run of the agent; or, if one agent serves many runs, a function from a run's context to its session. */
export type OpenAISession = Session | ((run: OpenAIRunContext) => Session | Promise<Session>);

/** Options of `guardAgent`: exceptions from guarding, and how a failed tool is told from one that answered. */
export interface OpenAIOptions {
  /** What may be used unguarded, by name: hosted tools, capabilities of a sandbox (by `type`), agents as tools, agents handed off to, MCP servers. Default none. */
  readonly unguarded?: readonly string[];
  /**
   * Whether a tool's output reports a failure: the SDK turns an error of a tool into text before anything else sees it. Default: only the text that the SDK
   * gives for a tool without an `errorFunction` of its own.
   */
  readonly failed?: (output: unknown) => boolean;
}

type PendingOf = (run: OpenAIRunContext) => PendingCalls | Promise<PendingCalls>;

const optionNames: OptionNames<OpenAIOptions> = { unguarded: true, failed: true };
const DEFAULT_FAILURE = 'An error occurred while running the tool. Please try again.';

/**
 * Guards an agent of the OpenAI Agents SDK: returns a clone of it whose function tools are decided on before they run. A withheld call is answered with the
 * reason; if the guard says stop, the run ends with the SDK's `ToolCallError`, whose `error` is a `ToolInputGuardrailTripwireTriggered`, and `session.stopped`
 * holds the reason.
 *
 * An agent used as a tool is one call; guard the agent inside it before `asTool`.
 *
 * @throws InvalidArgumentError if the agent has hosted tools, capabilities of a sandbox, MCP servers, or handoffs to or tools made of unguarded agents, that are
 * not in `unguarded`, or if a tool with an output schema could not carry the guard's messages. With a function as `session`, the latter is thrown at the first call of a tool.
 */
export function guardAgent<Agent extends OpenAIAgent>(
  agent: Agent,
  session: OpenAISession,
  options: OpenAIOptions = {},
): Agent {
  refuseUnknownOptions('guardAgent', options, optionNames);
  refuseUnguarded(agent, options.unguarded ?? []);
  const tools = agent.tools.filter(isFunctionTool).filter((tool) => !isAnswering(tool));
  const answering = agent.tools.filter(isAnswering);
  const follow = (session: Session): PendingCalls => {
    // A tool is not told which calls the model proposed beside its own: those that begin together may be a part of the turn.
    requireCallScope(session, 'the OpenAI Agents SDK');
    for (const tool of tools) requirePlainOutput(tool, session);
    requireOtherNames(
      answering.map(({ name }) => name),
      session.tools,
    );
    return pendingCalls(session);
  };
  const given = typeof session === 'function' ? null : follow(session);
  const lookUp = async (run: OpenAIRunContext) =>
    follow(await (session as Exclude<OpenAISession, Session>)(run));
  const pendingOf: PendingOf = (run) => given ?? lookUp(run);

  // With an approval policy the SDK also asks about arguments that are not JSON: set none if nobody is ever asked.
  const mayAsk = typeof session === 'function' || (session.strategies.has('inspect') && !session.asks);
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const clone = agent.clone({
    tools: agent.tools.map((tool) =>
      isFunctionTool(tool) && !isAnswering(tool) ? guardTool(tool, byName, pendingOf, mayAsk, options) : tool,
    ),
  }) as Agent & object;
  markGuarded(clone);
  return clone;
}

/** What the SDK's `tool` takes of a tool that answers questions. */
export interface OpenAIAskTool {
  readonly name: string;
  readonly description: string;
  /** What is not strict must take further arguments, by the SDK's types; they are refused in words. */
  readonly parameters: Omit<AskTool['inputSchema'], 'additionalProperties'> & {
    readonly additionalProperties: true;
  };
  readonly strict: false;
  /** Answers the question in the input. */
  readonly execute: (input: unknown) => Promise<string>;
}

/**
 * The tools with which an agent asks about the rules (`askTools` of `foreguard/ask`), for the agent that is guarded: `new Agent({ tools: [...tools,
 * ...askAgentTools(questions, tool)] })`. No guard decides on their calls.
 *
 * @param tool that of the SDK
 */
export function askAgentTools<Tool extends object>(
  questions: readonly AskTool[],
  tool: (options: OpenAIAskTool) => Tool,
): Tool[] {
  return answeringTools(questions, ({ name, description, inputSchema, answer }) =>
    tool({
      name,
      description,
      parameters: { ...inputSchema, additionalProperties: true },
      strict: false,
      execute: (input) => answer(input),
    }),
  );
}

/** The guard's question in an interruption; null if the interruption comes from the tool's own `needsApproval` instead. */
export async function inspectionOf(
  session: Session,
  interruption: OpenAIInterruption,
): Promise<Inspection | null> {
  const call = await pendingCalls(session).decide(readInterruption(interruption));
  call.shown = call.asked !== null;
  return call.asked;
}

/**
 * Answers an interruption, in the session and in the run's state; continue the run with `run(agent, state)`. `state.approve` and `state.reject` alone also
 * work, but the records then lack who answered.
 */
export async function answerInspection<Interruption extends OpenAIInterruption>(
  session: Session,
  state: OpenAIRunState<Interruption>,
  interruption: Interruption,
  answer: Answer,
): Promise<void> {
  const pending = pendingCalls(session);
  const call = await pending.decide(readInterruption(interruption));
  const verdict = await pending.answerShown(call, answer);
  if (answer.approved && verdict.run !== null) return state.approve(interruption);
  await pending.withdraw(call.call.id);
  state.reject(interruption, { message: verdict.message ?? answer.comment ?? REFUSED });
}

function guardTool(
  tool: FunctionTool,
  tools: ReadonlyMap<string, FunctionTool>,
  pendingOf: PendingOf,
  mayAsk: boolean,
  { failed = (output) => output === DEFAULT_FAILURE }: OpenAIOptions,
): FunctionTool {
  const { name } = tool;
  const guardrail: InputGuardrail = {
    type: 'tool_input',
    name: 'foreguard',
    run: async ({ context, toolCall }) => {
      const pending = await pendingOf(context);
      const call = await pending.decide(readCall(name, toolCall));
      // Guardrails may also run before a person is asked (`preApprovalInputGuardrails`).
      if (call.asked !== null && !isApproved(context, call.call)) return { behavior: { type: 'allow' } };
      const verdict = await pending.approve(call, context);
      const { decision, reason, rule, explanation, message } = verdict;
      const outputInfo = { decision, reason, rule, explanation };
      if (verdict.run !== null) return { behavior: { type: 'allow' }, outputInfo };
      pending.forget(call.call);
      if (verdict.ends) return { behavior: { type: 'throwException' }, outputInfo };
      return { behavior: { type: 'rejectContent', message: message ?? explanation }, outputInfo };
    },
  };
  const needsApproval: FunctionTool['needsApproval'] = async (run, input, callId = '') => {
    const pending = await pendingOf(run);
    await pending.readRefusals(run);
    const call = await pending.decide({ id: callId, name, arguments: input as ToolCall['arguments'] });
    if (isApproved(run, call.call) === undefined) await pending.ask(call);
    const { asked, verdict } = call;
    return asked !== null || (verdict.run !== null && (await tool.needsApproval(run, input, callId)));
  };
  const invoke: FunctionTool['invoke'] = async (run, input, details) => {
    const pending = await pendingOf(run);
    const proposed = readCall(name, {
      callId: details?.toolCall?.callId ?? crypto.randomUUID(),
      arguments: input,
    });
    const call = await pending.take(proposed);
    const carried = await pending.carryOut(call, failed, async (chosen) => {
      const runs = chosen.name === name ? tool : tools.get(chosen.name);
      if (runs === undefined) {
        throw new InvalidArgumentError(
          `"${chosen.name}" is to run in place of "${name}", and is not a tool of the agent; it has ${[...tools.keys()].join(', ')}`,
        );
      }
      const text = JSON.stringify(chosen.arguments);
      const toolCall = details?.toolCall && { ...details.toolCall, name: chosen.name, arguments: text };
      return runs.invoke(run, text, toolCall ? { ...details, toolCall } : details);
    });
    if (!carried.ran && carried.verdict.ends) throw new WithheldError(carried.verdict);
    return carried.ran && carried.verdict.message === null ? carried.result : toldAgent(carried);
  };
  return {
    ...tool,
    // The SDK runs guardrails one after another: those of the tool may take time, in which other calls of the turn would begin.
    inputGuardrails: [guardrail, ...(tool.inputGuardrails ?? []).map((own) => withdrawing(own, pendingOf))],
    needsApproval: mayAsk ? needsApproval : tool.needsApproval,
    invoke,
  };
}

/** Wraps a tool's own guardrail: if it withholds a call that the guard had permitted, or fails, the session is told that the call will not run. */
function withdrawing(guardrail: InputGuardrail, pendingOf: PendingOf): InputGuardrail {
  return {
    ...guardrail,
    run: async (data) => {
      let passes = false;
      try {
        const output = await guardrail.run(data);
        passes = (output.behavior?.type ?? 'allow') === 'allow';
        return output;
      } finally {
        if (!passes) await (await pendingOf(data.context)).withdraw(data.toolCall.callId);
      }
    },
  };
}
