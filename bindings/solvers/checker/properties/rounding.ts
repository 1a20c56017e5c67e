/**
 * Arithmetic on bounds in doubles, each result moved outward by at least the rounding error: `down` gives lower bounds, `up`
 * upper ones. Sums, products and powers of whole numbers below 2^53 are left as they are.
 */

/** A number at least one double above; infinite values stay. */
export function up(value: number): number {
  return Number.isFinite(value)
    ? value + Math.max(Math.abs(value) * Number.EPSILON, Number.MIN_VALUE)
    : value;
}

export function down(value: number): number {
  return 0 - up(-value);
}

export function addDown(a: number, b: number): number {
  return 0 - addUp(-a, -b);
}

export function addUp(a: number, b: number): number {
  const sum = a + b;
  // The rounding error of a sum is itself a double (Knuth); NaN if an operand is infinite.
  const part = sum - a;
  const error = a - (sum - part) + (b - part);
  if (Number.isNaN(sum)) return Number.POSITIVE_INFINITY;
  return error > 0 || (sum === Number.NEGATIVE_INFINITY && a > sum && b > sum) ? up(floored(sum)) : sum;
}

/** A sum of finite numbers that overflows to -Infinity still has a finite upper bound. */
function floored(value: number): number {
  return Math.max(value, -Number.MAX_VALUE);
}

export function multiplyDown(a: number, b: number): number {
  return 0 - multiplyUp(-a, b);
}

/** 0 times infinity is 0, because an infinite operand is the bound of a finite number. */
export function multiplyUp(a: number, b: number): number {
  if (a === 0 || b === 0) return 0;
  const product = a * b;
  if (Number.isInteger(a) && Number.isInteger(b) && Number.isSafeInteger(product)) return product;
  if (a === 1 || b === 1 || !Number.isFinite(a) || !Number.isFinite(b)) return product;
  return up(floored(product));
}

export function divideDown(a: number, b: number): number {
  return 0 - divideUp(-a, b);
}

/** `b` is not 0. Infinity over infinity is 0 or more, at most infinite. */
export function divideUp(a: number, b: number): number {
  if (a === 0) return 0;
  const quotient = a / b;
  if (Number.isNaN(quotient)) return Number.POSITIVE_INFINITY;
  if (!Number.isFinite(a) || !Number.isFinite(b)) return quotient;
  if (Number.isSafeInteger(quotient) && Number.isInteger(a) && Number.isInteger(b) && quotient * b === a) {
    return quotient;
  }
  return up(floored(quotient));
}

/** Widens the result of a library function, which is near the true value but not always the nearest double. */
export function widenUp(value: number): number {
  return Number.isFinite(value) ? up(up(up(up(value)))) : value;
}

export function widenDown(value: number): number {
  return 0 - widenUp(-value);
}
