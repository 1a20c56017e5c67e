/** A named Boolean expression over a step: the fields of its state by name, and `time` and `action` beside them. */
export interface PredicateDefinition {
  readonly name: string;
  readonly expression: string;
}

/** What is known to be possible. An absent constraint allows everything. */
export interface ConstraintDefinitions {
  /** Over predicate names: which valuations exist, e.g. `!(microwaveOn && doorOpen)`. */
  readonly state?: string;
  /** Over `from.<predicate>` and `to.<predicate>`: which steps exist, e.g. `!(from.forkBroken && !to.forkBroken)`. */
  readonly transition?: string;
  /** Over predicate names: in which valuations a run may end. */
  readonly end?: string;
}

/** Per tool, named predicates over its arguments, which they see as fields by name. */
export type ActionDefinition = Readonly<Record<string, readonly PredicateDefinition[]>>;

/** Predicates in the order of their bits, with constraints on them. Plain data, as in specifications and guard files. */
export interface AbstractionDefinition {
  readonly predicates: readonly PredicateDefinition[];
  readonly constraints?: ConstraintDefinitions;
  /** What actions are told apart by beside their names, where decision processes are learnt. */
  readonly actions?: ActionDefinition;
}
