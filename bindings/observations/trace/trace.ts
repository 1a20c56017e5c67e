/** What an agent chose to do in a state. */
export interface Action {
  readonly name: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
}

/** One observation of the agent's world. `action` is chosen **in** `state`; `time` is in seconds. */
export interface Step {
  readonly state: Readonly<Record<string, unknown>>;
  readonly action?: Action;
  readonly time?: number;
  /** Nobody recorded it: what sampled the recording repeated the step before. Rules read it; drift counts neither it nor the step after it. Default false. */
  readonly held?: boolean;
}

/** One run of an agent. A trace cut by a time-out, a crash or a guard has `complete: false`. */
export interface Trace {
  readonly id: string;
  /** Whether the run came to its end; absent is true. */
  readonly complete?: boolean;
  /**
   * Fields that its format has and this recording does not tell in every step, each with why. Such a step leaves the field out and
   * nothing stands in for it, so that a predicate cannot read it there. Absent: nothing was left out.
   */
  readonly notRecorded?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
  /** How many of the steps are `held`: nobody recorded them. Default 0. */
  readonly heldSteps?: number;
  /** How many messages of the recording no step has, because another one replaced each before a step was due (MCAP). Default 0. */
  readonly leftOutMessages?: number;
}
