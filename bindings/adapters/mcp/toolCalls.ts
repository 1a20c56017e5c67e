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
import type { Peer } from './peer.js';
import type { ToolCatalogue } from './toolCatalogue.js';
import { outcomeOf, refusal, replacedResult } from './toolResult.js';

type CallRequest = McpMessage & { readonly id: RequestId };

/** A call under way. */
interface PendingCall {
  /** The client does not want it any more. */
  readonly cancelled: AbortController;
  /** Hands over the server's response; null until the call is forwarded. */
  answer: ((response: McpMessage) => void) | null;
}

/** A call that ran and failed. Only its response is told, this never. */
class ToolFailed extends Error {}

/**
 * The calls of tools that a client makes: each is decided by the session, and only what that permits reaches the server. Whatever is thrown
 * meanwhile, the client gets an error, and the server nothing.
 */
export class ToolCalls {
  readonly #server: Peer;
  readonly #catalogue: ToolCatalogue;
  readonly #session: () => Promise<DecidingSession>;
  readonly #pending = new Map<RequestId, PendingCall>();
  readonly #running = new Set<Promise<void>>();
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

  /** Aborted where the client, or its loss, cancels the call of a session's `ToolCall`. */
  cancellationOf(call: ToolCall): AbortSignal {
    return this.#pending.get(requestIdOf(call))?.cancelled.signal ?? AbortSignal.abort();
  }

  /**
   * Decides on `tools/call` and carries it out.
   * @param done told at the end, of the response; null where the call was cancelled, and nobody waits for one
   */
  begin(request: CallRequest, done: (response: McpMessage | null) => void): void {
    const call: PendingCall = { cancelled: new AbortController(), answer: null };
    this.#pending.set(request.id, call);
    const running = this.#respond(request, call)
      .catch((error) => guardFailed(request, error))
      .then((response) => {
        this.#pending.delete(request.id);
        this.#running.delete(running);
        done(call.cancelled.signal.aborted ? null : response);
      });
    this.#running.add(running);
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
    call?.answer?.(errorResponse(id, CONNECTION_CLOSED, 'cancelled while it ran'));
    return call === undefined || call.answer !== null;
  }

  /** The connection is over: whatever is decided from now on does not run. */
  stop(clientGone: boolean): void {
    this.#stopped = true;
    if (clientGone) for (const { cancelled } of this.#pending.values()) cancelled.abort();
  }

  /** The server does not answer a call, or any: it may have run or not. */
  fail(why: string, id?: RequestId): void {
    for (const [pending, { answer }] of this.#pending) {
      if (id === undefined || id === pending) answer?.(errorResponse(pending, CONNECTION_CLOSED, why));
    }
  }

  /** Every call is answered, and what it came to recorded. */
  async settled(): Promise<void> {
    await Promise.all(this.#running);
  }

  async #respond(request: CallRequest, pending: PendingCall): Promise<McpMessage> {
    const { id, params = {} } = request;
    const { name, arguments: given = {} } = params;
    if (typeof name !== 'string') return errorResponse(id, INVALID_PARAMS, 'tools/call names no tool');
    const session = await this.#session();
    const verdict = await session.decide({
      id: callIdOf(id),
      name,
      arguments: given as ToolCall['arguments'],
    });
    if (verdict.run !== null && (this.#stopped || pending.cancelled.signal.aborted)) {
      await session.withdraw(verdict);
      return errorResponse(id, CONNECTION_CLOSED, 'the connection was closed before this call ran');
    }
    let response: McpMessage | undefined;
    const run = async (permitted: ToolCall): Promise<unknown> => {
      const own = verdict.message === null;
      const answer = await (own
        ? this.#forward(judged(request, permitted), pending)
        : this.#callInstead(id, permitted));
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

  /** The client's own request, with what was judged of it. @returns the server's response, or what stands for one that never comes */
  #forward(request: CallRequest, pending: PendingCall): Promise<McpMessage> {
    return new Promise((resolve) => {
      pending.answer = resolve;
      this.#server.send(request).catch((error) => {
        resolve(errorResponse(request.id, CONNECTION_CLOSED, `the server is gone: ${messageOf(error)}`));
      });
    });
  }

  /** The safe call in place of the client's: not the client's to cancel. */
  async #callInstead(id: RequestId, { name, arguments: given }: ToolCall): Promise<McpMessage> {
    try {
      const result = await this.#server.request('tools/call', { name, arguments: given });
      return { jsonrpc: '2.0', id, result };
    } catch (error) {
      return errorResponse(id, CONNECTION_CLOSED, messageOf(error));
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
