/** What a guard has seen since it was made. */
export interface GuardCounters {
  steps: number;
  /** Decisions by `onUnknown`. */
  faults: number;
  /** Steps between two states of the data that the data never took. */
  unseenTransitions: number;
  /** Steps that were missing, and so were the one before them again (`resample: hold`). */
  heldSteps: number;
  /** Observations that came before their time and did not count (`resample: hold` or `skip`). */
  earlyObservations: number;
}

/** Nothing seen yet. */
export function noCounts(): GuardCounters {
  return { steps: 0, faults: 0, unseenTransitions: 0, heldSteps: 0, earlyObservations: 0 };
}
