import type { BitSet, MdpMatrix } from '../kernel/index.js';
import type { Annotation, Rewards, Valuations } from './dtmc.js';

/** What stands in `ActionNames.ofRow` for a choice without a name. */
export const NO_ACTION = 0xffffffff;

/** What choices are called. */
export interface ActionNames {
  readonly names: readonly string[];
  /** Uint32Array(rows): index into `names`; `NO_ACTION` for a choice without a name. */
  readonly ofRow: Uint32Array;
}

/** A Markov decision process over states 0..states-1: state s chooses among rows rowGroupStart[s]..rowGroupStart[s+1]-1. */
export interface Mdp extends MdpMatrix {
  readonly type: 'mdp';
  readonly states: number;
  /** Ascending. */
  readonly initial: readonly number[];
  readonly labels: ReadonlyMap<string, BitSet>;
  readonly actions?: ActionNames;
  readonly valuations?: Valuations;
  readonly rewards?: readonly Rewards[];
  readonly annotations?: readonly Annotation[];
  /** How the model was made; kept in files. JSON. */
  readonly parameters?: unknown;
  readonly warnings?: readonly string[];
}
