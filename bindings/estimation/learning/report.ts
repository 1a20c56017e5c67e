import type { SampledSteps } from '../../observations/trace/index.js';

/** Something a trace did although a constraint forbids it. */
export interface Contradiction {
  readonly kind: 'state' | 'transition' | 'end';
  readonly trace: string;
  /** The step that was entered, or after which the trace ended; counts from 0. */
  readonly step: number;
  /** The valuations in words, and the constraint. */
  readonly message: string;
}

/** What learning saw. */
export interface LearningReport {
  /** Traces counted. */
  readonly traces: number;
  /** Steps of the traces counted. */
  readonly steps: number;
  /** Traces counted that were cut (`complete: false`), whose last step leads nowhere. */
  readonly censored: number;
  /** Traces without a step; they say nothing and are left out. */
  readonly empty: number;
  /** Of the traces counted: steps that were held, missing, and left out, to have steps a sampling period apart (see `ResamplePolicy`). */
  readonly resampled: SampledSteps;
  /**
   * Traces left out, or counted step by step and cut there, because a predicate failed on them or time was irregular, and what failed on the
   * first 100.
   */
  readonly skipped: { readonly count: number; readonly first: readonly string[] };
  /** Traces left out, or cut there, because they contradict a constraint. */
  readonly dropped: number;
  /** Chain states, `start` and `end` not among them: seen in the data, and in the model. */
  readonly states: { readonly seen: number; readonly model: number };
  /**
   * Transitions between chain states and to `end`: seen in the data, and valid (allowed or accepted) over the model's states;
   * null where counting the latter would take more than `maxTransitions` checks.
   */
  readonly transitions: { readonly seen: number; readonly possible: number | null };
  /** How often each constraint was contradicted, the first 100 occasions, and the first of each. */
  readonly contradictions: {
    readonly state: number;
    readonly transition: number;
    readonly end: number;
    readonly first: readonly Contradiction[];
  };
}
