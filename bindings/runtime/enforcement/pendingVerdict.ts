import { type Decision, type GuardProposal, type RecordedStep, severity } from '../guard/index.js';
import { faultInWords } from './messages.js';
import type { Refusal } from './refusals.js';
import type { ToolCall } from './toolCall.js';
import type { EnforcementFault, Verdict } from './verdict.js';

/** What a decision on a call is made of, until it is recorded and becomes a verdict. */
export class PendingVerdict {
  decision: Decision = 'stop';
  reason: Verdict['reason'] = 'state-failed';
  rule = '';
  /** What is to run; null is nothing. */
  run: ToolCall | null = null;
  message: string | null = null;
  explanation = '';
  /** The safe action by name, where the decision is to replace. */
  action: string | null = null;
  /** Null where the guard was not asked. */
  proposal: GuardProposal | null = null;
  observed: RecordedStep | null = null;
  replacement: RecordedStep | undefined;
  /** Reactive rules that would not let the call run, whatever was decided. */
  readonly forbidding: Refusal[] = [];
  /** The rules that a person is told would not let the call run, where one is asked. */
  shown: readonly Refusal[] = [];
  reactive: (Readonly<Record<string, boolean>> | null)[] | undefined;
  inputs: string | null = null;
  /** The guard has let through what is to run, and counts on it. */
  granted = false;
  /** Tells the guard that what it has let through does not run. */
  readonly withhold: () => void;
  readonly #onFault: 'stop' | 'block';

  constructor(withhold: () => void, onFault: 'stop' | 'block' = 'stop') {
    this.withhold = withhold;
    this.#onFault = onFault;
  }

  /** Whether the call may run as things are. */
  get lets(): boolean {
    return severity[this.decision] <= severity.report;
  }

  /** What enforcement would do if no rule were in shadow mode. */
  get wouldDecide(): Decision {
    return moreSevere(this.decision, this.proposal?.wouldDecide ?? 'allow');
  }

  /** Withholds what the guard had let through. */
  refuse(reason: Verdict['reason'], decision: Decision): void {
    if (this.granted) this.withhold();
    this.granted = false;
    this.run = null;
    this.decision = decision;
    this.reason = reason;
  }

  /**
   * Comes to the configured safe decision.
   * @param failed of a rule's strategy that could not be carried out: the guard's own decision on that
   */
  fault(call: ToolCall, fault: EnforcementFault, detail: string, failed?: GuardProposal): void {
    const chosen = failed?.decision ?? this.#onFault;
    // What cannot be carried out cannot stand in for what could not.
    const safe = chosen === 'block' || chosen === 'reflect' ? chosen : 'stop';
    this.refuse(fault, fault === 'run-over' ? 'stop' : safe);
    this.explanation = `${toolOf(call)}${faultInWords(fault, detail)}`;
    this.message = this.explanation;
    this.action = null;
  }

  /** Refuses without ending the run. */
  block(call: ToolCall, fault: EnforcementFault, detail = ''): void {
    this.refuse(fault, 'block');
    this.message = this.explanation = `${toolOf(call)}${faultInWords(fault, detail)}`;
  }

  /** The parts of it that a verdict has. */
  outcome(): Pick<Verdict, 'decision' | 'reason' | 'rule' | 'run' | 'message' | 'explanation' | 'ends'> {
    const { decision, reason, rule, run, message, explanation } = this;
    return { decision, reason, rule, run, message, explanation, ends: decision === 'stop' };
  }
}

/** Of two decisions; the first of equals. */
export function moreSevere(one: Decision, other: Decision): Decision {
  return severity[other] > severity[one] ? other : one;
}

/** A call is the agent's object: reading it may throw. */
function toolOf(call: ToolCall): string {
  try {
    return typeof call.name === 'string' && call.name !== '' ? `${call.name.slice(0, 200)}: ` : '';
  } catch {
    return '';
  }
}
