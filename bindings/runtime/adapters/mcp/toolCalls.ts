import { carryOut, type ToolCall, type ToolOutcome, type Verdict } from '../../enforcement/index.js';
import { reporting } from '../reporting.js';
import {
  CONNECTION_CLOSED,
  callIdOf,
  errorResponse,
  INVALID_PARAMS,
  INVALID_REQUEST,
  isTooLong,
  type McpMessage,
  messageOf,
  type RequestId,
  requestIdOf,
} from './message.js';
import { McpRequestError, type Peer } from './peer.js';
import type { McpQuestions, McpSession } from './proxy.js';
import { taskBegun } from './taskIds.js';
import type { ToolCatalogue } from './toolCatalogue.js';
import { outcomeOf, type ReplacedKind, refusal, replacedResult, told } from './toolResult.js';

type CallRequest = McpMessage & { readonly id: RequestId };

/** A call in progress. */
interface PendingCall {
  /** Aborted once the client does not want it any more. */
  readonly cancelled: AbortController;
  /** Aborted to end the wait for room: the call is then decided at once. */
  readonly patience: AbortController;
  /** Whether any part of it has been sent to the server. */
  atServer: boolean;
  /** Takes the server's response; null until the call is forwarded. */
  answer: ((response: McpMessage) => void) | null;
  /** Nobody waits for it any more, although the server may still be at work on it. */
  abandoned: boolean;
  /** Gives the client an error, while the session keeps waiting for the server. */
  readonly giveUp: (why: string) => void;
  /** Answers the client that the call has become a task, while the session keeps waiting for that. */
  readonly becomeTask: (response: McpMessage) => void;
}

/** A call that ran and failed. The client sees only its response, never this error. */
class ToolFailed extends Error {}

/** Stands for a call that the server may be at work on for ever: its session is never told that it came back. */
const NEVER = new Promise<never>(() => undefined);

/**
 * The tool calls of a client: the session decides on each, and only the permitted ones reach the server. After any error the client gets an error response, and
 * the server nothing.
 *
 * A call that has reached the server is pending in the session until the server answers it. If the client cancels it, or the connection breaks, the wait for it
 * ends, but not the call.
 */
export class ToolCalls {
  readonly #server: Peer;
  readonly #catalogue: ToolCatalogue;
  readonly #session: () => Promise<McpSession>;
  readonly #questions: McpQuestions | undefined;
  readonly #pending = new Map<RequestId, PendingCall>();
  /** Calls that someone still waits for. */
  readonly #running = new Map<RequestId, Promise<void>>();
  /** Number of calls that have become tasks and are not over. */
  #tasks = 0;
  #stopped = false;

  /** @param session of the run; resolves once the tools are known */
  constructor(
    server: Peer,
    catalogue: ToolCatalogue,
    session: () => Promise<McpSession>,
    questions?: McpQuestions,
  ) {
    this.#questions = questions;
    this.#server = server;
    this.#catalogue = catalogue;
    this.#session = session;
  }

  has(id: RequestId): boolean {
    return this.#pending.has(id);
  }

  /** Whether nobody waits any more for a call that the server may still be at work on. */
  isAbandoned(id: RequestId): boolean {
    return this.#pending.get(id)?.abandoned ?? false;
  }

  /** The signal that aborts when the client, or its loss, cancels a session's `ToolCall`. */
  cancellationOf(call: ToolCall): AbortSignal {
    return this.#pending.get(requestIdOf(call))?.cancelled.signal ?? AbortSignal.abort();
  }

