import type { Decision, GuardProposal, Reason } from '../guard/index.js';
import type { Inspection } from './inspection.js';
import type { ToolCall } from './toolCall.js';

/**
 * Faults around the guard. The session's `onFault` decides such a call, unless stated otherwise:
 * - `unknown-tool`: no tool of that name was declared
 * - `tool-changed`: the tool may not be called as it is now (`DeclaredTool.refused`), such as one whose definition has changed
 * - `invalid-arguments`: the arguments are not plain data, too large, cyclic, or refused by the tool's own check
 * - `state-failed`: the world could not be observed
 * - `rule-failed`: a judge failed: a predicate of a reactive rule threw or did not return a Boolean; a judge of a user's own threw, gave no judgement at once, or decided what it had not declared
 * - `replacement-failed`: there is no safe action of that name, or it is not allowed itself; `onFailure` of the guard's rule decides
 * - `refused`: a person said no; the call is blocked
 * - `no-answer`: nobody answered in time; `onFailure` of the guard's rule decides
 * - `log-failed`: the decision could not be recorded
 * - `run-over`: the run was stopped, or has ended; the call is stopped
 * - `calls-running`: more calls are running than `maxPending`, or doing nothing was proposed while some were; it is blocked, whatever `onFault` says
 * - `too-early`: with `resample: hold` or `skip`, the state has changed since the last step that rules read, or the clock was set back; it is blocked, whatever `onFault` says
 * - `repeated-call`: with `once`, a call of this id was let through before; it is blocked, whatever `onFault` says
 */
export type EnforcementFault =
  | 'unknown-tool'
  | 'tool-changed'
  | 'invalid-arguments'
  | 'state-failed'
  | 'rule-failed'
  | 'replacement-failed'
  | 'refused'
  | 'no-answer'
  | 'log-failed'
  | 'run-over'
  | 'calls-running'
  | 'too-early'
  | 'repeated-call';

/** Whether a reason names a fault around the guard, and not a cause that a judge gave. */
export function isEnforcementFault(reason: string): reason is EnforcementFault {
  return Object.hasOwn(FAULTS, reason);
}

// A record, so that the compiler asks for each of them.
const FAULTS: Readonly<Record<EnforcementFault, true>> = {
  'unknown-tool': true,
  'tool-changed': true,
  'invalid-arguments': true,
  'state-failed': true,
  'rule-failed': true,
  'replacement-failed': true,
  refused: true,
  'no-answer': true,
  'log-failed': true,
  'run-over': true,
  'calls-running': true,
  'too-early': true,
  'repeated-call': true,
};

/** The decision on a call and its consequences. */
export interface Verdict {
  /** The call as it was read when it was proposed: a frozen copy. If its arguments are not plain data, it holds the part of them that can be shown. */
  readonly call: ToolCall;
  /** Number of the decision within the run, from 0. */
  readonly number: number;
  readonly decision: Decision;
  /** The reason: the guard's, a fault around it, `reactive-rule`, `approved` by a person, or the reason of the judge that decided. */
  readonly reason: Reason | EnforcementFault | 'reactive-rule' | 'approved' | (string & {});
  /** The rule that decided; empty if none did. */
  readonly rule: string;
  /** The call to run: the call as it was judged, its replacement, or null. Deeply frozen; run this, not the proposed object. */
  readonly run: ToolCall | null;
  /** The message to the agent instead of a result, or beside the result of a replacement; null if its call runs as it is. */
  readonly message: string | null;
  /** The run is over: no further call is permitted. */
  readonly ends: boolean;
  /** The nearest call that would be permitted, as the judge that refuses this one says; absent if it names none. */
  readonly suggestion?: Pick<ToolCall, 'name' | 'arguments'>;
  /** All calls of the turn are to be withheld, not this one alone; for frameworks that decide on all calls of a turn before the first runs. Absent if not. */
  readonly scope?: 'turn';
  /** The question to a person, if the decision is `inspect`. */
  readonly inspection: Inspection | null;
  /** The guard's answer, an object of its own for this verdict; null if the guard was not asked. */
  readonly step: GuardProposal | null;
  /** One or two sentences for people and logs. */
  readonly explanation: string;
  /** In shadow mode, the decision that enforcement would have made; else the decision itself. */
  readonly wouldDecide: Decision;
}
