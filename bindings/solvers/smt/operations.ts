import { isInRegLan, type RegLan } from './regLan.js';
import type { Operator, TermValue } from './term.js';

/**
 * What operators give of values, as SMT-LIB defines them.
 *
 * @see https://smt-lib.org/theories.shtml
 */
export function operate(operator: Operator, values: readonly TermValue[], set?: RegLan): TermValue {
  const [first, second] = values;
  switch (operator) {
    case 'not':
      return !first;
    case 'and':
      return values.every((value) => value === true);
    case 'or':
      return values.some((value) => value === true);
    case '=':
      return isSame(first, second);
    case 'ite':
      return first === true ? second : values[2];
    default:
      return typeof first === 'bigint'
        ? onWhole(operator, values as readonly bigint[])
        : typeof first === 'number'
          ? onDoubles(operator, values as readonly number[])
          : onTexts(operator, values as readonly string[], set);
  }
}

/** Equality of SMT-LIB: of doubles it tells the zeros apart, and NaN is equal to itself. */
function isSame(a: TermValue, b: TermValue): boolean {
  return typeof a === 'number' ? Object.is(a, b) : a === b;
}

function onWhole(operator: Operator, [a, b, ...rest]: readonly bigint[]): TermValue {
  switch (operator) {
    case '+':
      return rest.reduce((sum, one) => sum + one, a + b);
    case '-':
      return a - b;
    case '*':
      return a * b;
    case 'mod': {
      // Never negative; `Terms` makes no remainder of a division by zero.
      const divisor = b < 0n ? -b : b;
      return ((a % divisor) + divisor) % divisor;
    }
    case '<':
      return a < b;
    case '<=':
      return a <= b;
    default:
      throw new TypeError(`${operator} of whole numbers`);
  }
}

function onDoubles(operator: Operator, [a, b]: readonly number[]): TermValue {
  switch (operator) {
    case 'fp.add':
      return a + b;
    case 'fp.sub':
      return a - b;
    case 'fp.mul':
      return a * b;
    case 'fp.div':
      return a / b;
    case 'fp.neg':
      return -a;
    case 'fp.lt':
      return a < b;
    case 'fp.leq':
      return a <= b;
    case 'fp.eq':
      return a === b;
    case 'fp.isNaN':
      return Number.isNaN(a);
    case 'fp.isInfinite':
      return Math.abs(a) === Number.POSITIVE_INFINITY;
    case 'fp.isNegative':
      return a < 0 || Object.is(a, -0);
    case 'fp.roundToIntegral':
      return roundedToEven(a);
    default:
      throw new TypeError(`${operator} of doubles`);
  }
}

function roundedToEven(a: number): number {
  if (!Number.isFinite(a) || Number.isInteger(a)) return a;
  const [below, above] = [Math.floor(a), Math.ceil(a)];
  if (a - below !== above - a) return a - below < above - a ? below : above;
  return below % 2 === 0 ? below : above;
}

function onTexts(operator: Operator, values: readonly string[], set: RegLan | undefined): TermValue {
  const [a, b] = values;
  switch (operator) {
    case 'str.++':
      return values.join('');
    case 'str.len':
      return BigInt(a.length);
    case 'str.prefixof':
      return b.startsWith(a);
    case 'str.suffixof':
      return b.endsWith(a);
    case 'str.contains':
      return a.includes(b);
    case 'str.<':
      return a < b;
    case 'str.in_re':
      return isInRegLan(set!, a);
    default:
      throw new TypeError(`${operator} of texts`);
  }
}
