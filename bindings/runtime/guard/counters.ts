/** Counts of a guard since it was made. */
export interface GuardCounters {
  steps: number;
  /** Decisions made by `onUnknown`. */
  faults: number;
  /** Steps between two states of the data whose transition never occurs in the data. */
  unseenTransitions: number;
  /** Missing steps at which the observation before was repeated (`resample: hold`). */
  heldSteps: number;
  /** Observations that came too early and did not count (`resample: hold` or `skip`). */
  earlyObservations: number;
}

/** Counters at zero. */
export function noCounts(): GuardCounters {
  return { steps: 0, faults: 0, unseenTransitions: 0, heldSteps: 0, earlyObservations: 0 };
}
