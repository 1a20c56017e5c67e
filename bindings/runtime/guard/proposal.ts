import type { ActionRisks } from './actionTables.js';
import { createGuardStep, type GuardStep } from './guardStep.js';

/** A guard's answer to a proposed action. */
export interface GuardProposal extends GuardStep {
  /** The action's abstraction: its name, refined by predicates over its arguments; null where there is none, or the guard knows no actions. */
  name: string | null;
  /** The risks of the rule that decided; null where the guard knows no actions, this one was never tried here, or the rule is decided by the state alone. */
  risks: ActionRisks | null;
  /** Where it is refused: the actions ever taken in this state that are permitted, the safest first, by the names of their abstractions; null is to take none. */
  alternatives: readonly (string | null)[];
  /** Where it is refused by a shield: what doing nothing here, or ending the run, would come to; else null. */
  idle: JudgedAction | null;
}

/** One of the actions that a shield was asked about. */
export interface JudgedAction {
  /** Its abstraction; null is to take none. */
  readonly name: string | null;
  readonly permitted: boolean;
  /** The largest of the rules' numbers that are compared: the risk if the agent goes on as learnt, or the least; 1 where the action was never tried. */
  readonly risk: number;
  /** By rule; null of an action never tried here, and of rules that are decided by the state alone. */
  readonly rules: Readonly<Record<string, ActionRisks | null>>;
}

/** What a shield permits in a state. */
export interface Permission {
  /** Those asked about, the safest first: by `least`, then by the risk if the agent goes on as learnt. */
  readonly actions: readonly JudgedAction[];
  /** The safest that is permitted; null where nothing is. */
  readonly safest: JudgedAction | null;
}

/** A step to hand to `Guard.stepInto` where actions are judged, too. */
export function createProposal(): GuardProposal {
  return { ...createGuardStep(), name: null, risks: null, alternatives: [], idle: null };
}
