import { carryOut, type DecidingSession, type ToolCall, type Verdict } from '../../enforcement/index.js';
import {
  CONNECTION_CLOSED,
  callIdOf,
  errorResponse,
  INVALID_PARAMS,
  INVALID_REQUEST,
  type McpMessage,
  messageOf,
  type RequestId,
  requestIdOf,
} from './message.js';
import { McpRequestError, type Peer } from './peer.js';
import type { ToolCatalogue } from './toolCatalogue.js';
import { outcomeOf, refusal, replacedResult } from './toolResult.js';

type CallRequest = McpMessage & { readonly id: RequestId };

/** A call under way. */
interface PendingCall {
  /** The client does not want it any more. */
  readonly cancelled: AbortController;
  /** Aborted where it is not to wait for room any longer: it is decided at once. */
  readonly patience: AbortController;
  /** Something of it is at the server. */
  atServer: boolean;
  /** Takes the server's response; null until the call is forwarded. */
  answer: ((response: McpMessage) => void) | null;
  /** Nobody waits for it any more, and the server may still be at work on it. */
  abandoned: boolean;
  /** The client gets an error, while the session goes on to wait for the server. */
  readonly giveUp: (why: string) => void;
}

/** A call that ran and failed. Only its response is told, this never. */
class ToolFailed extends Error {}

/** Of a call that the server may be at work on for ever, for all that can be known: its session never hears that it came back. */
const NEVER = new Promise<never>(() => undefined);

/**
 * The calls of tools that a client makes: each is decided by the session, and only what that permits reaches the server. Whatever is thrown
 * meanwhile, the client gets an error, and the server nothing.
 *
 * A call that has reached the server is pending in the session until the server answers it. A client that cancels it, or a connection that breaks, ends the waiting for it, not the call.
 */
export class ToolCalls {
  readonly #server: Peer;
  readonly #catalogue: ToolCatalogue;
  readonly #session: () => Promise<DecidingSession>;
  readonly #pending = new Map<RequestId, PendingCall>();
  /** What somebody still waits for. */
  readonly #running = new Map<RequestId, Promise<void>>();
  #stopped = false;

  /** @param session of the run; it waits until the tools are known */
  constructor(server: Peer, catalogue: ToolCatalogue, session: () => Promise<DecidingSession>) {
    this.#server = server;
    this.#catalogue = catalogue;
    this.#session = session;
  }

  has(id: RequestId): boolean {
    return this.#pending.has(id);
  }

  /** Whether nobody waits for a call any more that the server may still be at work on. */
  isAbandoned(id: RequestId): boolean {
    return this.#pending.get(id)?.abandoned ?? false;
  }

  /** Aborted where the client, or its loss, cancels the call of a session's `ToolCall`. */
  cancellationOf(call: ToolCall): AbortSignal {
    return this.#pending.get(requestIdOf(call))?.cancelled.signal ?? AbortSignal.abort();
  }

  /**
   * Decides on `tools/call` and carries it out.
   * @param answer told of the response, unless the call was cancelled, and nobody waits for one
   * @param free told that the call is over, and its id may be used again
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
    };
    if ([...this.#pending.values()].some(({ abandoned }) => abandoned)) call.patience.abort();
    this.#pending.set(id, call);
    const running = this.#respond(request, call)
      .catch((error) => guardFailed(request, error))
      .then((response) => {
        this.#pending.delete(id);
        this.#running.delete(id);
        if (!call.abandoned && !call.cancelled.signal.aborted) answer(response);
        free();
      });
    this.#running.set(id, running);
  }

  /** Takes the server's response to a call. @returns whether it is one */
  takes(response: McpMessage): boolean {
    const call = response.id === undefined ? undefined : this.#pending.get(response.id);
    call?.answer?.(response);
    return call !== undefined;
  }

  /** The client cancels a call. @returns whether the server has heard of it, and is to hear of this too */
  cancel(id: RequestId): boolean {
    const call = this.#pending.get(id);
    call?.cancelled.abort();
    call?.patience.abort();
    if (call?.atServer) this.#abandon(id, call);
    return call === undefined || call.answer !== null;
  }

