/** How much an answer may look at, beyond which it says that it was given up: counts, so that the same question has the same answer on each machine. */
export interface SearchLimits {
  /** Calls that are judged in a search for plans. */
  readonly judged: number;
  /** Situations that it may reach. */
  readonly places: number;
  /** Changes of the present state that are tried. */
  readonly changes: number;
  /** Combinations of the states of rules, and states of the automaton of what was asked about. */
  readonly tuples: number;
  /** Steps of a run that an explanation goes through. */
  readonly steps: number;
}

/** For people who wait for an answer. */
export const NO_LIMITS: SearchLimits = {
  judged: Number.POSITIVE_INFINITY,
  places: 20_000,
  changes: 20_000,
  tuples: 100_000,
  steps: Number.POSITIVE_INFINITY,
};

/** For agents, which must not be able to stall what answers them: an answer takes a fraction of a second. */
export const AGENT_LIMITS: SearchLimits = {
  judged: 20_000,
  places: 2_000,
  changes: 2_000,
  tuples: 2_000,
  steps: 2_000,
};
