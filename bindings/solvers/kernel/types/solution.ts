/**
 * How a number was obtained: `exact` was decided by the graph or by rational arithmetic alone; `bounded` lies between its
 * bounds; `estimated` carries no guarantee.
 */
export type Accuracy = 'exact' | 'bounded' | 'estimated';

/** Certified values of all states at once: `lower[s] <= true value of s <= upper[s]`. */
export interface Solution {
  /** Float64Array(states). */
  readonly lower: Float64Array;
  /** Float64Array(states). */
  readonly upper: Float64Array;
  readonly accuracy: Accuracy;
  /** The method that computed it, e.g. `topological`, `interval-iteration`. */
  readonly method: string;
  /** Sweeps over all components together; 0 if none was iterated. */
  readonly iterations: number;
}
