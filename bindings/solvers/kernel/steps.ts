import type { Bounds } from '../../base/bounds.js';
import { KernelError } from '../../base/errors.js';
import { WorkBudget } from '../../base/workBudget.js';
import type { StepInput, StepProblem } from './engine.js';
import { SLICE } from './options.js';
import type { Solution, StepOptions } from './types/index.js';

/** The largest number of values that an array can hold in every runtime. */
const MAX_VALUES = 2 ** 31 - 1;

/** An upper limit of all values during the steps: a mean never exceeds its largest term, but a sum of gains may. */
export function largestValue({ start, others, gain }: StepInput): number {
  if (gain !== undefined) return Number.POSITIVE_INFINITY;
  const largest = (values: Float64Array) => values.reduce((most, value) => Math.max(most, value), 0);
  return Math.max(largest(start.upper), others === undefined ? 0 : largest(others.upper));
}

/**
 * Advances a problem by `steps` steps, or fewer if a step no longer moves any bound, and closes it. `size` is the number of
 * states of the model.
 */
export function solveSteps(
  problem: StepProblem,
  steps: number,
  size: number,
  method: string,
  options: StepOptions,
): Solution {
  try {
    const budget = new WorkBudget({ slice: SLICE }, options);
    const record = options.everyStep ? new Record(steps, size) : undefined;
    record?.add(problem.bounds());
    let done = 0;
    while (done < steps && problem.step()) {
      done++;
      record?.add(problem.bounds());
      budget.charge(size, () => ({ fraction: done / steps, gap: 0, iterations: done }));
    }
    const bounds = record?.finish() ?? problem.bounds();
    return { ...bounds, accuracy: 'bounded', method, iterations: done };
  } finally {
    problem.close();
  }
}

/** The bounds after every step, one after another. */
class Record {
  readonly #lower: Float64Array;
  readonly #upper: Float64Array;
  readonly #size: number;
  #filled = 0;

  constructor(steps: number, size: number) {
    const length = (steps + 1) * size;
    try {
      if (length > MAX_VALUES) throw new RangeError(`${length} values`);
      this.#lower = new Float64Array(length);
      this.#upper = new Float64Array(length);
    } catch (cause) {
      throw new KernelError(
        `the values of ${size} states for each of ${steps} steps need ${16 * length} bytes, which cannot be had: ask for fewer steps, or for the last one only`,
        { cause },
      );
    }
    this.#size = size;
  }

  add({ lower, upper }: Bounds): void {
    this.#lower.set(lower, this.#filled);
    this.#upper.set(upper, this.#filled);
    this.#filled += this.#size;
  }

  /** Fills the remaining steps: after a step that moves nothing, all others are equal. */
  finish(): Bounds {
    const lower = this.#lower;
    const upper = this.#upper;
    const size = this.#size;
    for (; this.#filled < lower.length; this.#filled += size) {
      lower.copyWithin(this.#filled, this.#filled - size, this.#filled);
      upper.copyWithin(this.#filled, this.#filled - size, this.#filled);
    }
    return { lower, upper };
  }
}
