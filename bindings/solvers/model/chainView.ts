import type { Csr } from '../kernel/index.js';

/** A chain over valuations of predicates, as learnt from traces. An empty row is a state without data. */
export interface ChainView extends Csr {
  /** Number of states, `start` and `end` among them. */
  readonly states: number;
  /** Virtual state before step 0: its row is the distribution of first states. */
  readonly start: number;
  /** Entered after the last step; absorbing, and not read by automata. */
  readonly end: number;
  /** Names in the order of their bits. */
  readonly predicates: readonly string[];
  /** 32-bit words of a packed valuation. */
  readonly words: number;
  /** Uint32Array(states * words): predicate i of state s is bit `i & 31` of word `s * words + (i >>> 5)`; unused at `start` and `end`. */
  readonly valuations: Uint32Array;
  /** How often each state was left in the data. A guard treats a state with 0 as unknown, even if smoothing gives it a row. */
  readonly draws: ArrayLike<number>;
}
