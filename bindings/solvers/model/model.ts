import type { Dtmc } from './dtmc.js';
import type { IntervalDtmc, IntervalMdp } from './interval.js';
import type { Mdp } from './mdp.js';

/** Any model that can be checked. */
export type Model = Dtmc | Mdp | IntervalDtmc | IntervalMdp;

/** The variables behind states, read one state at a time, because a model of millions of states keeps them packed. */
export interface StateVariables {
  readonly variables: readonly { readonly name: string; readonly type: 'bool' | 'int' | 'double' }[];
  /** Writes the values of one state into `into`, one entry per variable; Booleans as 0 and 1. */
  read(state: number, into: Float64Array): void;
}
