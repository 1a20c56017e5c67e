import type { Judgement } from './actionTables.js';
import type { Fault, GuardStep, Reason } from './guardStep.js';
import type { Decision, ShieldMode } from './strategy.js';

/** One rule's status at the last observation; the guard's decision is that of the most severe rule. */
export interface RuleStatus {
  readonly name: string;
  readonly decision: Decision;
  readonly reason: Reason;
  /** The reason; if that is `escalated`, the reason before the escalation. */
  readonly cause: Reason;
  /**
   * The fault because of which the step could not be judged: `onUntried`, `onUnknown` or `onUnreadable` decides it unless a more severe reason does; null if it
   * was judged.
   */
  readonly fault: Fault | null;
  /** Whether the rule itself decided: its risk was compared, or it is or may be broken. False if a setting decided what is not known, or the tool is safe. */
  readonly decidesItself: boolean;
  readonly risk: number;
  readonly lower: number;
  readonly upper: number;
  /** As in `GuardStep`. */
  readonly confidenceUpper: number;
  readonly decidedOn: GuardStep['decidedOn'];
  /** The rule is broken for certain, now or earlier. */
  readonly violated: boolean;
  /** The rule would be broken for certain if the run ended now. */
  readonly violatedAtEnd: boolean;
  /** The verdict that is certain whatever follows, as in automata: OPEN, VIOLATED or SATISFIED. Also OPEN if an unread step may have broken the rule. */
  readonly verdict: number;
  /** The same if the run ended now: OPEN only if that depends on unreadable predicates. */
  readonly verdictAtEnd: number;
  /** State of the rule's automaton, or -1 if only a set of states is known. */
  readonly automatonState: number;
  /**
   * Whether the answer rests on steps that could not be read, are missing, or came too early: such a step may have broken the rule since the last decision, or left
   * its automaton in one of several states. `lower` and `upper` are then the least and the greatest over what those steps may have been.
   */
  readonly inDoubt: boolean;
  /** Whether the rule's automaton may be in this state. */
  mayBeIn(state: number): boolean;
  /** The states that it may have been in before the last step. */
  readonly statesBefore: readonly number[];
}

/** A shield's judgement of the current action, for one rule. */
export interface ShieldedAction {
  readonly mode: ShieldMode;
  readonly judgement: Judgement;
  /** Whether the budget, if any, covers the action. */
  readonly affordable: boolean;
  /** Whether the action is to do nothing. */
  readonly idle: boolean;
}
