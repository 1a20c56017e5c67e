import type { ToolCall } from './toolCall.js';

/** A question to a person whether a call may run. It is open until it is answered or expires. */
export interface Inspection {
  /** The same for the same call at the same place of the same run, even after the run was resumed. */
  readonly id: string;
  readonly run: string;
  /** Fields named for redaction are hidden. */
  readonly call: ToolCall;
  /** State, rule and probability in words: one line, in which nothing can control a terminal. */
  readonly question: string;
  /** Empty if no rule asks, but what is not known. */
  readonly rule: string;
  /** As of `GuardStep`: under `shield: least` and `budget` the least risk over all ways to go on. `question` says which it is. */
  readonly risk: number;
  /** Whether an answer may carry other arguments. Absent if it may not. */
  readonly editable?: true;
  /** Milliseconds since 1970; without an answer by then, the call counts as refused. */
  readonly expiresAt: number;
}

/** A person's answer. */
export interface Answer {
  readonly approved: boolean;
  readonly by?: string;
  /** Passed on to the agent if the answer is no. */
  readonly comment?: string;
  /**
   * With a yes: the arguments with which the call is to run, all of them. The session must allow it (`edits`), and judges the call anew: if more is against it than
   * the person was told, it does not run. A hidden field that stays as it is keeps its placeholder, `[redacted]`. Default: as proposed.
   */
  readonly arguments?: Readonly<Record<string, unknown>>;
}

/** Asks a person. An error, or an unreadable answer, counts as a refusal. */
export type Ask = (inspection: Inspection, signal: AbortSignal) => Promise<Answer>;
