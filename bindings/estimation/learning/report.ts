import type { SampledSteps } from '../../observations/trace/index.js';

/** A behaviour of a trace that a constraint forbids. */
export interface Contradiction {
  readonly kind: 'state' | 'transition' | 'end';
  readonly trace: string;
  /** The step that was entered, or after which the trace ended; counted from 0. */
  readonly step: number;
  /** The valuations in words, and the constraint. */
  readonly message: string;
}

/** Statistics of the traces that were learnt from. */
export interface LearningReport {
  /** Traces counted. */
  readonly traces: number;
  /** Steps of the traces counted. */
  readonly steps: number;
  /** Traces counted that were cut (`complete: false`), whose last step leads nowhere. */
  readonly censored: number;
  /** Traces without a step; they carry no information and are skipped. */
  readonly empty: number;
  /** Steps of the counted traces that were held, missing or dropped to obtain steps a sampling period apart (see `ResamplePolicy`). */
  readonly resampled: SampledSteps;
  /**
   * Traces skipped, or counted step by step and cut there, because a predicate failed or time was irregular, with the errors of the first
   * 100.
   */
  readonly skipped: { readonly count: number; readonly first: readonly string[] };
  /** Traces skipped, or cut there, because they contradict a constraint. */
  readonly dropped: number;
  /** Chain states without `start` and `end`: seen in the data, and in the model. */
  readonly states: { readonly seen: number; readonly model: number };
  /**
   * Transitions between chain states and to `end`: seen in the data, and valid (allowed or accepted) over the model's states; null if
   * counting the latter would take more than `maxTransitions` checks.
   */
  readonly transitions: { readonly seen: number; readonly possible: number | null };
  /** The number of contradictions of each constraint, the first 100 contradictions, and the first of each constraint. */
  readonly contradictions: {
    readonly state: number;
    readonly transition: number;
    readonly end: number;
    readonly first: readonly Contradiction[];
  };
}
