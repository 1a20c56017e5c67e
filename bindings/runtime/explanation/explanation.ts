/** The value of a Boolean part of a formula at each of the steps from..to. */
export interface Fact {
  /** In terms of comparisons if predicates have them as sources (`speed > 0.5`), else of predicate names. */
  readonly formula: string;
  /** The formula in words, in quotes; absent if none of its predicates has words. */
  readonly said?: string;
  readonly holds: boolean;
  readonly from: number;
  readonly to: number;
  /** Numbers of the steps in between that came before their time and were left out, which the fact does not cover; absent if there are none. */
  readonly leftOut?: readonly number[];
}

/** A demand of the formula that is still open. */
export interface Obligation {
  /** The formula that must hold at step `since`, for example `F<=100 speed > 0.5`. */
  readonly formula: string;
  readonly since: number;
  /** The last step of its window, numbered as if all future steps come when they are due; null if there is none. */
  readonly deadline: number | null;
  /** Steps from the last read step to the deadline; null without a deadline. */
  readonly stepsLeft: number | null;
  /** The same in seconds; null without a sampling period or a deadline. */
  readonly secondsLeft: number | null;
  /** The event at a single future step that settles it; null if no single step can. */
  readonly dischargedBy: string | null;
  /** The event at a single future step that breaks it; null if only the deadline, or the end of the run, can. */
  readonly brokenBy: string | null;
  /** The facts that made it due. */
  readonly because: readonly Fact[];
  /** Whether it concerns only future steps, and no past event made it due. */
  readonly standing: boolean;
  /** The obligation in words, without reasons and time left. */
  readonly phrase: string;
}

/**
 * The reasons for a verdict. Steps have the given numbers, of observations or of a recording. In data, a missing step has the number of the step before it; if
 * nothing is known of it, the text says which two steps it lies between.
 */
export interface Explanation {
  readonly verdict: 'open' | 'violated' | 'satisfied';
  /** The step that decided it; the last step read if the verdict is open; null if no step was needed or read. */
  readonly step: number | null;
  /** The step was missing, and nothing is known of it: it lies between `step` and the step after it. Absent if it was observed or held. */
  readonly missing?: true;
  /** Facts that suffice for the verdict, whatever else is true at these steps; empty if it is open, or follows only from several obligations together. */
  readonly evidence: readonly Fact[];
  /** The open demands, the most urgent first: the formula is satisfied exactly if all of them are. */
  readonly obligations: readonly Obligation[];
  /** The whole explanation in one sentence. */
  readonly text: string;
}
