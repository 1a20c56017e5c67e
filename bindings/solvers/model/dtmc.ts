import type { BitSet, Csr } from '../kernel/index.js';
import type { Descriptions } from './descriptions.js';

/**
 * A discrete-time Markov chain over states 0..states-1, with labels. Rows are probability distributions. States in `unknown`
 * have an empty row instead, and their values are only known to lie in the widest interval.
 */
export interface Dtmc extends Csr, Descriptions {
  readonly type: 'dtmc';
  /** States without a row, for which there are no data. Default: none. */
  readonly unknown?: BitSet;
}
