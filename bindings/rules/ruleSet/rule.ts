import type { AtEnd } from '../../languages/automaton/index.js';
import type { Formula } from '../../languages/logic/index.js';

/** A rule of a set. */
export interface CheckedRule {
  readonly name: string;
  /** Over named predicates: `deriveAbstraction` makes one of every comparison. */
  readonly formula: Formula;
  /** How the end of a run is judged. Default `strong`: the formula must hold. */
  readonly atEnd?: AtEnd;
}

/** How a set of rules is checked. */
export interface CheckRulesOptions {
  /** Only runs that satisfy all of these are considered. Default: those of the specification, or all runs. */
  readonly constraints?: readonly Formula[];
  /** Seconds between steps, for windows in time. Default: that of the specification, or such windows are refused. */
  readonly samplingPeriod?: number | string | null;
  /**
   * The predicates that the agent's calls decide; all others are up to its environment. Default: those of the specification that read the call or the calls
   * before it. Without a specification and without this, nothing is said of what can be enforced.
   */
  readonly agent?: readonly string[];
  /** Largest number of states of one automaton. Default 100,000, as of `buildAutomaton`. */
  readonly maxStates?: number;
  /** Largest number of tuples of states of one question, one state of each automaton; it bounds the work too. Default 20,000. */
  readonly maxTuples?: number;
}
