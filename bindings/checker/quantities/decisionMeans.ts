import type { MdpMatrix } from '../../kernel/index.js';
import type { Bounds } from '../backward.js';
import type { MeanRows } from './backwardSteps.js';

/** Values below it may lose digits to underflow: lower bounds become 0 there, upper ones that are not 0 stay at it. */
const SMALLEST = 2 ** -960;

/** Rows of a decision process: what the entries off the diagonal leave of 1 is the probability to stay. */
export class DecisionMeans implements MeanRows {
  readonly rowGroupStart: Uint32Array;
  private readonly matrix: MdpMatrix;
  /** Per row the probability to stay, and what is to be divided by where the others sum to more than 1. */
  private readonly stay: Float64Array;
  private readonly total: Float64Array;

  constructor(matrix: MdpMatrix) {
    const { rowGroupStart, rowStart, columns, values } = matrix;
    this.matrix = matrix;
    this.rowGroupStart = rowGroupStart;
    this.stay = new Float64Array(rowStart.length - 1);
    this.total = new Float64Array(rowStart.length - 1);
    for (let s = 0; s + 1 < rowGroupStart.length; s++) {
      for (let row = rowGroupStart[s]; row < rowGroupStart[s + 1]; row++) {
        let [sum, rest] = [0, 0];
        for (let e = rowStart[row]; e < rowStart[row + 1]; e++) {
          if (columns[e] === s) continue;
          const p = values[e];
          const next = sum + p;
          rest += sum >= p ? sum - next + p : p - next + sum;
          sum = next;
        }
        this.stay[row] = Math.max(0, 1 - sum - rest);
        this.total[row] = Math.max(1, sum + rest);
      }
    }
  }

  means(values: Bounds, into: Bounds): void {
    const { rowGroupStart, rowStart, columns, values: probabilities } = this.matrix;
    const { stay, total } = this;
    const { lower, upper } = values;
    for (let s = 0; s + 1 < rowGroupStart.length; s++) {
      for (let row = rowGroupStart[s]; row < rowGroupStart[s + 1]; row++) {
        let low = stay[row] * lower[s];
        let high = stay[row] * upper[s];
        const [start, end] = [rowStart[row], rowStart[row + 1]];
        for (let e = start; e < end; e++) {
          const t = columns[e];
          if (t === s) continue;
          low += probabilities[e] * lower[t];
          high += probabilities[e] * upper[t];
        }
        const error = (end - start + 12) * 2 ** -53;
        low = (low / total[row]) * (1 - error);
        high = (high / total[row]) * (1 + error);
        into.lower[row] = low < SMALLEST ? 0 : low;
        into.upper[row] = high === 0 ? 0 : Math.max(SMALLEST, high);
      }
    }
  }
}
