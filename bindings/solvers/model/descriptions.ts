import type { BitSet } from '../kernel/index.js';

/** A value a state variable can take. */
export type VariableValue = boolean | number | string;

/** The variables behind the states; `values[v][s]` is variable v in state s. A Boolean may also be 0 or 1, in a Uint8Array. */
export interface Valuations {
  readonly variables: readonly {
    readonly name: string;
    readonly type: 'bool' | 'int' | 'double' | 'string';
  }[];
  readonly values: readonly ArrayLike<VariableValue>[];
}

/** Numbers attached to states, to choices (rows) or to branches (transitions, in CSR order), e.g. how often each was seen. */
export interface Annotation {
  readonly name: string;
  readonly description?: string;
  readonly appliesTo: 'states' | 'choices' | 'branches';
  readonly type: 'double' | 'uint';
  readonly values: Float64Array;
}

/** A reward structure: per state, per row (choice), per transition in CSR order, or any of them together. */
export interface Rewards {
  readonly name: string;
  readonly states?: Float64Array;
  /** Earned when the row is taken; a chain has one row per state. */
  readonly choices?: Float64Array;
  readonly branches?: Float64Array;
}

/** The entry of `ActionNames.ofRow` for a choice without a name. */
export const NO_ACTION = 0xffffffff;

/** The names of choices. */
export interface ActionNames {
  readonly names: readonly string[];
  /** Uint32Array(rows): index into `names`; `NO_ACTION` for a choice without a name. */
  readonly ofRow: Uint32Array;
}

/** The part of every model that describes its states, beside the probabilities. */
export interface Descriptions {
  readonly states: number;
  /** Ascending. */
  readonly initial: readonly number[];
  readonly labels: ReadonlyMap<string, BitSet>;
  readonly valuations?: Valuations;
  readonly rewards?: readonly Rewards[];
  readonly annotations?: readonly Annotation[];
  /** How the model was made, as JSON; kept in files. */
  readonly parameters?: unknown;
  /** Notes for the user on how the model was read, e.g. deadlocks that were given a self-loop. */
  readonly warnings?: readonly string[];
}
