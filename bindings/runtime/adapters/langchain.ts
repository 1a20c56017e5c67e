import { type OptionNames, refuseUnknownOptions } from '../../base/suggest.js';
import { requireStrategies, type Session, toldAgent } from '../enforcement/index.js';
import { GuardedRun } from './langchain/guardedRun.js';
import {
  asMessage,
  asToolCall,
  isPause,
  type LangChainMessage,
  type LangChainRuntime,
  type LangChainToolCall,
  proposedCalls,
  unanswered,
} from './langchain/messages.js';

export type {
  LangChainAnswer,
  LangChainInspectionRequest,
  LangChainResponse,
} from './langchain/inspection.js';
export type { LangChainMessage, LangChainRuntime, LangChainToolCall } from './langchain/messages.js';

const optionNames: OptionNames<LangChainOptions<unknown, unknown>> = {
  ToolMessage: true,
  AIMessage: true,
  interrupts: true,
  toolErrors: true,
};

/** The classes of these names in `langchain`, or in `@langchain/core/messages`. */
export interface LangChainMessages<Told, Said> {
  readonly ToolMessage: new (fields: {
    content: string;
    tool_call_id: string;
    name: string;
    status: 'success' | 'error';
  }) => Told;
  readonly AIMessage: new (content: string) => Said;
}

/** One session, which is one run of the agent; or, if one agent serves many runs, a function from a run's configuration (`thread_id`) to its session. */
export type LangChainSession =
  | Session
  | ((configurable: NonNullable<LangChainRuntime['configurable']>) => Session | Promise<Session>);

export interface LangChainOptions<Told, Said> extends LangChainMessages<Told, Said> {
  /**
   * The agent has a checkpointer, so that LangGraph's interrupts can ask people if the session has no `ask`: the agent pauses, and continues with `new
   * Command({ resume: { approved: true } })`, even in another process. Calls are then decided in a separate node of the graph. Default false.
   */
  readonly interrupts?: boolean;
  /**
   * Handling of a tool's error: passed to the agent as without middleware (`message`, the default), or rethrown (`throw`), for middleware before this one that
   * retries or rewords it.
   */
  readonly toolErrors?: 'message' | 'throw';
}

/** The middleware, for `createAgent({ middleware: [...] })`. */
export interface GuardMiddleware {
  readonly name: 'foreguard';
  /** Decides on the calls that the model proposes, unless `interrupts` is set; once the run is stopped, answers in the model's place. */
  readonly wrapModelCall: <Request extends { readonly runtime: LangChainRuntime }, Response>(
    request: Request,
    handler: (request: Request) => Response | Promise<Response>,
  ) => Promise<Response>;
  /** Runs, replaces or withholds one call according to its decision. */
  readonly wrapToolCall: <
    Request extends {
      readonly toolCall: LangChainToolCall;
      readonly tool: unknown;
      readonly runtime: LangChainRuntime;
    },
    Response,
  >(
    request: Request,
    handler: (request: Request) => Response | Promise<Response>,
  ) => Promise<Response>;
  /** With `interrupts`, decides on the calls of the model's last message: a pause there does not call the model again. */
  readonly afterModel?: (
    state: { readonly messages: readonly LangChainMessage[] },
    runtime: LangChainRuntime,
  ) => Promise<undefined>;
}

/** Outlives the middleware: an agent made anew over the same checkpointer, in the same process, continues the session and decides nothing twice. */
const RUNS = new WeakMap<Session, GuardedRun>();

/**
 * Guards an agent of LangChain.js 1. All calls of a step are decided, in their order, before the first of them runs; a withheld call is answered with a message
 * that states the reason. If the guard says stop, no further tool or model is called: the agent's last message states the reason, and so does
 * `session.stopped`.
 *
 * Place it last, next to model and tools: calls that other middleware changes after the decision are decided again.
 *
 * @param session one run's session, or a function from a run's configuration to its session, called at each hook: it must return the same session for the same
 * run
 * @throws InvalidArgumentError if the guard may decide to inspect, and neither `interrupts` nor the session's `ask` can ask. If `session` is a function, the
 * agent's first step throws it.
 */
export function guardMiddleware<Told, Said>(
  session: LangChainSession,
  options: LangChainOptions<Told, Said>,
): GuardMiddleware {
  refuseUnknownOptions('guardMiddleware', options, optionNames);
  const { ToolMessage, AIMessage, interrupts = false, toolErrors = 'message' } = options;
  const follow = (session: Session): GuardedRun => {
    if (!interrupts) requireStrategies(session, 'LangChain.js without interrupts', ['inspect']);
    let run = RUNS.get(session);
    if (run === undefined) RUNS.set(session, (run = new GuardedRun(session)));
    return run;
  };
  const given = typeof session === 'function' ? null : follow(session);
  const lookUp = async ({ configurable = {} }: LangChainRuntime) =>
    follow(await (session as Exclude<LangChainSession, Session>)(configurable));

  const answer = (call: LangChainToolCall, content: string, status: 'success' | 'error' = 'error') =>
    new ToolMessage({ content, tool_call_id: call.id ?? '', name: call.name, status });

  return {
    name: 'foreguard',
    wrapModelCall: async (request, handler) => {
      type Response = Awaited<ReturnType<typeof handler>>;
      const { runtime } = request;
      const run = given ?? (await lookUp(runtime));
      const { stopped } = run.session;
      if (stopped !== null) return new AIMessage(stopped.message ?? stopped.explanation) as Response;
      const response = await handler(request);
      if (!interrupts) await run.decideAll(proposedCalls(response as LangChainMessage), runtime);
      return response;
    },
    wrapToolCall: async (request, handler) => {
      type Response = Awaited<ReturnType<typeof handler>>;
      const { toolCall, tool, runtime } = request;
      const run = given ?? (await lookUp(runtime));
      try {
        const carried = await run.carryOut(asToolCall(toolCall), runtime, (call) =>
          handler({
            ...request,
            toolCall: { ...toolCall, name: call.name, args: call.arguments },
            // Of another name it is another than the one that was judged, whoever put it there: LangChain then looks for the judged one.
            tool: nameOf(tool) === call.name ? tool : undefined,
          }),
        );
        const told = carried.verdict.message;
        if (!carried.ran) return answer(toolCall, told ?? carried.verdict.explanation) as Response;
        const message = asMessage(carried.result);
        if (told === null || message === null) return carried.result;
        const content = toldAgent({ ...carried, result: message.content }) ?? told;
        return answer(toolCall, content, message.status === 'error' ? 'error' : 'success') as Response;
      } catch (error) {
        if (isPause(error) || toolErrors === 'throw' || runtime.signal?.aborted === true) throw error;
        return answer(toolCall, String(error)) as Response;
      }
    },
    // A node that pauses runs again from its beginning, and therefore cannot be the model's node.
    ...(interrupts && {
      afterModel: async ({ messages }, runtime) => {
        await (given ?? (await lookUp(runtime))).decideAll(unanswered(messages), runtime);
      },
    }),
  };
}

function nameOf(tool: unknown): unknown {
  return (tool as { readonly name?: unknown } | null | undefined)?.name;
}
