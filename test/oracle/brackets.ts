import { expect } from 'vitest';
import type { Solution } from '../../bindings/solvers/kernel/index.js';
import { Rational } from './rational.js';

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

/** Asserts that bounds of one number contain a fraction, and are as close as is asked for by default. */
export function expectFraction(
  { lower, upper }: { readonly lower: number; readonly upper: number },
  numerator: number,
  denominator: number,
): void {
  const exact = new Rational(BigInt(numerator), BigInt(denominator));
  expect(exact.compare(lower)).toBeGreaterThanOrEqual(0);
  expect(exact.compare(upper)).toBeLessThanOrEqual(0);
  expect(upper - lower).toBeLessThanOrEqual(2e-6);
}

/** The widest gap between the bounds. */
export function widest({ lower, upper }: Pick<Solution, 'lower' | 'upper'>): number {
  return upper.reduce((most, value, s) => Math.max(most, value - lower[s]), 0);
}
