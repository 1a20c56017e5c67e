import type { Bounds } from '../../../base/bounds.js';
import { Rational } from '../../../base/rational.js';
import type { ExactValue } from './exactQuantities.js';

/**
 * The doubles next to a value: the largest that is not above it and the smallest that is not below it; equal if the value is a
 * double.
 */
export function bracket(value: ExactValue): Bounds<number> {
  if (value === 'infinite') return { lower: Number.POSITIVE_INFINITY, upper: Number.POSITIVE_INFINITY };
  if (value.numerator < 0n) {
    const { lower, upper } = bracket(value.negated());
    return { lower: -upper, upper: -lower };
  }
  const nearest = value.toNumber();
  if (nearest === Number.POSITIVE_INFINITY) return { lower: Number.MAX_VALUE, upper: nearest };
  const sign = Rational.fromDouble(nearest).compare(value);
  if (sign === 0) return { lower: nearest, upper: nearest };
  return sign < 0
    ? { lower: nearest, upper: neighbour(nearest, 1n) }
    : { lower: neighbour(nearest, -1n), upper: nearest };
}

/** The text of a value: `1/6`, `3` or `Infinity`. */
export function exactText(value: ExactValue): string {
  return value === 'infinite' ? 'Infinity' : value.toString();
}

/** The double after or before a non-negative one, whose bits are ordered like whole numbers. */
function neighbour(value: number, step: bigint): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  view.setBigUint64(0, view.getBigUint64(0) + step);
  return view.getFloat64(0);
}
