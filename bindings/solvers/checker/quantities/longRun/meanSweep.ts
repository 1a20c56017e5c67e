import type { Bounds } from '../../../../base/bounds.js';
import { type Components, NO_COMPONENT } from '../../../kernel/index.js';
import type { Communicating } from './communicating.js';

const ROUNDING = 2 ** -53;

/** Value iteration for mean gains: the gain of each state in one step beyond its value, with certified bounds. */
export class MeanSweep {
  /** The best row of each state in the last sweep. */
  readonly scheduler: Uint32Array;
  #values: Float64Array;
  readonly #steps: Float64Array;
  /** Lower bounds of the gains of the rows of `scheduler`. */
  readonly #attained: Float64Array;
  readonly #problem: Communicating;

  constructor(problem: Communicating) {
    this.#problem = problem;
    const states = problem.componentOf.length;
    this.scheduler = problem.rowGroupStart.slice(0, states);
    this.#values = new Float64Array(states);
    this.#steps = new Float64Array(states);
    this.#attained = new Float64Array(states);
  }

  /** Continues from other values; undefined keeps the current ones. */
  startFrom(values: Float64Array | undefined): void {
    if (values !== undefined) this.#values = values;
  }

  /**
   * One sweep over whole components: lowers upper bounds on their means, and moves the values on by half a step.
   *
   * A row's sum is formed from differences of values, so that staying adds nothing and values may have any size. Its error is
   * at most (2k + 10) · 2^-53 times the sum of the k terms' absolute values; rows that exceed 1 are divided by their sum.
   */
  run(members: readonly number[], { upper }: Bounds): void {
    const { rowGroupStart, rowStart, columns, gains, componentOf, count } = this.#problem;
    const probabilities = this.#problem.values;
    const values = this.#values;
    const steps = this.#steps;
    const attained = this.#attained;
    const most = new Float64Array(count).fill(Number.NEGATIVE_INFINITY);
    const least = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
    for (const s of members) {
      const own = values[s];
      let best = Number.NEGATIVE_INFINITY;
      let above = Number.NEGATIVE_INFINITY;
      for (let row = rowGroupStart[s]; row < rowGroupStart[s + 1]; row++) {
        const [start, end] = [rowStart[row], rowStart[row + 1]];
        let change = 0;
        let size = Math.abs(gains[row]);
        let sum = 0;
        for (let e = start; e < end; e++) {
          if (columns[e] === s) continue;
          const part = probabilities[e] * (values[columns[e]] - own);
          change += part;
          size += Math.abs(part);
          sum += probabilities[e];
        }
        const value = gains[row] + change / Math.max(1, sum);
        const error = size * (2 * (end - start) + 10) * ROUNDING + (end - start) * Number.MIN_VALUE;
        above = Math.max(above, value + error);
        if (value > best) {
          best = value;
          attained[s] = value - error;
          this.scheduler[s] = row;
        }
      }
      const c = componentOf[s];
      least[c] = Math.min(least[c], best);
      most[c] = Math.max(most[c], above);
      steps[s] = best;
    }
    for (const s of members) {
      const c = componentOf[s];
      // Subtracting an estimate of the mean keeps values small.
      values[s] += (steps[s] - (least[c] + most[c]) / 2) / 2;
    }
    for (let c = 0; c < count; c++) {
      // Other components were not swept.
      if (least[c] <= most[c]) upper[c] = Math.min(upper[c], most[c]);
    }
  }

  /** Raises lower bounds to the gain of the last sweep's scheduler in the components `bottom` in which it stays. */
  raise(members: readonly number[], bottom: Components, { lower }: Bounds): void {
    const least = new Float64Array(bottom.count).fill(Number.POSITIVE_INFINITY);
    const parts = members.filter((s) => bottom.componentOf[s] !== NO_COMPONENT);
    for (const s of parts) {
      const part = bottom.componentOf[s];
      least[part] = Math.min(least[part], this.#attained[s]);
    }
    for (const s of parts) {
      const c = this.#problem.componentOf[s];
      lower[c] = Math.max(lower[c], least[bottom.componentOf[s]]);
    }
  }
}
