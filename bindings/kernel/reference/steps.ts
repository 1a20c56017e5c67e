import type { BitSet } from '../bitSet.js';
import type { Bounds, StepProblem } from '../engine.js';
import { SMALLEST_PROBABILITY } from '../invalidModel.js';
import { outward } from './bounds.js';
import { type ReferenceChain, stayError } from './chain.js';

export class ReferenceSteps implements StepProblem {
  private readonly chain: ReferenceChain;
  private readonly active: BitSet;
  private current: Bounds;

  constructor(chain: ReferenceChain, active: BitSet, target: BitSet) {
    const start = Float64Array.from({ length: chain.states }, (_, s) => (target.has(s) ? 1 : 0));
    this.chain = chain;
    this.active = active;
    this.current = { lower: start, upper: start };
  }

  step(): boolean {
    const { rowStart, columns, values, exit, stay } = this.chain;
    const { current } = this;
    const lower = current.lower.slice();
    const upper = current.upper.slice();
    for (const s of this.active) {
      const entries = rowStart[s + 1] - rowStart[s];
      let sumLower = Math.max(0, stay[s] - 2 * stayError(entries)) * current.lower[s];
      let sumUpper = stay[s] * current.upper[s];
      for (let e = rowStart[s]; e < rowStart[s + 1]; e++) {
        sumLower += values[e] * current.lower[columns[e]];
        sumUpper += values[e] * current.upper[columns[e]];
      }
      const total = Math.max(1, exit[s]);
      const error = outward(entries + 4);
      lower[s] = (sumLower / total) * (1 - error);
      upper[s] = Math.min(1, (sumUpper / total) * (1 + error));
      if (lower[s] < SMALLEST_PROBABILITY) lower[s] = 0;
      if (upper[s] > 0) upper[s] = Math.max(upper[s], SMALLEST_PROBABILITY);
    }
    this.current = { lower, upper };
    return (
      lower.some((value, s) => value !== current.lower[s]) ||
      upper.some((value, s) => value !== current.upper[s])
    );
  }

  bounds(): Bounds {
    return { lower: this.current.lower.slice(), upper: this.current.upper.slice() };
  }

  close(): void {}
}
