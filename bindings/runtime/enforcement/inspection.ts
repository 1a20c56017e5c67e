import type { ToolCall } from './toolCall.js';

/** A question to a person: shall this call run? It is open until it is answered, or its time is over. */
export interface Inspection {
  /** The same for the same call at the same place of the same run, also where that was resumed. */
  readonly id: string;
  readonly run: string;
  /** Fields named for redaction are hidden. */
  readonly call: ToolCall;
  /** State, rule and probability in words. */
  readonly question: string;
  readonly rule: string;
  /** As of `GuardStep`: under `shield: least` and `budget` the least risk over all ways to go on. `question` says which it is. */
  readonly risk: number;
  /** Milliseconds since 1970; without an answer until then it counts as refused. */
  readonly expiresAt: number;
}

/** What a person answered. */
export interface Answer {
  readonly approved: boolean;
  readonly by?: string;
  /** Told to the agent, where the answer is no. */
  readonly comment?: string;
}

/** Asks a person. What it throws, and what is no answer, counts as a refusal. */
export type Ask = (inspection: Inspection, signal: AbortSignal) => Promise<Answer>;
