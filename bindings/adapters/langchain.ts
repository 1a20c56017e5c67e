import { requireStrategies, type Session, toldAgent } from '../enforcement/index.js';
import type { Decision as Strategy } from '../guard/index.js';
import { type OptionNames, refuseUnknownOptions } from '../suggest.js';
import { GuardedRun } from './langchain/guardedRun.js';
import {
  asMessage,
  asToolCall,
  isPause,
  type LangChainMessage,
  type LangChainRuntime,
  type LangChainToolCall,
  unanswered,
} from './langchain/messages.js';

export type { LangChainInspectionRequest, LangChainResponse } from './langchain/inspection.js';
export type { LangChainMessage, LangChainRuntime, LangChainToolCall } from './langchain/messages.js';

const optionNames: OptionNames<LangChainOptions<unknown>> = {
  ToolMessage: true,
  interrupts: true,
  toolErrors: true,
};
const ALWAYS: readonly Strategy[] = ['stop', 'block', 'replace', 'reflect'];

/** The class `ToolMessage` of `langchain` (or of `@langchain/core/messages`); `Message` is what it makes. */
export type ToolMessageClass<Message> = new (fields: {
  content: string;
  tool_call_id: string;
  name: string;
  status: 'success' | 'error';
}) => Message;

/** One session, which is one run of the agent; or, where one agent serves many, the session of the run with this configuration (`thread_id`). */
export type LangChainSession =
  | Session
  | ((configurable: NonNullable<LangChainRuntime['configurable']>) => Session | Promise<Session>);

export interface LangChainOptions<Message> {
  readonly ToolMessage: ToolMessageClass<Message>;
  /**
   * The agent has a checkpointer, so that people can be asked by LangGraph's interrupts where the session has no `ask`: the agent pauses, and goes on with
   * `new Command({ resume: { approved: true } })`, also in another process. Default false.
   */
  readonly interrupts?: boolean;
  /**
   * What becomes of the error of a tool that throws: told to the agent as in an agent without middleware (`message`, the default), or thrown on, for
   * middleware before this one that retries or rewords it.
   */
  readonly toolErrors?: 'message' | 'throw';
}

/** The middleware, for `createAgent({ middleware: [...] })`. */
export interface GuardMiddleware<Message> {
  readonly name: 'foreguard';
  readonly beforeModel: {
    readonly canJumpTo: 'end'[];
    readonly hook: (
      state: unknown,
      runtime: LangChainRuntime,
    ) => Promise<{ readonly jumpTo: 'end' } | undefined>;
  };
  readonly afterModel: {
    readonly canJumpTo: 'end'[];
    readonly hook: (
      state: { readonly messages: readonly LangChainMessage[] },
      runtime: LangChainRuntime,
    ) => Promise<{ messages: Message[]; readonly jumpTo: 'end' } | undefined>;
  };
  readonly wrapToolCall: <
    Request extends {
      readonly toolCall: LangChainToolCall;
      readonly tool: unknown;
      readonly runtime: LangChainRuntime;
    },
    Result,
  >(
    request: Request,
    handler: (request: Request) => Result | Promise<Result>,
  ) => Promise<Result>;
}

/** Outlives middleware: an agent made anew over the same checkpointer, in the same process, goes on with the session and decides nothing twice. */
const RUNS = new WeakMap<Session, GuardedRun>();

/**
 * Guards an agent of LangChain.js 1. All calls of a step are decided, in their order, before the first of them runs; a call that is withheld is answered
 * by a message with the reason, and where the guard says stop no tool and no model is called any more, and `session.stopped` tells why.
 *
 * Place it last, next to the tools: calls that other middleware changes after they were decided are decided again.
 *
 * @param session one run's, or a function from a run's configuration to its session, called at each hook: it gives the same session for the same run
 * @throws InvalidArgumentError where the guard may decide to inspect, and neither `interrupts` nor the session's `ask` can ask. Where `session`
 * is a function, the agent's first step throws it.
 */
export function guardMiddleware<Message>(
  session: LangChainSession,
  options: LangChainOptions<Message>,
): GuardMiddleware<Message> {
  refuseUnknownOptions('guardMiddleware', options, optionNames);
  const { ToolMessage, interrupts = false, toolErrors = 'message' } = options;
  const strategies = interrupts ? [...ALWAYS, 'inspect' as const] : ALWAYS;
  const follow = (session: Session): GuardedRun => {
    requireStrategies(session, 'LangChain.js', strategies);
    let run = RUNS.get(session);
    if (run === undefined) RUNS.set(session, (run = new GuardedRun(session)));
    return run;
  };
  const given = typeof session === 'function' ? null : follow(session);
  const runOf = async ({ configurable = {} }: LangChainRuntime) =>
    given ?? follow(await (session as Exclude<LangChainSession, Session>)(configurable));

  const answer = (call: LangChainToolCall, content: string, status: 'success' | 'error' = 'error') =>
    new ToolMessage({ content, tool_call_id: call.id ?? '', name: call.name, status });

  return {
    name: 'foreguard',
    beforeModel: {
      canJumpTo: ['end'],
      hook: async (_state, runtime) =>
        (await runOf(runtime)).session.stopped === null ? undefined : { jumpTo: 'end' },
    },
    afterModel: {
      canJumpTo: ['end'],
      hook: async ({ messages }, runtime) => {
        const calls = unanswered(messages);
        const run = await runOf(runtime);
        const end = await run.decideAll(calls.map(asToolCall), runtime);
        if (end === null) return undefined;
        return { messages: calls.map((call) => answer(call, end.message ?? end.explanation)), jumpTo: 'end' };
      },
    },
    wrapToolCall: async (request, handler) => {
      const { toolCall, tool, runtime } = request;
      type Result = Awaited<ReturnType<typeof handler>>;
      const run = await runOf(runtime);
      try {
        const carried = await run.carryOut(asToolCall(toolCall), runtime, async (call) =>
          handler({
            ...request,
            toolCall: { ...toolCall, name: call.name, args: call.arguments },
            tool: call.name === toolCall.name ? tool : undefined,
          }),
        );
        const told = carried.verdict.message;
        if (!carried.ran) return answer(toolCall, told ?? carried.verdict.explanation) as Result;
        const message = asMessage(carried.result);
        if (told === null || message === null) return carried.result;
        const content = toldAgent({ ...carried, result: message.content }) ?? told;
        return answer(toolCall, content, message.status === 'error' ? 'error' : 'success') as Result;
      } catch (error) {
        if (isPause(error) || toolErrors === 'throw' || runtime.signal?.aborted === true) throw error;
        return answer(toolCall, String(error)) as Result;
      }
    },
  };
}
