import type { Bounds, StepInput, StepProblem } from '../engine.js';
import { SMALLEST_PROBABILITY } from '../invalidModel.js';
import { largestValue } from '../steps.js';
import { outward } from './bounds.js';
import { type ReferenceChain, stayError } from './chain.js';

export class ReferenceSteps implements StepProblem {
  private readonly chain: ReferenceChain;
  private readonly input: StepInput;
  private readonly largest: number;
  private current: Bounds;

  constructor(chain: ReferenceChain, input: StepInput) {
    this.chain = chain;
    this.input = input;
    this.largest = largestValue(input);
    this.current = input.start;
  }

  step(): boolean {
    const { rowStart, columns, values, exit, stay } = this.chain;
    const { active, others = this.input.start, gain } = this.input;
    const { current } = this;
    const lower = others.lower.slice();
    const upper = others.upper.slice();
    for (const s of active) {
      const entries = rowStart[s + 1] - rowStart[s];
      let sumLower = Math.max(0, stay[s] - 2 * stayError(entries)) * current.lower[s];
      let sumUpper = stay[s] * current.upper[s];
      if (gain !== undefined) {
        sumLower += gain.lower[s];
        sumUpper += gain.upper[s];
      }
      for (let e = rowStart[s]; e < rowStart[s + 1]; e++) {
        sumLower += values[e] * current.lower[columns[e]];
        sumUpper += values[e] * current.upper[columns[e]];
      }
      const total = Math.max(1, exit[s]);
      const error = outward(entries + 4);
      lower[s] = (sumLower / total) * (1 - error);
      upper[s] = Math.min(this.largest, (sumUpper / total) * (1 + error));
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
