import type { ActionRisks } from './actionTables.js';
import type { GuardStep } from './guardStep.js';

/** A guard's answer to a proposed action. */
export interface GuardProposal extends GuardStep {
  /** The action's abstraction: its name, refined by predicates over its arguments; null if there is no action, or the guard knows none. */
  name: string | null;
  /** The risks of the rule that decided; null if the guard knows no actions, this one was never tried here, or the rule is decided by the state alone. */
  risks: ActionRisks | null;
  /** If the action is refused: the abstractions of the permitted actions ever taken in this state, the safest first; null stands for no action. */
  alternatives: readonly (string | null)[];
  /** If a shield refuses the action: the risk of doing nothing here, or of ending the run; else null. */
  idle: JudgedAction | null;
}

/** An action as a shield judges it. */
export interface JudgedAction {
  /** Its abstraction; null stands for no action. */
  readonly name: string | null;
  readonly permitted: boolean;
  /** The largest compared number over the rules: the risk if the agent goes on as learnt, or the least risk; 1 if the action was never tried. */
  readonly risk: number;
  /** Keyed by rule; null for an action never tried here, and for rules that are decided by the state alone. */
  readonly rules: Readonly<Record<string, ActionRisks | null>>;
}

/** The actions that a shield permits in a state. */
export interface Permission {
  /** The judged actions, the safest first: by `least`, then by the risk if the agent goes on as learnt. */
  readonly actions: readonly JudgedAction[];
  /** The safest permitted action; null if none is. */
  readonly safest: JudgedAction | null;
}

/** Makes a step that `Guard.stepInto` can overwrite, with the fields for judged actions. */
export function createProposal(): GuardProposal {
  // Written out: a spread keeps the object out of V8's fast layout. A session then decided in 17 µs, in place of 7.
  return {
    step: -1,
    decision: 'stop',
    wouldDecide: 'stop',
    action: null,
    risk: Number.NaN,
    lower: Number.NaN,
    upper: Number.NaN,
    confidenceUpper: Number.NaN,
    decidedOn: 'upper',
    state: -1,
    rule: '',
    ruleOfStrategy: '',
    reason: 'unknown-state',
    predicate: null,
    unseenTransition: false,
    drift: false,
    unread: false,
    name: null,
    risks: null,
    alternatives: [],
    idle: null,
  };
}