  /** The connection is over: whatever is decided from now on does not run. */
  stop(clientGone: boolean): void {
    this.#stopped = true;
    for (const { cancelled, patience } of this.#pending.values()) {
      patience.abort();
      if (clientGone) cancelled.abort();
    }
  }

  /** The server does not answer a call, or any: it may have run or not, or run still. */
  fail(why: string, id?: RequestId): void {
    for (const [pending, { atServer, giveUp }] of this.#pending) {
      if (atServer && (id === undefined || id === pending)) giveUp(why);
    }
  }

  /** Every call that somebody waits for is answered, and what it came to recorded. */
  async settled(): Promise<void> {
    await Promise.all(this.#running.values());
  }

  /** Nobody waits for it any more, and nobody is to wait until it has come back: it may never. */
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
    const call = { id: callIdOf(id), name, arguments: given as ToolCall['arguments'] };
    const verdict = await session.decide(call, { wait: true, signal: pending.patience.signal });
    if (verdict.run !== null && (this.#stopped || pending.cancelled.signal.aborted)) {
      await session.withdraw(verdict);
      return errorResponse(id, CONNECTION_CLOSED, 'the connection was closed before this call ran');
    }
    let response: McpMessage | undefined;
    const run = async (permitted: ToolCall): Promise<unknown> => {
      const own = verdict.message === null;
      const answer = await (own
        ? this.#forward(judged(request, permitted), pending)
        : this.#callInstead(id, permitted, pending));
      response = own ? answer : replaced(request, answer, verdict, this.#promises(name, permitted));
      const outcome = outcomeOf(answer);
      if ('error' in outcome) throw new ToolFailed(String(outcome.error));
      return outcome.result;
    };
    try {
      const carried = await carryOut(session, verdict, run);
      if (!carried.ran) return withheld(request, carried.verdict);
    } catch (error) {
      if (!(error instanceof ToolFailed)) throw error;
    }
    return response ?? guardFailed(request, 'nothing ran');
  }

  /** The client's own request, with what was judged of it. @returns the server's response */
  #forward(request: CallRequest, pending: PendingCall): Promise<McpMessage> {
    return new Promise((resolve) => {
      pending.atServer = true;
      pending.answer = resolve;
      this.#server.send(request).catch((error) => {
        // It may have arrived all the same.
        pending.giveUp(`the server is gone: ${messageOf(error)}`);
      });
    });
  }

  /** The safe call in place of the client's: not the client's to cancel. */
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
      if (error instanceof McpRequestError && error.answered)
        return errorResponse(id, CONNECTION_CLOSED, messageOf(error));
      pending.giveUp(messageOf(error));
      return NEVER;
    }
  }

  /** Whether the tool that was asked for promises results that another one does not give. */
  #promises(name: string, instead: ToolCall): boolean {
    return instead.name !== name && this.#catalogue.hasOutputSchema(name);
  }
}

/** The client's request with the call that was judged, whatever has become of the object it came in. */
function judged(request: CallRequest, { name, arguments: given }: ToolCall): CallRequest {
  const { params = {} } = request;
  // A request without arguments stays one.
  return { ...request, params: { ...params, name, ...('arguments' in params && { arguments: given }) } };
}

/** What the client gets where another call ran in place of its own. */
function replaced(
  { id }: CallRequest,
  { result, error }: McpMessage,
  verdict: Verdict,
  promised: boolean,
): McpMessage {
  const told = result
    ? replacedResult(result, verdict, promised)
    : refusal(`${verdict.message} It failed: ${error?.message}.`, verdict);
  return { jsonrpc: '2.0', id, result: told };
}

/** No response may stand for a decision that was not made. */
function guardFailed({ id }: CallRequest, error: unknown): McpMessage {
  const text = `This call is not answered for: the guard failed (${messageOf(error)}).`;
  return { jsonrpc: '2.0', id, result: refusal(text) };
}

/** Results of calls that were to run as tasks would have to be tasks; only an error can be told at once. */
function withheld({ id, params }: CallRequest, verdict: Verdict): McpMessage {
  const text = verdict.message ?? verdict.explanation;
  if (params?.task !== undefined) return errorResponse(id, INVALID_REQUEST, text);
  return { jsonrpc: '2.0', id, result: refusal(text, verdict) };
}
