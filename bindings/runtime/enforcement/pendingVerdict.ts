import { printableName } from '../../base/words.js';
import {
  afterFault,
  type Decision,
  type GuardProposal,
  type Judgement,
  type Refusal,
  type RuleMessage,
  severity,
} from '../guard/index.js';
import { type Judged, JudgeFault } from './judged.js';
import { faultInWords } from './messages.js';
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
  /** The answers of the run's judges; null if they were not asked. */
  judged: readonly Judged[] | null = null;
  /** The answer that counts: the most severe. Null if no judge was asked, or the most severe is a fault. */
  counts: Judgement | null = null;
  /** The guards' most severe answer, whatever else decided; null if there is none. */
  step: GuardProposal | null = null;
  /** The answers of judges on the replacement, in their order; null for one that has not judged it. */
  replacement: (Judged | null)[] | undefined;
  suggestion: Judgement['suggestion'] = null;
  scope: Judgement['scope'] = 'call';
  /** What each judge has read of the call that runs. */
  reads: readonly unknown[] = [];
  /** The rules against the call that a person is told about, if a person is asked. */
  shown: readonly Refusal[] = [];
  /** The rules whose violation by the call a person has excused. */
  excused: readonly string[] = [];
  /** Whether another call of the agent's turn was refused before this one. */
  isSibling = false;
  inputs: string | null = null;
  /** The judges have let the call run, and may count on it. */
  granted = false;
  /** Tells the judges that the call that they have let run does not. */
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
    return wouldDecide(this.judged ?? [], moreSevere(this.decision, this.counts?.wouldDecide ?? 'allow'));
  }

  /** Refuses the call; withholds it if the judges had let it run. */
  refuse(reason: Verdict['reason'], decision: Decision): void {
    if (this.granted) this.withhold();
    this.granted = false;
    this.told = null;
    this.run = null;
    this.decision = decision;
    this.reason = reason;
    this.suggestion = null;
    this.scope = 'call';
  }

  /**
   * Decides by the configured safe decision.
   * @param failed the judge's own decision after a failure, if its decision could not be carried out
   */
  fault(call: ToolCall, fault: EnforcementFault, detail: string, failed?: Decision): void {
    const safe = afterFault[failed ?? this.#onFault];
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
  outcome(): Pick<
    Verdict,
    'decision' | 'reason' | 'rule' | 'run' | 'message' | 'explanation' | 'ends' | 'suggestion' | 'scope'
  > {
    const { decision, reason, rule, run, message, explanation, suggestion, scope } = this;
    const said = { decision, reason, rule, run, message, explanation, ends: decision === 'stop' };
    // Most verdicts have neither.
    if (suggestion == null && scope !== 'turn') return said;
    return { ...said, ...(suggestion && { suggestion }), ...(scope === 'turn' && { scope }) };
  }
}

/** What enforcement would have decided if no rule were in shadow mode. @param decided the decision as it is */
export function wouldDecide(judged: readonly (Judged | null)[], decided: Decision): Decision {
  let worst = decided;
  for (const one of judged)
    if (one !== null && !(one instanceof JudgeFault))
      worst = moreSevere(worst, one.wouldDecide ?? one.decision);
  return worst;
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
