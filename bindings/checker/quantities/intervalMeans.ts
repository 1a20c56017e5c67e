import type { Direction, IntervalCsr, IntervalMdpMatrix, KernelIntervalMdp } from '../../kernel/index.js';
import type { Bounds } from '../backward.js';
import type { MeanRows } from './backwardSteps.js';

/** Rows of an interval model, each with the distribution that nature chooses for the values at hand. */
export class IntervalMeans implements MeanRows {
  readonly rowGroupStart: Uint32Array;
  private readonly matrix: IntervalCsr;
  private readonly kernel: KernelIntervalMdp;
  private readonly nature: Direction;

  constructor(matrix: IntervalMdpMatrix, kernel: KernelIntervalMdp, nature: Direction) {
    this.matrix = matrix;
    this.rowGroupStart = matrix.rowGroupStart;
    this.kernel = kernel;
    this.nature = nature;
  }

  /**
   * The masses of a row of k entries are off by a few k roundings in all, and what one successor has too much, another lacks:
   * so its mean is off by as much of the largest value in the row.
   */
  means(values: Bounds, into: Bounds): void {
    const { rowStart, columns } = this.matrix;
    for (const side of ['lower', 'upper'] as const) {
      const [of, means] = [values[side], into[side]];
      let most = 1;
      for (let s = 0; s < of.length; s++) most = Math.max(most, of[s]);
      // A power of two, so that no rounding makes different values equal; one more than needed, as the logarithm is rounded.
      const scale = most === 1 ? 1 : 2 ** -(Math.floor(Math.log2(most)) + 2);
      const scaled = scale === 1 ? of : of.map((value) => value * scale);
      const masses = this.kernel.rowDistributions(scaled, this.nature);
      for (let row = 0; row + 1 < rowStart.length; row++) {
        const [start, end] = [rowStart[row], rowStart[row + 1]];
        let [sum, largest] = [0, 0];
        for (let e = start; e < end; e++) {
          const value = of[columns[e]];
          sum += masses[e] * value;
          largest = Math.max(largest, value);
        }
        const error = 128 * (end - start + 2) * 2 ** -53 * largest;
        means[row] = side === 'lower' ? Math.max(0, sum - error) : sum + error;
      }
    }
  }
}
