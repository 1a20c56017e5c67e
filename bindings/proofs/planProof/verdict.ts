import type { Json } from '../workflow/index.js';
import type { PlanQuestion, VerifiedPlan } from './verified.js';

/** The answer to the question whether a plan keeps to the contracts in every run. Only a plan that is proved may run. */
export type PlanVerdict =
  | {
      readonly verdict: 'proved';
      readonly verified: VerifiedPlan;
      /** Calls that are proved but for what a person must approve when they are made. */
      readonly questions: readonly PlanQuestion[];
      readonly assumes: readonly Assumption[];
      readonly effort: number;
      readonly hash: string;
      readonly notes: readonly string[];
    }
  | {
      readonly verdict: 'refuted' | 'unproved';
      readonly findings: readonly [Finding, ...Finding[]];
      readonly assumes: readonly Assumption[];
      readonly effort: number;
      readonly hash: string;
      readonly notes: readonly string[];
    };

/** What a proof rests on. Runs monitor contracts. */
export interface Assumption {
  readonly kind: 'ensures' | 'effects' | 'result' | 'readers' | 'asked' | 'implicit' | 'ends';
  /** The tool, the step of an `ask`, `contracts`, or `plan`. */
  readonly of: string;
  readonly text: string;
}

/** A reason not to run a plan. */
export interface Finding {
  readonly kind:
    | 'shape'
    | 'contract'
    | 'type'
    | 'flow'
    | 'integrity'
    | 'readers'
    | 'order'
    | 'requires'
    | 'effects'
    | 'goal'
    | 'budget';
  /** `refuted`: some run does it, and `run` is one. `unproved`: it could not be shown that none does. */
  readonly certainty: 'refuted' | 'unproved';
  /** Id of the step; null: of the plan as a whole. */
  readonly step: string | null;
  /** The rule, condition or flow; null: none by name. */
  readonly rule: string | null;
  /** How the plan gets there: the steps taken. Of findings about data: those through which the data come, and those that decide whether it is gone there. */
  readonly path: readonly PathStep[];
  /** Values with which it was run through by the interpreter: inputs by name, results by step and round. Null: none were found. */
  readonly run: {
    readonly inputs: Readonly<Record<string, Json>>;
    readonly results: readonly { readonly step: string; readonly result: Json }[];
  } | null;
  /** One or a few sentences: what, where, how, and what would do. */
  readonly text: string;
}

/** A step on the way, with the branch or the round that was taken. */
export interface PathStep {
  readonly step: string;
  readonly branch?: 'then' | 'else';
  readonly round?: number;
}
