import type { Judgement } from './actionTables.js';
import type { Fault, GuardStep, Reason } from './guardStep.js';
import type { Decision, ShieldMode } from './strategy.js';

/** What one rule says of the last observation; the guard's decision is that of the most severe rule. */
export interface RuleStatus {
  readonly name: string;
  readonly decision: Decision;
  readonly reason: Reason;
  /** The reason; where that is `escalated`, what it was before. */
  readonly cause: Reason;
  /** Why the step could not be judged, so that `onUnknown` decides it unless something graver does; null where it was judged. */
  readonly fault: Fault | null;
  readonly risk: number;
  readonly lower: number;
  readonly upper: number;
  /** As of `GuardStep`. */
  readonly confidenceUpper: number;
  readonly decidedOn: GuardStep['decidedOn'];
  /** The rule is broken for certain, now or earlier. */
  readonly violated: boolean;
  /** The rule would be broken for certain if the run ended now. */
  readonly violatedAtEnd: boolean;
  /** What is certain, whatever follows, as in automata: OPEN, VIOLATED or SATISFIED. OPEN too where an unread step may have broken the rule. */
  readonly verdict: number;
  /** The same if the run ended now: OPEN only where that hangs on what could not be read. */
  readonly verdictAtEnd: number;
  /** State of the rule's automaton, or -1 where only a set of states is known. */
  readonly automatonState: number;
  /** Whether the rule's automaton may be in this state. */
  mayBeIn(state: number): boolean;
}

/** What a shield makes of the action at hand, for one rule. */
export interface ShieldedAction {
  readonly mode: ShieldMode;
  readonly judgement: Judgement;
  /** Whether the budget allows for it, where there is one. */
  readonly affordable: boolean;
  /** It is to do nothing. */
  readonly idle: boolean;
}
