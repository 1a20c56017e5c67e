import type { BitSet, IntervalCsr, IntervalMdpMatrix } from '../kernel/index.js';
import type { Annotation, Rewards, Valuations } from './dtmc.js';
import type { ActionNames } from './mdp.js';

interface IntervalModelParts {
  readonly states: number;
  /** Ascending. */
  readonly initial: readonly number[];
  readonly labels: ReadonlyMap<string, BitSet>;
  readonly valuations?: Valuations;
  readonly rewards?: readonly Rewards[];
  readonly annotations?: readonly Annotation[];
  /** How the model was made; kept in files. JSON. */
  readonly parameters?: unknown;
  readonly warnings?: readonly string[];
}

/** A Markov chain whose probabilities are only known to lie in intervals; nature chooses them anew at every step. */
export interface IntervalDtmc extends IntervalCsr, IntervalModelParts {
  readonly type: 'idtmc';
}

/** A decision process whose probabilities are only known to lie in intervals. */
export interface IntervalMdp extends IntervalMdpMatrix, IntervalModelParts {
  readonly type: 'imdp';
  readonly actions?: ActionNames;
}
