/** What a Boolean part of a formula was at each of the steps from..to. */
export interface Fact {
  /** Over the sources of predicates where these are comparisons (`speed > 0.5`), else over their names. */
  readonly formula: string;
  readonly holds: boolean;
  readonly from: number;
  readonly to: number;
  /** Numbers of steps between them that came before their time and were left out, of which it says nothing; absent where there are none. */
  readonly leftOut?: readonly number[];
}

/** Something that a formula still asks for. */
export interface Obligation {
  /** What must hold at step `since`, for example `F<=100 speed > 0.5`. */
  readonly formula: string;
  readonly since: number;
  /** The last step of its window, numbered as if all steps to come came when they are due; null where it has none. */
  readonly deadline: number | null;
  /** Steps from the last one read to the deadline; null without one. */
  readonly stepsLeft: number | null;
  /** The same in seconds; null without a sampling period or a deadline. */
  readonly secondsLeft: number | null;
  /** What at one of the steps to come settles it; null where no single step does. */
  readonly dischargedBy: string | null;
  /** What at one of the steps to come breaks it; null where only the deadline, or the end of the run, does. */
  readonly brokenBy: string | null;
  /** What made it due. */
  readonly because: readonly Fact[];
  /** It asks only something of steps to come, and nothing that has happened made it due. */
  readonly standing: boolean;
  /** In words, without reasons and time left. */
  readonly phrase: string;
}

/**
 * Why a verdict holds. Steps have the numbers that they were given, of observations or of a recording. A step that was missing has, in data, the number of the step before
 * it; if nothing is known of it, the text says between which two it lies.
 */
export interface Explanation {
  readonly verdict: 'open' | 'violated' | 'satisfied';
  /** The step that decided it; the last step read where it is open; null where no step was needed or read. */
  readonly step: number | null;
  /** That step was missing, and nothing is known of it: it lies between `step` and the step after it. Absent where it was observed, or held. */
  readonly missing?: true;
  /**
   * Facts that suffice for the verdict, whatever else is true at these steps; empty where it is open, and where it follows only from
   * several obligations at once.
   */
  readonly evidence: readonly Fact[];
  /** What is still asked for: the formula is satisfied exactly when all of these are. The most urgent first. */
  readonly obligations: readonly Obligation[];
  /** All of it in a sentence. */
  readonly text: string;
}
