import { Rational } from '../../../base/rational.js';
import type { BinaryOperator, BuiltIn } from './expression.js';

/** Applies an operator or a function to two fractions; undefined if the result is not a fraction, such as a square root, or does not exist. */
export function combineExactly(
  operator: BinaryOperator | BuiltIn,
  a: Rational,
  b: Rational,
): Rational | undefined {
  switch (operator) {
    case '+':
      return a.plus(b);
    case '-':
      return a.minus(b);
    case '*':
      return a.times(b);
    case '/':
      return b.numerator === 0n ? undefined : a.dividedBy(b);
    case 'min':
      return a.compare(b) <= 0 ? a : b;
    case 'max':
      return a.compare(b) >= 0 ? a : b;
    case 'floor':
      return Rational.fromInteger(a.floor());
    case 'ceil':
      return Rational.fromInteger(-a.negated().floor());
    case 'round':
      return Rational.fromInteger(a.plus(new Rational(1n, 2n)).floor());
    default:
      return undefined;
  }
}
