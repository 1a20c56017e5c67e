import type { Answer } from './inspection.js';
import type { PlacedQuestion } from './placedQuestions.js';
import type { ToolCall, ToolOutcome } from './toolCall.js';
import type { Verdict } from './verdict.js';

/** What carrying out needs of a session. */
export interface DecidingSession {
  /** Decides on a call, before it runs. */
  check(call: ToolCall): Promise<Verdict>;
  /** The same, once a person has been asked where that is to be; and with `wait`, once there is room beside the calls that are running, or `signal` aborts. */
  decide(
    call: ToolCall,
    options?: { readonly wait?: boolean; readonly signal?: AbortSignal },
  ): Promise<Verdict>;
  /** One more call would be one too many beside those that are running. */
  readonly isFull?: boolean;
  /** What comes of a person's answer. */
  answer(inspectionId: string, answer: Answer): Promise<Verdict>;
  /** Records that the framework has an answer to a question under this name; before anything is done about it. */
  place?(inspectionId: string, list: string, place: number): Promise<void>;
  /** The questions of the run, also before it was resumed, to which it had one under this name. */
  placed?(list: string): readonly PlacedQuestion[];
  /** Tells what came of what was let through. */
  ran(verdict: Verdict, outcome: ToolOutcome): Promise<void>;
  /** Tells that what was let through will not run. */
  withdraw(verdict: Verdict): Promise<void>;
  /** The verdict that ended the run. */
  readonly stopped: Verdict | null;
}

/** What became of a call: it, or its replacement, ran with a result, or nothing ran. */
export type Carried<T> =
  | { readonly verdict: Verdict; readonly ran: true; readonly result: T }
  | { readonly verdict: Verdict; readonly ran: false };

/** Runs a tool: the call that was proposed, or the one that replaces it. */
export type RunTool<T> = (call: ToolCall) => T | PromiseLike<T>;

/**
 * Decides on a call, asking a person where the guard says so, and carries the decision out. What all adapters do, where their framework
 * does not come in between.
 *
 * @throws what `run` throws, once the session knows of it
 */
export async function guardedCall<T>(
  session: DecidingSession,
  call: ToolCall,
  run: RunTool<T>,
): Promise<Carried<T>> {
  return carryOut(session, await session.decide(call, { wait: true }), run);
}

/**
 * Runs what a verdict permits and tells the session how it went. Where the run was stopped since, as by a later call of the same turn, nothing
 * runs any more.
 *
 * @throws what `run` throws, once the session knows of it
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

/** Whether the run was stopped after this verdict had permitted something. */
export function overtaken(session: DecidingSession, { run }: Verdict): boolean {
  return run !== null && session.stopped !== null;
}

/**
 * What the agent is told, for frameworks in which that is text; null where its own call ran, whose result speaks for itself. The
 * result of a replacement follows the message, as JSON where it is no text.
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
    return 'a result that is no JSON';
  }
}