  /**
   * Decides on `tools/call` and carries the decision out.
   * @param answer called with the response, unless the call was cancelled and nobody waits for one
   * @param free called when the call is over, and its id may be used again
   */
  begin(request: CallRequest, answer: (response: McpMessage) => void, free: () => void): void {
    const { id } = request;
    const call: PendingCall = {
      cancelled: new AbortController(),
      patience: new AbortController(),
      atServer: false,
      answer: null,
      abandoned: false,
      giveUp: (why) => {
        if (call.abandoned) return;
        this.#abandon(id, call);
        answer(errorResponse(id, CONNECTION_CLOSED, why));
      },
      becomeTask: (response) => {
        isTask = true;
        this.#tasks++;
        leave();
        // Nobody waits for room that only a task may give, which may take for ever.
        for (const { patience } of this.#pending.values()) patience.abort();
        if (!call.abandoned && !call.cancelled.signal.aborted) answer(response);
        free();
      },
    };
    let isTask = false;
    const leave = (): void => {
      this.#pending.delete(id);
      this.#running.delete(id);
    };
    if (this.#tasks > 0 || [...this.#pending.values()].some(({ abandoned }) => abandoned))
      call.patience.abort();
    this.#pending.set(id, call);
    const running = this.#respond(request, call)
      .catch((error) => guardFailed(request, error))
      .then((response) => {
        if (isTask) {
          this.#tasks--;
          return;
        }
        leave();
        if (!call.abandoned && !call.cancelled.signal.aborted) answer(response);
        free();
      });
    this.#running.set(id, running);
  }

  /** Takes the server's response to a call. @returns whether the message is one */
  takes(response: McpMessage): boolean {
    const call = response.id === undefined ? undefined : this.#pending.get(response.id);
    call?.answer?.(response);
    return call !== undefined;
  }

  /** Cancels a call for the client. @returns whether the server knows the call and must be told of the cancellation */
  cancel(id: RequestId): boolean {
    const call = this.#pending.get(id);
    call?.cancelled.abort();
    call?.patience.abort();
    if (call?.atServer) this.#abandon(id, call);
    return call === undefined || call.answer !== null;
  }

  /** Handles the end of the connection: calls decided from now on do not run. */
  stop(clientGone: boolean): void {
    this.#stopped = true;
    for (const { cancelled, patience } of this.#pending.values()) {
      patience.abort();
      if (clientGone) cancelled.abort();
    }
  }

  /** Handles a server that does not answer one call, or any: the call may or may not have run, or still be running. */
  fail(why: string, id?: RequestId): void {
    for (const [pending, { atServer, giveUp }] of this.#pending) {
      if (atServer && (id === undefined || id === pending)) giveUp(why);
    }
  }

  /** Resolves once every call that someone waits for is answered and its outcome recorded. */
  async settled(): Promise<void> {
    await Promise.all(this.#running.values());
  }

  /** Gives a call up: nobody waits for it any more, not even until it has come back, which may never happen. */
  #abandon(id: RequestId, call: PendingCall): void {
    call.abandoned = true;
    this.#running.delete(id);
    for (const { patience } of this.#pending.values()) patience.abort();
  }

  async #respond(request: CallRequest, pending: PendingCall): Promise<McpMessage> {
    const { id, params = {} } = request;
    const { name, arguments: given = {} } = params;
    if (typeof name !== 'string') return errorResponse(id, INVALID_PARAMS, 'tools/call names no tool');
    const session = await this.#session();
    if (this.#questions?.definitions.some((one) => one.name === name))
      return this.#answer(request, session, name);
    const call = { id: callIdOf(id), name, arguments: given as ToolCall['arguments'] };
    const verdict = await session.decide(call, { wait: true, signal: pending.patience.signal });
    if (verdict.run !== null && (this.#stopped || pending.cancelled.signal.aborted)) {
      await session.withdraw(verdict);
      return errorResponse(id, CONNECTION_CLOSED, 'the connection was closed before this call ran');
    }
    let response: McpMessage | undefined;
    let came: ToolOutcome | undefined;
    const run = async (permitted: ToolCall): Promise<unknown> => {
      const own = verdict.message === null;
      const answer = await (own
        ? this.#forward(judged(request, permitted), pending)
        : this.#callInstead(id, permitted, pending));
      const task = own && params.task !== undefined ? taskBegun(answer.result) : undefined;
      response = own ? told(answer) : replaced(request, answer, verdict, this.#kindOf(name, permitted));
      if (task !== undefined) pending.becomeTask(response);
      const over = task === undefined ? answer : await this.#resultOf(id, task);
      // A task may be forgotten as soon as the client wishes, and cancelled in its midst: it may have done its work all the same.
      const isUnknown = task !== undefined && over.error !== undefined && !isTooLong(over.error);
      came = isUnknown ? { error: over.error?.message, mayHaveRun: true } : outcomeOf(over);
      // Beside the task that it began, an answer may have words for the agent.
      if (task !== undefined && Object.keys(answer.result ?? {}).length > 1)
        came = { ...came, shown: [answer.result, came.shown ?? null] };
      if ('error' in came) throw new ToolFailed(String(came.error));
      return came.result;
    };
    const telling = reporting(session, (verdict, outcome) => session.ran(verdict, { ...came, ...outcome }));
    try {
      const carried = await carryOut(telling, verdict, run);
      if (!carried.ran) return withheld(request, carried.verdict, this.#differences(name, carried.verdict));
    } catch (error) {
      if (!(error instanceof ToolFailed)) throw error;
    }
    return response ?? guardFailed(request, 'nothing ran');
  }

  /** A question is no call of the run: no judge sees it, and it never reaches the server. */
  async #answer({ id, params }: CallRequest, session: McpSession, name: string): Promise<McpMessage> {
    if (params?.task !== undefined)
      return errorResponse(id, INVALID_PARAMS, `${name} answers at once, and is no task`);
    const text = await (this.#questions as McpQuestions).answer(session, name, params?.arguments);
    return { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } };
  }

  /** Where the definition of a refused tool differs: for programs, since the words are the server's. */
  #differences(name: string, { reason }: Verdict): readonly string[] {
    return reason === 'tool-changed' ? (this.#catalogue.changeOf(name)?.differences ?? []) : [];
  }

  /** Forwards the client's own request with the judged call. @returns the server's response */
  #forward(request: CallRequest, pending: PendingCall): Promise<McpMessage> {
    return new Promise((resolve) => {
      pending.atServer = true;
      pending.answer = resolve;
      this.#server.send(request).catch((error) => {
        // The request may have arrived nevertheless.
        pending.giveUp(`the server is gone: ${messageOf(error)}`);
      });
    });
  }

  /** The answer to a call that has become a task, once that is over. A task that never ends, and one of which nobody hears any more, counts as running. */
  async #resultOf(id: RequestId, taskId: string): Promise<McpMessage> {
    try {
      return { jsonrpc: '2.0', id, result: await this.#server.request('tasks/result', { taskId }) };
    } catch (error) {
      if (error instanceof McpRequestError && error.answer !== undefined)
        return { jsonrpc: '2.0', id, error: error.answer };
      return NEVER;
    }
  }

  /** Calls the safe replacement of the client's call; the client cannot cancel it. */
  async #callInstead(
    id: RequestId,
    { name, arguments: given }: ToolCall,
    pending: PendingCall,
  ): Promise<McpMessage> {
    pending.atServer = true;
    try {
      const result = await this.#server.request('tools/call', { name, arguments: given });
      return { jsonrpc: '2.0', id, result };
    } catch (error) {
      if (error instanceof McpRequestError && error.answer !== undefined)
        return { jsonrpc: '2.0', id, error: error.answer };
      pending.giveUp(messageOf(error));
      return NEVER;
    }
  }

  /** Whether the call that ran is of the tool that was asked for; if not, whether that promises results which another does not give. */
  #kindOf(name: string, instead: ToolCall): ReplacedKind {
    if (instead.name === name) return 'same-tool';
    return this.#catalogue.hasOutputSchema(name) ? 'promised-other' : 'other';
  }
}

/** The client's request with the call that was judged, even if the original object has changed since. */
function judged(request: CallRequest, { name, arguments: given }: ToolCall): CallRequest {
  const { params = {} } = request;
  // Keeps a request without arguments as it is.
  const hasArguments = 'arguments' in params || Object.keys(given).length > 0;
  return { ...request, params: { ...params, name, ...(hasArguments && { arguments: given }) } };
}

/** The client's response if another call ran in place of its own. */
function replaced(
  { id }: CallRequest,
  { result, error }: McpMessage,
  verdict: Verdict,
  kind: ReplacedKind,
): McpMessage {
  const told = result
    ? replacedResult(result, verdict, kind)
    : refusal(`${verdict.message} It failed: ${error?.message}.`, verdict);
  return { jsonrpc: '2.0', id, result: told };
}

/** The response after a failure of the guard: no response may stand for a decision that was not made. */
function guardFailed({ id }: CallRequest, error: unknown): McpMessage {
  const text = `This call was not run: the guard failed (${messageOf(error)}).`;
  return { jsonrpc: '2.0', id, result: refusal(text) };
}

/** The response to a withheld call. The result of a task call would have to be a task; only an error can be returned at once. */
function withheld({ id, params }: CallRequest, verdict: Verdict, differences: readonly string[]): McpMessage {
  const text = verdict.message ?? verdict.explanation;
  if (params?.task !== undefined) return errorResponse(id, INVALID_REQUEST, text);
  return { jsonrpc: '2.0', id, result: refusal(text, verdict, differences) };
}
