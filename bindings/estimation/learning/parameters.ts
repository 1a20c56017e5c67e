import type {
  ActionDefinition,
  ConstraintDefinitions,
  PredicateDefinition,
} from '../../observations/abstraction/index.js';
import type { SampledSteps, SamplingPeriod } from '../../observations/trace/index.js';
import type { Forgetting } from './forgetting.js';
import type { LearningSettings } from './options.js';

/**
 * Traces left out because of what they do: the remaining traces are no sample of the agent. `dropped` contradict a constraint; on `skipped`
 * a predicate failed or time was irregular (if counted step by step, they were cut there); `unreadable` could not be read as traces.
 */
export interface LeftOut {
  readonly dropped: number;
  readonly skipped: number;
  readonly unreadable: number;
}

/** How a chain was learnt: `parameters.foreguard` of the model, kept in its file. */
export interface LearningParameters {
  /** Hash of the specification that the chain was learnt for; null if there was none. */
  readonly specificationHash: string | null;
  /** In the order of the bits of a valuation. */
  readonly predicates: readonly PredicateDefinition[];
  readonly constraints: ConstraintDefinitions;
  /** The features besides their names that tell actions apart; absent if there are none. */
  readonly actions?: ActionDefinition;
  readonly learning: Pick<LearningSettings, 'model' | 'smoothing' | 'states' | 'onContradiction'>;
  /** The sampling period, and the treatment of steps that did not keep to it; absent if steps were counted at any time. */
  readonly period?: SamplingPeriod | null;
  /** The forgetting rule; absent if every draw counts once. */
  readonly forgetting?: Forgetting;
  /** The traces left out; null or absent if this is not known. */
  readonly leftOut?: LeftOut | null;
  /**
   * Predicates of the specification that were left out because no trace records a field that they read, with the reason. Absent if there
   * are none.
   */
  readonly notRecorded?: Readonly<Record<string, { readonly field: string; readonly reason: string }>>;
  /** How many of the steps read were held, missing, or dropped; null or absent if this is not known. */
  readonly resampled?: SampledSteps | null;
  /** Traces and steps counted, including held steps. */
  readonly traces: number;
  readonly steps: number;
}
