import { expect } from 'vitest';
import type { Solution } from '../../bindings/kernel/index.js';
import type { Rational } from './rational.js';

/** Asserts `lower <= exact <= upper` for every state, comparing fractions with doubles exactly. */
export function expectBrackets(
  solution: Pick<Solution, 'lower' | 'upper'>,
  exact: readonly Rational[],
): void {
  expect(solution.lower.length).toBe(exact.length);
  expect(solution.upper.length).toBe(exact.length);
  const outside = exact.flatMap((value, s) =>
    value.compare(solution.lower[s]) >= 0 && value.compare(solution.upper[s]) <= 0
      ? []
      : [`state ${s}: ${value} is not in [${solution.lower[s]}, ${solution.upper[s]}]`],
  );
  expect(outside).toEqual([]);
}

/** The widest gap between the bounds. */
export function widest({ lower, upper }: Pick<Solution, 'lower' | 'upper'>): number {
  return upper.reduce((most, value, s) => Math.max(most, value - lower[s]), 0);
}
