import { printableName } from '../../base/words.js';
import {
  afterFault,
  type Decision,
  type GuardProposal,
  type RecordedStep,
  type RuleMessage,
  severity,
} from '../guard/index.js';
import type { Judged } from './judges.js';
import { faultInWords } from './messages.js';
import type { Refusal } from './refusals.js';
import type { ToolCall } from './toolCall.js';
import type { EnforcementFault, Verdict } from './verdict.js';

/** The parts of a decision on a call, until it is recorded and becomes a verdict. */
export class PendingVerdict {
  decision: Decision = 'stop';
  reason: Verdict['reason'] = 'state-failed';
  rule = '';
  /** The call to run; null if nothing runs. */
  run: ToolCall | null = null;
  message: string | null = null;
  explanation = '';
  /** What the deciding rule says for itself, filled in; null if it says nothing. */
  told: RuleMessage | null = null;
  /** The name of the safe action, if the decision is `replace`. */
  action: string | null = null;
  /** The answers of the run's guards; null if they were not asked. */
  judged: readonly Judged[] | null = null;
  /** The answer that counts: the most severe. Null if the guards were not asked. */
  counts: Pick<Judged, 'guard' | 'proposal'> | null = null;
  /** The readings of guards that judged the replacement, in their order; null for one that did not. */
  replacement: readonly (RecordedStep | null)[] | undefined;
  /** Reactive rules that would withhold the call, whatever was decided. */
  readonly forbidding: Refusal[] = [];
  /** The rules against the call that a person is told about, if a person is asked. */
  shown: readonly Refusal[] = [];
  /** The rules whose violation by the call a person has excused. */
  excused: readonly string[] = [];
  reactive: (Readonly<Record<string, boolean>> | null)[] | undefined;
  /** Whether another call of the agent's turn was refused before this one. */
  isSibling = false;
  inputs: string | null = null;
  /** The guard has permitted the call to run, and counts on it. */
  granted = false;
  /** Tells the guard that the action it has permitted does not run. */
  readonly withhold: () => void;
  readonly #onFault: 'stop' | 'block';

  constructor(withhold: () => void, onFault: 'stop' | 'block' = 'stop') {
    this.withhold = withhold;
    this.#onFault = onFault;
  }

  /** Whether the call may run as the draft stands. */
  get lets(): boolean {
    return severity[this.decision] <= severity.report;
  }

  /** The decision of enforcement if no rule were in shadow mode. */
  get wouldDecide(): Decision {
    const would = this.judged?.map(({ proposal }) => proposal.wouldDecide) ?? [];
    return would.reduce(moreSevere, moreSevere(this.decision, this.counts?.proposal.wouldDecide ?? 'allow'));
  }

  /** Refuses the call; withholds it if the guard had permitted it. */
  refuse(reason: Verdict['reason'], decision: Decision): void {
    if (this.granted) this.withhold();
    this.granted = false;
    this.told = null;
    this.run = null;
    this.decision = decision;
    this.reason = reason;
  }

  /**
   * Decides by the configured safe decision.
   * @param failed the guard's own decision after a failure, if a rule's strategy could not be carried out
   */
  fault(call: ToolCall, fault: EnforcementFault, detail: string, failed?: GuardProposal): void {
    const safe = afterFault[failed?.decision ?? this.#onFault];
    this.refuse(fault, fault === 'run-over' ? 'stop' : safe);
    this.explanation = `${toolOf(call)}${faultInWords(fault, detail)}`;
    this.message = this.explanation;
    this.action = null;
  }

  /** Refuses the call without ending the run. */
  block(call: ToolCall, fault: EnforcementFault, detail = ''): void {
    this.refuse(fault, 'block');
    this.message = this.explanation = `${toolOf(call)}${faultInWords(fault, detail)}`;
  }

  /** The parts of the draft that a verdict has. */
  outcome(): Pick<Verdict, 'decision' | 'reason' | 'rule' | 'run' | 'message' | 'explanation' | 'ends'> {
    const { decision, reason, rule, run, message, explanation } = this;
    return { decision, reason, rule, run, message, explanation, ends: decision === 'stop' };
  }
}

/** The more severe of two decisions; the first if they are equal. */
export function moreSevere(one: Decision, other: Decision): Decision {
  return severity[other] > severity[one] ? other : one;
}

/** The tool's name for messages. A call is the agent's object: reading it may throw. */
function toolOf(call: ToolCall): string {
  try {
    return typeof call.name === 'string' && call.name !== ''
      ? `${printableName(call.name.slice(0, 200))}: `
      : '';
  } catch {
    return '';
  }
}
