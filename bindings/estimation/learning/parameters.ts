import type {
  ActionDefinition,
  ConstraintDefinitions,
  PredicateDefinition,
} from '../../observations/abstraction/index.js';
import type { SampledSteps, SamplingPeriod } from '../../observations/trace/index.js';
import type { Forgetting } from './forgetting.js';
import type { LearningSettings } from './options.js';

/**
 * Traces left out for what they do: what remains is no sample of the agent. `dropped` contradict a constraint, on `skipped` a predicate failed or
 * time was irregular (counted step by step, they were cut there), `unreadable` never were traces.
 */
export interface LeftOut {
  readonly dropped: number;
  readonly skipped: number;
  readonly unreadable: number;
}

/** How a chain was learnt: `parameters.foreguard` of the model, kept in its file. */
export interface LearningParameters {
  /** Of the specification the chain was learnt for; null where it was learnt without one. */
  readonly specificationHash: string | null;
  /** In the order of the bits of a valuation. */
  readonly predicates: readonly PredicateDefinition[];
  readonly constraints: ConstraintDefinitions;
  /** What actions were told apart by beside their names; absent where by nothing. */
  readonly actions?: ActionDefinition;
  readonly learning: Pick<LearningSettings, 'model' | 'smoothing' | 'states' | 'onContradiction'>;
  /** How far apart steps are, and what became of those that were not; absent where steps were counted at whatever times they came. */
  readonly period?: SamplingPeriod | null;
  /** What was forgotten; absent where every draw counts once. */
  readonly forgetting?: Forgetting;
  /** What was left out; null or absent where that was not told. */
  readonly leftOut?: LeftOut | null;
  /**
   * Predicates of the specification that were left out, as no trace told a field that they read: which, and why. Absent where none was.
   */
  readonly notRecorded?: Readonly<Record<string, { readonly field: string; readonly reason: string }>>;
  /** How many of the steps read were held, missing, or left out; null or absent where that was not told. */
  readonly resampled?: SampledSteps | null;
  /** Traces and steps counted, those held among them. */
  readonly traces: number;
  readonly steps: number;
}
