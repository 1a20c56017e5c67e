/** An action that an agent chose in a state. */
export interface Action {
  readonly name: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
  /** What detectors answered about the arguments, by their names; absent if none was asked. */
  readonly detected?: Readonly<Record<string, unknown>>;
}

/** One observation of the agent's world. `action` is chosen **in** `state`; `time` is in seconds. */
export interface Step {
  readonly state: Readonly<Record<string, unknown>>;
  readonly action?: Action;
  readonly time?: number;
  /**
   * The step is no draw of the world: resampling repeated the step before it, or, from MCAP, a part of its state that predicates read is that of
   * the step before. Rules read it; drift counts neither it nor the step after it. Default false.
   */
  readonly held?: boolean;
}

/** One run of an agent. A trace that a time-out, a crash or a guard cut short has `complete: false`. */
export interface Trace {
  readonly id: string;
  /** Whether the run came to its end. Default true. */
  readonly complete?: boolean;
  /**
   * Fields that the format has but this recording lacks in some step, each with the reason. Such a step omits the field, and no default
   * replaces it, so a predicate cannot read it there. Absent: no field is missing.
   */
  readonly notRecorded?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
  /** Number of steps that are `held`. Default 0; readers of JSON lines count the steps that say so. */
  readonly heldSteps?: number;
  /** How many messages of the recording no step has, because another one replaced each before a step was due (MCAP). Default 0. */
  readonly leftOutMessages?: number;
}
