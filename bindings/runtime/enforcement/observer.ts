import type { ToolOutcome } from './toolCall.js';
import type { Verdict } from './verdict.js';

/** Receives a session's decisions, for telemetry for example. Its errors are counted and have no other effect. */
export interface SessionObserver {
  /** A run has begun with its first call. */
  begun?(run: string): void;
  /** A call was decided; called once more, with the same number, after the answer to a question was settled. `seconds`: duration of the decision. */
  decided?(verdict: Verdict, run: string, seconds: number): void;
  /** A permitted call has come back. */
  ran?(verdict: Verdict, outcome: ToolOutcome, run: string): void;
  /** A permitted call was given up, and does not run. */
  withdrawn?(verdict: Verdict, run: string): void;
  /** The run is over. */
  ended?(run: string): void;
}
