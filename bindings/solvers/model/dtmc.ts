import type { BitSet, Csr } from '../kernel/index.js';
import type { Descriptions } from './descriptions.js';

/**
 * A discrete-time Markov chain over states 0..states-1, with labels. Rows are probability distributions, but for
 * `unknown` states: their row is empty, and every value there is only known to lie in the widest interval.
 */
export interface Dtmc extends Csr, Descriptions {
  readonly type: 'dtmc';
  /** States without a row, where the data say nothing. Absent: none. */
  readonly unknown?: BitSet;
}
