import type { IntervalCsr, IntervalMdpMatrix } from '../kernel/index.js';
import type { ActionNames, Descriptions } from './descriptions.js';

/** A Markov chain whose probabilities are only known to lie in intervals; nature chooses them anew at every step. */
export interface IntervalDtmc extends IntervalCsr, Descriptions {
  readonly type: 'idtmc';
}

/** A decision process whose probabilities are only known to lie in intervals. */
export interface IntervalMdp extends IntervalMdpMatrix, Descriptions {
  readonly type: 'imdp';
  readonly actions?: ActionNames;
}
