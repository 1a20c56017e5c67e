import type { ValueType } from './types.js';

type Bounds = Extract<ValueType, { kind: 'number' }>;

/**
 * Bounds of a result. Rounding keeps order, so the bounds of rounded results are the rounded bounds. An infinite bound says that the result may have overflowed.
 *
 * @returns null if the result may be no number (NaN), which JavaScript and the expression language compare differently
 */
export function boundsOf(operator: '+' | '-' | '*', a: Bounds, b: Bounds): Bounds | null {
  const pairs = [a.least, a.most].flatMap((x) => [b.least, b.most].map((y) => [x, y] as const));
  if (operator === '*') {
    const mayBeNaN = (isInfinite(a) && holdsZero(b)) || (isInfinite(b) && holdsZero(a));
    return mayBeNaN ? null : hull(pairs.map(([x, y]) => x * y));
  }
  const results = pairs.map(([x, y]) => (operator === '+' ? x + y : x - y));
  return results.some(Number.isNaN) ? null : hull(results);
}

function hull(results: readonly number[]): Bounds {
  return { kind: 'number', least: Math.min(...results), most: Math.max(...results) };
}

function isInfinite({ least, most }: Bounds): boolean {
  return !Number.isFinite(least) || !Number.isFinite(most);
}

function holdsZero({ least, most }: Bounds): boolean {
  return least <= 0 && most >= 0;
}
