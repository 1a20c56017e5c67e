import type { Contracts, ReaderTerm } from '../contract/index.js';
import type { Json, Plan } from '../workflow/index.js';
import type { Goal } from './goal.js';

/** How far the author of a plan is trusted: an author who has seen data that are not trusted is not. */
export interface PlanLabel {
  readonly integrity: 'trusted' | 'untrusted';
  /** The user's own words: texts and numbers of the plan that they have, as words of their own, are the user's and not its author's. */
  readonly words?: string;
}

/** What is to be proved. */
export interface Question {
  readonly plan: Plan;
  readonly contracts: Contracts;
  /** What the plan is to do; null: nothing. */
  readonly goal: Goal | null;
  /** Inputs whose values are known: a run must have these. */
  readonly inputs: Readonly<Record<string, Json>>;
  readonly label: PlanLabel;
  /** Who is shown what the plan returns; null: the user. */
  readonly returnsTo: ReaderTerm | null;
}
