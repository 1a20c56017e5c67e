import type { Answer } from './inspection.js';
import type { PlacedQuestion } from './placedQuestions.js';
import type { ToolCall, ToolOutcome } from './toolCall.js';
import type { Verdict } from './verdict.js';

/** The methods of a session that carrying out decisions needs. */
export interface DecidingSession {
  /** Decides on a call, before it runs. `turn` names the turn of the agent: see `Session.check`. */
  check(call: ToolCall, options?: { readonly turn?: string }): Promise<Verdict>;
  /** As `check`, but asks a person if the decision says so; with `wait`, first waits until there is room beside the running calls, or `signal` aborts. */
  decide(
    call: ToolCall,
    options?: { readonly wait?: boolean; readonly signal?: AbortSignal; readonly turn?: string },
  ): Promise<Verdict>;
  /** Whether an answer of a person may carry other arguments. */
  readonly edits?: boolean;
  /** `turn` if all calls of a turn may be withheld because of one: see `Verdict.scope`. Default `call`. */
  readonly scope?: 'call' | 'turn';
  /** Whether the maximum number of calls is running, so that one more would be too many. */
  readonly isFull?: boolean;
  /** Returns the verdict after a person's answer. */
  answer(inspectionId: string, answer: Answer): Promise<Verdict>;
  /** Records that the framework will have the answer to a question at this place; call it before the question is acted on. */
  place?(inspectionId: string, list: string, place: number): Promise<void>;
  /** The questions of the run, including those from before a restart, whose answers the framework has in this list. */
  placed?(list: string): readonly PlacedQuestion[];
  /** Reports the outcome of a permitted call. */
  ran(verdict: Verdict, outcome: ToolOutcome): Promise<void>;
  /** Reports that a permitted call will not run. */
  withdraw(verdict: Verdict): Promise<void>;
  /** The verdict that ended the run. */
  readonly stopped: Verdict | null;
}

/** The outcome of a call: it, or its replacement, ran with a result, or nothing ran. */
export type Carried<T> =
  | { readonly verdict: Verdict; readonly ran: true; readonly result: T }
  | { readonly verdict: Verdict; readonly ran: false };

/** Runs a tool: the proposed call, or its replacement. */
export type RunTool<T> = (call: ToolCall) => T | PromiseLike<T>;

/**
 * Decides on a call, asks a person if the guard says so, and carries the decision out. All adapters do this if their framework does not intervene.
 *
 * @throws any error of `run`, after it was reported to the session
 */
export async function guardedCall<T>(
  session: DecidingSession,
  call: ToolCall,
  run: RunTool<T>,
): Promise<Carried<T>> {
  return carryOut(session, await session.decide(call, { wait: true }), run);
}

/**
 * Runs the permitted call and reports its outcome to the session. If the run was stopped in the meantime, for example by a later call of the same turn, nothing
 * runs.
 *
 * @throws any error of `run`, after it was reported to the session
 */
export async function carryOut<T>(
  session: DecidingSession,
  decided: Verdict,
  run: RunTool<T>,
): Promise<Carried<T>> {
  const verdict = overtaken(session, decided) ? await session.check(decided.call) : decided;
  if (verdict.run === null) return { verdict, ran: false };
  let result: T;
  try {
    result = await run(verdict.run);
  } catch (error) {
    await session.ran(verdict, { error });
    throw error;
  }
  await session.ran(verdict, { result });
  return { verdict, ran: true, result };
}

/** Whether the run was stopped after this verdict had permitted a call. */
export function overtaken(session: DecidingSession, { run }: Verdict): boolean {
  return run !== null && session.stopped !== null;
}

/**
 * The message to the agent, for frameworks in which that is text; null if the agent's own call ran, whose result speaks for itself. The result of a replacement
 * follows the message, as JSON unless it is text.
 */
export function toldAgent(carried: Carried<unknown>): string | null {
  const { message } = carried.verdict;
  if (message === null || !carried.ran) return message;
  return `${message}\n${asText(carried.result)}`;
}

function asText(result: unknown): string {
  if (typeof result === 'string') return result;
  try {
    return JSON.stringify(result) ?? 'no result';
  } catch {
    return 'a result that is not JSON';
  }
}
