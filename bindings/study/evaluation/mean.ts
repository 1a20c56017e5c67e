import { InvalidArgumentError } from '../../base/errors.js';
import { normalQuantile } from './intervals.js';

/** Mean and median of numbers, with an interval of the mean. */
export interface MeanInterval {
  readonly count: number;
  /** NaN without numbers. */
  readonly mean: number;
  readonly median: number;
  /** Infinite with fewer than two numbers, because their spread is unknown. */
  readonly confidenceLower: number;
  readonly confidenceUpper: number;
}

/**
 * The mean of independent numbers of one distribution, with the normal interval. Its coverage is near the confidence from some dozens of
 * numbers on.
 *
 * @param confidence in (0, 1). Default 0.95.
 * @throws InvalidArgumentError if `confidence` is outside (0, 1)
 */
export function meanOf(numbers: readonly number[], confidence = 0.95): MeanInterval {
  if (!(confidence > 0 && confidence < 1)) {
    throw new InvalidArgumentError(
      `confidence is ${confidence}; expected a number between 0 and 1, such as 0.95`,
    );
  }
  const count = numbers.length;
  const mean = numbers.reduce((sum, number) => sum + number, 0) / count;
  const squares = numbers.reduce((sum, number) => sum + (number - mean) ** 2, 0);
  const half =
    count < 2
      ? Number.POSITIVE_INFINITY
      : normalQuantile((1 + confidence) / 2) * Math.sqrt(squares / (count - 1) / count);
  return {
    count,
    mean,
    median: medianOf(numbers),
    confidenceLower: count === 0 ? Number.NEGATIVE_INFINITY : mean - half,
    confidenceUpper: count === 0 ? Number.POSITIVE_INFINITY : mean + half,
  };
}

function medianOf(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length === 0) return Number.NaN;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
