import { InvalidArgumentError } from '../../../base/errors.js';
import type { Rational } from '../../../base/rational.js';
import { evaluateExactly } from './evaluateExactly.js';
import type { PrismExpression } from './expression.js';
import type { Scope } from './scope.js';
import { expressionError, typeOf, unknownName } from './typeOf.js';
import { divisorNotPositive, isIntegerPower, negativeExponent } from './undefinedTerm.js';

/** Evaluates an expression on the values of a state's variables by slot; Booleans are 0 and 1. */
export type NumberOf = (values: ArrayLike<number>) => number;
export type ConditionOf = (values: ArrayLike<number>) => boolean;

/**
 * Compiles a numerical state expression to a closure, in double arithmetic.
 *
 * @throws ParseError as `typeOf`, and if the expression is Boolean
 */
export function compileNumber(expression: PrismExpression, scope: Scope): NumberOf {
  if (typeOf(expression, scope) === 'bool') {
    throw expressionError(scope, expression, 'a Boolean stands where a number belongs', 'a number');
  }
  return number(expression, scope);
}

/**
 * Compiles a Boolean state expression to a closure.
 *
 * @throws ParseError as `typeOf`, and if the expression is a number
 */
export function compileCondition(expression: PrismExpression, scope: Scope): ConditionOf {
  if (typeOf(expression, scope) !== 'bool') {
    throw expressionError(scope, expression, 'a number stands where a condition belongs', 'a Boolean');
  }
  return condition(expression, scope);
}

function number(expression: PrismExpression, scope: Scope): NumberOf {
  const constant = constantNumber(expression, scope);
  if (constant !== undefined) return () => constant;
  switch (expression.kind) {
    case 'name': {
      const slot = scope.variables.get(expression.name);
      if (slot === undefined) return number(formulaOf(expression, scope), scope);
      const { index } = slot;
      return (values) => values[index];
    }
    case 'negate': {
      const operand = number(expression.operand, scope);
      return (values) => -operand(values);
    }
    case 'conditional':
      return conditional(expression, scope, number);
    case 'call': {
      const operands = expression.operands.map((operand) => number(operand, scope));
      const inDoubles = called(expression, operands, scope);
      if (!isInexact(expression.operands, scope)) return inDoubles;
      return (values) =>
        (evaluateExactly(expression, scope, values) as Rational | undefined)?.toNumber() ?? inDoubles(values);
    }
    case 'binary': {
      const left = number(expression.left, scope);
      const right = number(expression.right, scope);
      switch (expression.operator) {
        case '+':
          return (values) => left(values) + right(values);
        case '-':
          return (values) => left(values) - right(values);
        case '*':
          return (values) => left(values) * right(values);
        case '/':
          return (values) => left(values) / right(values);
        default:
          return power(expression, [expression.left, expression.right], [left, right], scope);
      }
    }
    default:
      throw new InvalidArgumentError(`no number: ${expression.kind}`);
  }
}

function power(
  expression: PrismExpression,
  operands: readonly PrismExpression[],
  [base, exponent]: readonly NumberOf[],
  scope: Scope,
): NumberOf {
  if (!isIntegerPower(operands[0], operands[1], scope)) return (values) => base(values) ** exponent(values);
  return (values) => {
    const times = exponent(values);
    if (times < 0) throw negativeExponent(scope, expression, times);
    return base(values) ** times;
  };
}

function modulo(divisor: PrismExpression, [a, b]: readonly NumberOf[], scope: Scope): NumberOf {
  requirePositive(divisor, scope);
  return (values) => {
    const by = b(values);
    if (!(by > 0)) throw divisorNotPositive(scope, divisor, by);
    const rest = a(values) % by;
    return rest < 0 ? rest + by : rest;
  };
}

/** Reports a constant divisor that is not positive before anything is evaluated. */
function requirePositive(divisor: PrismExpression, scope: Scope): void {
  const isNegated = divisor.kind === 'negate';
  const value = constantNumber(isNegated ? divisor.operand : divisor, scope);
  if (value === undefined || (isNegated ? -value : value) > 0) return;
  throw expressionError(scope, divisor, 'mod by a number that is not positive', 'a positive integer');
}

/** The value of a literal or constant; folding more is not worth the code. */
function constantNumber(expression: PrismExpression, scope: Scope): number | undefined {
  if (expression.kind === 'number') return Number(expression.text);
  if (expression.kind !== 'name' || scope.variables.has(expression.name)) return undefined;
  return scope.constants.get(expression.name)?.value as number | undefined;
}

type CallNode = Extract<PrismExpression, { kind: 'call' }>;

function formulaOf(node: Extract<PrismExpression, { kind: 'name' }>, scope: Scope): PrismExpression {
  const formula = scope.formulas.get(node.name);
  if (formula === undefined) throw unknownName(scope, node);
  return formula;
}

