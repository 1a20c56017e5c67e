import type { Bounds } from '../../../base/bounds.js';
import type { BinaryOperator, BuiltIn } from '../../../languages/logic/index.js';
import {
  addDown,
  addUp,
  divideDown,
  divideUp,
  multiplyDown,
  multiplyUp,
  widenDown,
  widenUp,
} from './rounding.js';

/** Bounds on one number. */
export type Range = Bounds<number>;

export type ArithmeticOperator = Extract<BinaryOperator, '+' | '-' | '*' | '/' | '^'>;

const anything: Range = { lower: Number.NEGATIVE_INFINITY, upper: Number.POSITIVE_INFINITY };

/** Applies an operator to two numbers known only by their bounds. */
export function combine(operator: ArithmeticOperator | BuiltIn, a: Range, b: Range): Range {
  switch (operator) {
    case '+':
      return { lower: addDown(a.lower, b.lower), upper: addUp(a.upper, b.upper) };
    case '-':
      return { lower: addDown(a.lower, -b.upper), upper: addUp(a.upper, -b.lower) };
    case '*':
      return overCorners(a, b, multiplyDown, multiplyUp);
    case '/':
      return divide(a, b);
    case '^':
    case 'pow':
      return power(a, b);
    case 'min':
      return { lower: Math.min(a.lower, b.lower), upper: Math.min(a.upper, b.upper) };
    case 'max':
      return { lower: Math.max(a.lower, b.lower), upper: Math.max(a.upper, b.upper) };
    case 'mod':
      return modulo(a, b);
    case 'log':
      return logarithm(a, b);
    case 'floor':
      return { lower: Math.floor(a.lower), upper: Math.floor(a.upper) };
    case 'ceil':
      return { lower: Math.ceil(a.lower), upper: Math.ceil(a.upper) };
    case 'round':
      return { lower: Math.floor(addDown(a.lower, 0.5)), upper: Math.floor(addUp(a.upper, 0.5)) };
  }
}

/** The extremes of an operation that is monotone in each operand on either side of 0. */
function overCorners(
  a: Range,
  b: Range,
  down: (x: number, y: number) => number,
  up: (x: number, y: number) => number,
): Range {
  const corners = [
    [a.lower, b.lower],
    [a.lower, b.upper],
    [a.upper, b.lower],
    [a.upper, b.upper],
  ];
  return {
    lower: Math.min(...corners.map(([x, y]) => down(x, y))),
    upper: Math.max(...corners.map(([x, y]) => up(x, y))),
  };
}

/** Divides as doubles do if the divisor is 0: infinite, with the dividend's sign; 0/0 is NaN. */
function divide(a: Range, b: Range): Range {
  if (isPoint(a) && isPoint(b) && a.lower === 0 && b.lower === 0)
    return { lower: Number.NaN, upper: Number.NaN };
  if (b.lower > 0 || b.upper < 0) return overCorners(a, b, divideDown, divideUp);
  if (a.lower > 0) {
    if (b.lower === 0 && b.upper === 0) return infinite(1);
    if (b.lower === 0) return { lower: divideDown(a.lower, b.upper), upper: Number.POSITIVE_INFINITY };
  }
  if (a.upper < 0) {
    if (b.lower === 0 && b.upper === 0) return infinite(-1);
    if (b.lower === 0) return { lower: Number.NEGATIVE_INFINITY, upper: divideUp(a.upper, b.upper) };
  }
  return anything;
}

function infinite(sign: 1 | -1): Range {
  const value = sign * Number.POSITIVE_INFINITY;
  return { lower: value, upper: value };
}

function power(a: Range, b: Range): Range {
  if (isPoint(a) && isPoint(b)) {
    const value = a.lower ** b.lower;
    if (Number.isNaN(value)) return anything;
    const whole = Number.isInteger(a.lower) && Number.isInteger(b.lower) && Number.isSafeInteger(value);
    return whole ? { lower: value, upper: value } : { lower: widenDown(value), upper: widenUp(value) };
  }
  if (a.lower < 0) return anything;
  const pow = (x: number, y: number): number => x ** y;
  return overCorners(
    a,
    b,
    (x, y) => Math.max(0, widenDown(pow(x, y))),
    (x, y) => widenUp(pow(x, y)),
  );
}

function modulo(a: Range, b: Range): Range {
  if (isPoint(a) && isPoint(b) && b.lower > 0) {
    const rest = a.lower % b.lower;
    const value = rest < 0 ? rest + b.lower : rest + 0;
    return { lower: value, upper: value };
  }
  return b.lower > 0 ? { lower: 0, upper: b.upper } : anything;
}

function logarithm(a: Range, b: Range): Range {
  if (!(a.lower > 0 && b.lower > 0)) return anything;
  const ln = ({ lower, upper }: Range): Range => ({
    lower: widenDown(Math.log(lower)),
    upper: widenUp(Math.log(upper)),
  });
  return divide(ln(a), ln(b));
}

function isPoint({ lower, upper }: Range): boolean {
  return lower === upper;
}
