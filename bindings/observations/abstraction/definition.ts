/** A named Boolean expression over a step. It reads the fields of the step's state by name, and `time` and `action`. */
export interface PredicateDefinition {
  readonly name: string;
  readonly expression: string;
}

/** Constraints on states, transitions and ends of runs. An absent constraint allows everything. */
export interface ConstraintDefinitions {
  /** Over predicate names: the valuations that exist, e.g. `!(microwaveOn && doorOpen)`. */
  readonly state?: string;
  /** Over `from.<predicate>` and `to.<predicate>`: the transitions that exist, e.g. `!(from.forkBroken && !to.forkBroken)`. */
  readonly transition?: string;
  /** Over predicate names: the valuations in which a run may end. */
  readonly end?: string;
}

/** For each tool, named predicates over its arguments, which they read as fields by name. */
export type ActionDefinition = Readonly<Record<string, readonly PredicateDefinition[]>>;

/** Predicates in the order of their bits, with constraints on them. Plain data, as in specifications and guard files. */
export interface AbstractionDefinition {
  readonly predicates: readonly PredicateDefinition[];
  readonly constraints?: ConstraintDefinitions;
  /** Predicates that refine actions beyond their names when a Markov decision process is learnt. */
  readonly actions?: ActionDefinition;
}