function called(expression: CallNode, operands: readonly NumberOf[], scope: Scope): NumberOf {
  const [a, b] = operands;
  switch (expression.function) {
    case 'min':
      return operands.reduce((left, right) => (values) => Math.min(left(values), right(values)));
    case 'max':
      return operands.reduce((left, right) => (values) => Math.max(left(values), right(values)));
    case 'floor':
      return (values) => Math.floor(a(values));
    case 'ceil':
      return (values) => Math.ceil(a(values));
    case 'round':
      // Rounds halves up; adding 0.5 and rounding down would also round 0.49999999999999994 up.
      return (values) => Math.round(a(values));
    case 'mod':
      return modulo(expression.operands[1], operands, scope);
    case 'pow':
      return power(expression, expression.operands, operands, scope);
    case 'log':
      return (values) => Math.log(a(values)) / Math.log(b(values));
  }
}

function condition(expression: PrismExpression, scope: Scope): ConditionOf {
  switch (expression.kind) {
    case 'boolean': {
      const { value } = expression;
      return () => value;
    }
    case 'name': {
      const slot = scope.variables.get(expression.name);
      if (slot !== undefined) {
        const { index } = slot;
        return (values) => values[index] !== 0;
      }
      const constant = scope.constants.get(expression.name);
      if (constant === undefined) return condition(formulaOf(expression, scope), scope);
      const value = constant.value as boolean;
      return () => value;
    }
    case 'not': {
      const operand = condition(expression.operand, scope);
      return (values) => !operand(values);
    }
    case 'conditional':
      return conditional(expression, scope, condition);
    case 'binary': {
      const { operator, left } = expression;
      const joins =
        connectives.includes(operator) || (isEquation(operator) && typeOf(left, scope) === 'bool');
      return joins ? connective(expression, scope) : comparison(expression, scope);
    }
    default:
      throw new InvalidArgumentError(`no condition: ${expression.kind}`);
  }
}

const connectives: readonly string[] = ['&', '|', '=>', '<=>'];

function conditional<Value>(
  node: Extract<PrismExpression, { kind: 'conditional' }>,
  scope: Scope,
  compile: (branch: PrismExpression, scope: Scope) => (values: ArrayLike<number>) => Value,
): (values: ArrayLike<number>) => Value {
  const test = condition(node.condition, scope);
  const whenTrue = compile(node.whenTrue, scope);
  const whenFalse = compile(node.whenFalse, scope);
  return (values) => (test(values) ? whenTrue(values) : whenFalse(values));
}

function isEquation(operator: string): boolean {
  return operator === '=' || operator === '!=';
}

type Binary = Extract<PrismExpression, { kind: 'binary' }>;

function connective({ operator, left, right }: Binary, scope: Scope): ConditionOf {
  const a = condition(left, scope);
  const b = condition(right, scope);
  switch (operator) {
    case '&':
      return (values) => a(values) && b(values);
    case '|':
      return (values) => a(values) || b(values);
    case '=>':
      return (values) => !a(values) || b(values);
    case '!=':
      return (values) => a(values) !== b(values);
    default:
      return (values) => a(values) === b(values);
  }
}

function comparison(expression: Binary, scope: Scope): ConditionOf {
  const inDoubles = comparisonOfDoubles(expression, scope);
  if (!isInexact([expression.left, expression.right], scope)) return inDoubles;
  return (values) => (evaluateExactly(expression, scope, values) as boolean | undefined) ?? inDoubles(values);
}

/** Whether exact arithmetic is requested and doubles may give a different result. */
function isInexact(operands: readonly PrismExpression[], scope: Scope): boolean {
  return scope.exact === true && operands.some((operand) => typeOf(operand, scope) === 'double');
}

function comparisonOfDoubles({ operator, left, right }: Binary, scope: Scope): ConditionOf {
  const slot = left.kind === 'name' ? scope.variables.get(left.name)?.index : undefined;
  const constant = constantNumber(right, scope);
  // Most guards compare a variable with a constant: use one closure instead of three.
  if (slot !== undefined && constant !== undefined) {
    switch (operator) {
      case '=':
        return (values) => values[slot] === constant;
      case '!=':
        return (values) => values[slot] !== constant;
      case '<':
        return (values) => values[slot] < constant;
      case '<=':
        return (values) => values[slot] <= constant;
      case '>':
        return (values) => values[slot] > constant;
      default:
        return (values) => values[slot] >= constant;
    }
  }
  const a = number(left, scope);
  const b = number(right, scope);
  switch (operator) {
    case '=':
      return (values) => a(values) === b(values);
    case '!=':
      return (values) => a(values) !== b(values);
    case '<':
      return (values) => a(values) < b(values);
    case '<=':
      return (values) => a(values) <= b(values);
    case '>':
      return (values) => a(values) > b(values);
    default:
      return (values) => a(values) >= b(values);
  }
}
