import { InvalidArgumentError } from '../../base/errors.js';
import type { SolveOptions } from '../kernel/index.js';

/** A guard compares upper bounds with thresholds, and plain value iteration has none. */
export function refuseEstimates({ method }: SolveOptions): void {
  if (method !== 'value-iteration') return;
  throw new InvalidArgumentError(
    "a risk is a bound, and method 'value-iteration' promises none; use 'auto', 'elimination' or 'interval-iteration'",
  );
}
