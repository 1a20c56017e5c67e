import type { ToolOutcome } from './toolCall.js';
import type { Verdict } from './verdict.js';

/** Told of what a session decides, such as telemetry. What it throws is counted and changes nothing. */
export interface SessionObserver {
  /** A run has begun, with its first call. */
  begun?(run: string): void;
  /** On a call; and once more, with the same number, where a person was asked and the question is settled. `seconds`: what deciding took. */
  decided?(verdict: Verdict, run: string, seconds: number): void;
  /** What was let through has come back. */
  ran?(verdict: Verdict, outcome: ToolOutcome, run: string): void;
  /** The run is over. */
  ended?(run: string): void;
}
