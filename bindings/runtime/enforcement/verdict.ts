import type { Decision, GuardProposal, Reason } from '../guard/index.js';
import type { Inspection } from './inspection.js';
import type { ToolCall } from './toolCall.js';

/**
 * What went wrong around the guard. The session's `onFault` decides such a call, except as said:
 * - `unknown-tool`: no tool of that name was declared
 * - `invalid-arguments`: they are no plain data, too large, cyclic, or the tool's own check refuses them
 * - `state-failed`: the world could not be observed
 * - `rule-failed`: a predicate of a reactive rule threw, or gave no Boolean
 * - `replacement-failed`: there is no safe action of that name, or it is not allowed itself; `onFailure` of the guard's rule decides
 * - `refused`: a person said no; it is blocked
 * - `no-answer`: a person said nothing in time; `onFailure` of the guard's rule decides
 * - `log-failed`: the decision could not be recorded
 * - `run-over`: the run was stopped, or has ended; it is stopped
 * - `calls-running`: more calls are running than `maxPending`, or doing nothing was asked about while some were; it is blocked, whatever `onFault` says
 */
export type EnforcementFault =
  | 'unknown-tool'
  | 'invalid-arguments'
  | 'state-failed'
  | 'rule-failed'
  | 'replacement-failed'
  | 'refused'
  | 'no-answer'
  | 'log-failed'
  | 'run-over'
  | 'calls-running';

/** What is to become of a call. */
export interface Verdict {
  /** The call as it was read when it was proposed: a frozen copy. Where its arguments are not plain data, it holds what can be shown of them. */
  readonly call: ToolCall;
  /** Which decision of the run, from 0. */
  readonly number: number;
  readonly decision: Decision;
  /** Why: the guard's reason, a fault around it, the reactive rule that decided, or `approved` by a person. */
  readonly reason: Reason | EnforcementFault | 'reactive-rule' | 'approved';
  /** The rule that decided; empty where it was none. */
  readonly rule: string;
  /** What is to run: the call as it was judged, its replacement, or nothing. Frozen in depth; run this, not what was proposed. */
  readonly run: ToolCall | null;
  /** What the agent is told instead of a result, or beside that of a replacement; null where its call runs as it is. */
  readonly message: string | null;
  /** The run is over: nothing may be called any more. */
  readonly ends: boolean;
  /** What a person is asked, where the decision is `inspect`. */
  readonly inspection: Inspection | null;
  /** What the guard found, its own object for this verdict; null where it was not asked. */
  readonly step: GuardProposal | null;
  /** In a sentence or two, for people and logs. */
  readonly explanation: string;
  /** In shadow mode, what enforcement would have decided; else the decision itself. */
  readonly wouldDecide: Decision;
}
