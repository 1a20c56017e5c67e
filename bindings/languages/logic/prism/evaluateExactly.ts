import { bitLength, Rational } from '../../../base/rational.js';
import { combineExactly } from './combineExactly.js';
import type { PrismExpression } from './expression.js';
import type { Scope } from './scope.js';
import { expressionError, typeOf, unknownName } from './typeOf.js';
import { divisorNotPositive, isIntegerPower, negativeExponent } from './undefinedTerm.js';

/** Largest size of an exact power; larger powers are computed in doubles. */
const MAX_EXACT_BITS = 1_000_000n;

/**
 * Evaluates a state expression in exact arithmetic.
 *
 * @param values The values of the state's variables, by slot; absent for constant expressions
 * @returns undefined if the value is not a fraction, such as `pow(2, 0.5)` or `1/0`, or would be too large
 * @throws UndefinedTermError on integer powers with a negative exponent, and on `mod` by a divisor that is not positive
 * @throws ParseError on names without a value
 */
export function evaluateExactly(
  expression: PrismExpression,
  scope: Scope,
  values?: ArrayLike<number>,
): Rational | boolean | undefined {
  const of = (operand: PrismExpression): Rational | boolean | undefined =>
    evaluateExactly(operand, scope, values);
  const number = (operand: PrismExpression): Rational | undefined => of(operand) as Rational | undefined;
  switch (expression.kind) {
    case 'number':
      return Rational.parse(expression.text);
    case 'boolean':
      return expression.value;
    case 'name': {
      const slot = scope.variables.get(expression.name);
      if (slot !== undefined) {
        if (values === undefined) {
          throw expressionError(
            scope,
            expression,
            `${expression.name} is a variable`,
            'a constant expression',
          );
        }
        const value = values[slot.index];
        return slot.type === 'bool' ? value !== 0 : Rational.fromDouble(value);
      }
      const constant = scope.constants.get(expression.name);
      if (constant) return constant.type === 'bool' ? (constant.value as boolean) : constant.exact;
      const formula = scope.formulas.get(expression.name);
      if (formula === undefined) throw unknownName(scope, expression);
      return of(formula);
    }
    case 'not': {
      const operand = of(expression.operand);
      return operand === undefined ? undefined : !operand;
    }
    case 'negate':
      return number(expression.operand)?.negated();
    case 'conditional': {
      const condition = of(expression.condition);
      return condition === undefined ? undefined : of(condition ? expression.whenTrue : expression.whenFalse);
    }
    case 'call':
      return call(expression, scope, expression.operands.map(number));
    case 'binary': {
      const { operator, left, right } = expression;
      const a = of(left);
      if (operator === '&' || operator === '|' || operator === '=>') {
        if (a === undefined) return undefined;
        // If the left side decides, the right side is not evaluated, because it may divide by zero.
        return a === (operator === '|') ? operator !== '&' : of(right);
      }
      const b = of(right);
      if (a === undefined || b === undefined) return undefined;
      if (typeof a === 'boolean' || typeof b === 'boolean') return (a === b) === (operator !== '!=');
      return arithmetic(expression, scope, a, b);
    }
    default:
      // Throws the error for an invalid expression.
      typeOf(expression, scope);
      return undefined;
  }
}

function arithmetic(
  expression: Extract<PrismExpression, { kind: 'binary' }>,
  scope: Scope,
  a: Rational,
  b: Rational,
): Rational | boolean | undefined {
  switch (expression.operator) {
    case '^':
      return power(expression, scope, expression.left, expression.right, a, b);
    case '=':
      return a.compare(b) === 0;
    case '!=':
      return a.compare(b) !== 0;
    case '<':
      return a.compare(b) < 0;
    case '<=':
      return a.compare(b) <= 0;
    case '>':
      return a.compare(b) > 0;
    case '>=':
      return a.compare(b) >= 0;
    default:
      return combineExactly(expression.operator, a, b);
  }
}

function call(
  expression: Extract<PrismExpression, { kind: 'call' }>,
  scope: Scope,
  operands: readonly (Rational | undefined)[],
): Rational | undefined {
  if (operands.includes(undefined)) return undefined;
  const [a, b] = operands as readonly Rational[];
  switch (expression.function) {
    case 'pow': {
      const [base, exponent] = expression.operands;
      return power(expression, scope, base, exponent, a, b);
    }
    case 'mod': {
      if (b.numerator <= 0n) throw divisorNotPositive(scope, expression.operands[1], b.floor());
      const quotient = a.dividedBy(b).floor();
      return a.minus(b.times(Rational.fromInteger(quotient)));
    }
    case 'min':
    case 'max':
      return operands.reduce((found, next) => combineExactly(expression.function, found!, next!));
    default:
      return combineExactly(expression.function, a, b);
  }
}

function power(
  expression: PrismExpression,
  scope: Scope,
  left: PrismExpression,
  right: PrismExpression,
  base: Rational,
  exponent: Rational,
): Rational | undefined {
  if (!exponent.isInteger) return undefined;
  const times = exponent.floor();
  if (times < 0n && isIntegerPower(left, right, scope)) {
    throw negativeExponent(scope, expression, times);
  }
  const size = times < 0n ? -times : times;
  const bits = BigInt(
    bitLength(base.numerator < 0n ? -base.numerator : base.numerator) + bitLength(base.denominator),
  );
  if (size * bits > MAX_EXACT_BITS || (times < 0n && base.numerator === 0n)) return undefined;
  const raised = new Rational(base.numerator ** size, base.denominator ** size);
  return times < 0n ? Rational.ONE.dividedBy(raised) : raised;
}
