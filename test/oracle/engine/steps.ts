import type { Bounds } from '../../../bindings/base/bounds.js';
import type { StepInput, StepProblem } from '../../../bindings/solvers/kernel/engine.js';
import { SMALLEST_PROBABILITY } from '../../../bindings/solvers/kernel/invalidModel.js';
import { largestValue } from '../../../bindings/solvers/kernel/steps.js';
import { outward } from './bounds.js';
import { type ReferenceChain, stayError } from './chain.js';

/** Bounds of one number. */
export interface Range {
  readonly lower: number;
  readonly upper: number;
}

/** What a state has after a step on `before`, outward, with what is gained. */
export type Step = (s: number, before: Bounds, gain: Bounds | undefined) => Range;

export class ReferenceSteps implements StepProblem {
  private readonly input: StepInput;
  private readonly take: Step;
  private readonly largest: number;
  private current: Bounds;

  constructor(input: StepInput, take: Step) {
    this.input = input;
    this.take = take;
    this.largest = largestValue(input);
    this.current = input.start;
  }

  step(): boolean {
    const { active, others = this.input.start, gain } = this.input;
    const before = this.current;
    const after = { lower: others.lower.slice(), upper: others.upper.slice() };
    for (const s of active) {
      const { lower, upper } = this.take(s, before, gain);
      after.lower[s] = lower < SMALLEST_PROBABILITY ? 0 : lower;
      after.upper[s] = upper > 0 ? Math.max(Math.min(this.largest, upper), SMALLEST_PROBABILITY) : 0;
    }
    this.current = after;
    return (
      after.lower.some((value, s) => value !== before.lower[s]) ||
      after.upper.some((value, s) => value !== before.upper[s])
    );
  }

  bounds(): Bounds {
    return { lower: this.current.lower.slice(), upper: this.current.upper.slice() };
  }

  close(): void {}
}

/** One step of a chain. */
export function chainStep({ rowStart, columns, values, exit, stay }: ReferenceChain): Step {
  return (s, before, gain) => {
    const entries = rowStart[s + 1] - rowStart[s];
    let lower = Math.max(0, stay[s] - 2 * stayError(entries)) * before.lower[s];
    let upper = stay[s] * before.upper[s];
    if (gain !== undefined) {
      lower += gain.lower[s];
      upper += gain.upper[s];
    }
    for (let e = rowStart[s]; e < rowStart[s + 1]; e++) {
      lower += values[e] * before.lower[columns[e]];
      upper += values[e] * before.upper[columns[e]];
    }
    const total = Math.max(1, exit[s]);
    const error = outward(entries + 4);
    return { lower: (lower / total) * (1 - error), upper: (upper / total) * (1 + error) };
  };
}

/** The best of several ranges, bound by bound. */
export function bestRange(ranges: readonly Range[], maximise: boolean): Range {
  const best = maximise ? Math.max : Math.min;
  return {
    lower: ranges.reduce((most, { lower }) => best(most, lower), ranges[0].lower),
    upper: ranges.reduce((most, { upper }) => best(most, upper), ranges[0].upper),
  };
}
