import type { BinaryOperator, PrismExpression, Scope } from '../../../languages/logic/index.js';
import { isIntegerPower, typeOf } from '../../../languages/logic/index.js';
import type { ExploredVariable } from '../variables.js';
import {
  type Code,
  call,
  f64,
  get,
  i32,
  ifElse,
  ifThen,
  type Local,
  select,
  set,
  tee,
  type ValueType,
} from './code.js';
import { ended, Outcome } from './layout.js';

/** The value of a numerical expression: an integer known to fit, or a double. */
export interface NumberCode {
  readonly type: ValueType;
  readonly code: Code;
  /** Bounds on its values. */
  readonly low: number;
  readonly high: number;
}

/** Operations without a WebAssembly instruction. */
export interface MathImports {
  readonly power: { readonly index: number };
  readonly modulo: { readonly index: number };
  readonly logarithm: { readonly index: number };
}

/** The imports in JavaScript: the same operations as the closures'. */
export const mathFunctions = {
  power: (base: number, exponent: number): number => base ** exponent,
  modulo: (dividend: number, divisor: number): number => {
    const rest = dividend % divisor;
    return rest < 0 ? rest + divisor : rest;
  },
  logarithm: (value: number, base: number): number => Math.log(value) / Math.log(base),
};

const fits = (low: number, high: number): boolean => low >= -(2 ** 31) && high <= 2 ** 31 - 1;

/**
 * State expressions as WebAssembly, within one function whose locals `firstWord`, … hold the words of the state. Values are
 * bitwise equal to those of the closures: integers are computed in 32 bits if the ranges of variables show that nothing is
 * lost. A term without a value ends the function with `Outcome.Failed`.
 */
export class ExpressionCompiler {
  /** The number of compiled terms that may have no value. */
  checks = 0;
  readonly #scope: Scope;
  readonly #variables: readonly ExploredVariable[];
  readonly #imports: MathImports;
  readonly #newLocal: (type: ValueType) => Local;
  readonly #firstWord: Local;

  constructor(
    scope: Scope,
    variables: readonly ExploredVariable[],
    imports: MathImports,
    newLocal: (type: ValueType) => Local,
    firstWord: Local = 0,
  ) {
    this.#scope = scope;
    this.#variables = variables;
    this.#imports = imports;
    this.#newLocal = newLocal;
    this.#firstWord = firstWord;
  }

  /** Word of the state. */
  word(index: number): Code {
    return get(this.#firstWord + index);
  }

  /** A variable's value minus its lower bound. */
  field({ word, shift, mask }: ExploredVariable): Code {
    const reachesTop = mask < 0;
    const masked = reachesTop ? this.word(word) : i32.and(this.word(word), i32.constant(mask));
    return shift === 0 ? masked : i32.shiftRight(masked, i32.constant(shift));
  }

  double(expression: PrismExpression): Code {
    return asDouble(this.number(expression));
  }

  /** @param signedZeros whether 0 and -0 must be distinguished; if they must, everything is computed in doubles */
  number(expression: PrismExpression, signedZeros = false): NumberCode {
    const inner = (operand: PrismExpression): NumberCode => this.number(operand, signedZeros);
    switch (expression.kind) {
      case 'number':
        return constant(Number(expression.text), typeOf(expression, this.#scope) === 'int' && !signedZeros);
      case 'name':
        return this.#name(expression, signedZeros);
      case 'negate': {
        const operand = inner(expression.operand);
        const low = -operand.high;
        const high = -operand.low;
        return operand.type === 'i32' && fits(low, high)
          ? { type: 'i32', code: i32.subtract(i32.constant(0), operand.code), low, high }
          : double(f64.negate(asDouble(operand)));
      }
      case 'conditional': {
        const condition = this.condition(expression.condition);
        const [a, b] = [inner(expression.whenTrue), inner(expression.whenFalse)];
        if (a.type === 'f64' || b.type === 'f64') {
          return double(ifElse('f64', condition, asDouble(a), asDouble(b)));
        }
        const low = Math.min(a.low, b.low);
        const high = Math.max(a.high, b.high);
        return { type: 'i32', code: ifElse('i32', condition, a.code, b.code), low, high };
      }
      case 'call':
        return this.#call(expression, signedZeros);
      case 'binary':
        return this.#arithmetic(expression, signedZeros);
      default:
        throw new TypeError(`no number: ${expression.kind}`);
    }
  }

  condition(expression: PrismExpression): Code {
    switch (expression.kind) {
      case 'boolean':
        return i32.constant(expression.value ? 1 : 0);
      case 'name': {
        const slot = this.#scope.variables.get(expression.name);
        if (slot !== undefined) return this.field(this.#variables[slot.index]);
        const known = this.#scope.constants.get(expression.name);
        if (known !== undefined) return i32.constant(known.value ? 1 : 0);
        return this.condition(this.#formula(expression.name));
      }
      case 'not':
        return i32.isZero(this.condition(expression.operand));
      case 'conditional':
        return ifElse(
          'i32',
          this.condition(expression.condition),
          this.condition(expression.whenTrue),
          this.condition(expression.whenFalse),
        );
      case 'binary': {
        const { operator, left, right } = expression;
        if (typeOf(left, this.#scope) === 'bool') {
          const a = this.condition(left);
          const before = this.checks;
          const b = this.condition(right);
          return this.checks === before ? connective(operator, a, b) : lazyConnective(operator, a, b);
        }
        return comparison(operator, this.number(left), this.number(right));
      }
      default:
        throw new TypeError(`no condition: ${expression.kind}`);
    }
  }

  #name({ name }: { readonly name: string }, signedZeros: boolean): NumberCode {
    const slot = this.#scope.variables.get(name);
    if (slot !== undefined) {
      const variable = this.#variables[slot.index];
      const { low, high } = variable;
      const field = this.field(variable);
      if (!fits(low, high)) return double(f64.add(f64.fromUnsigned(field), f64.constant(low)));
      const code = low === 0 ? field : i32.add(field, i32.constant(low));
      return signedZeros ? double(f64.fromSigned(code)) : { type: 'i32', code, low, high };
    }
    const known = this.#scope.constants.get(name);
    if (known === undefined) return this.number(this.#formula(name), signedZeros);
    return constant(known.value as number, known.type === 'int' && !signedZeros);
  }

  #formula(name: string): PrismExpression {
    const formula = this.#scope.formulas.get(name);
    if (formula === undefined) throw new TypeError(`no formula: ${name}`);
    return formula;
  }

  #arithmetic(
    { operator, left, right }: Extract<PrismExpression, { kind: 'binary' }>,
    signedZeros: boolean,
  ): NumberCode {
    if (operator === '/') {
      const dividend = asDouble(this.number(left, signedZeros));
      return double(f64.divide(dividend, asDouble(this.number(right, true))));
    }
    if (operator !== '+' && operator !== '-' && operator !== '*') return this.#power(left, right);
    const a = this.number(left, signedZeros);
    const b = this.number(right, signedZeros);
    const name = ({ '+': 'add', '-': 'subtract', '*': 'multiply' } as const)[operator];
    const [low, high] = rangeOf(operator, a, b);
    return a.type === 'i32' && b.type === 'i32' && fits(low, high)
      ? { type: 'i32', code: i32[name](a.code, b.code), low, high }
      : double(f64[name](asDouble(a), asDouble(b)));
  }

  #power(base: PrismExpression, exponent: PrismExpression): NumberCode {
    const [a, b] = [base, exponent].map((operand) => asDouble(this.number(operand, true)));
    const isTotal = !isIntegerPower(base, exponent, this.#scope) || this.number(exponent).low >= 0;
    const times = isTotal ? b : this.#checked(b, (value) => f64.less(value, f64.constant(0)));
    return double(call(this.#imports.power, a, times));
  }

  /** A double, with a check that fails if it is wrong. */
  #checked(value: Code, isWrong: (value: Code) => Code): Code {
    this.checks++;
    const local = this.#newLocal('f64');
    return [set(local, value), ifThen(isWrong(get(local)), ended(Outcome.Failed)), get(local)];
  }

  #call(expression: Extract<PrismExpression, { kind: 'call' }>, signedZeros: boolean): NumberCode {
    const { operands } = expression;
    const number = (operand: PrismExpression): NumberCode => this.number(operand, signedZeros);
    switch (expression.function) {
      case 'min':
      case 'max': {
        const which = expression.function;
        return operands.map(number).reduce((left, right) => this.#extreme(which, left, right));
      }
      case 'floor':
      case 'ceil': {
        const operand = number(operands[0]);
        return operand.type === 'i32' ? operand : double(f64[expression.function](operand.code));
      }
      case 'round': {
        const operand = number(operands[0]);
        return operand.type === 'i32' ? operand : this.#round(operand.code);
      }
      case 'mod':
        return this.#modulo(number(operands[0]), number(operands[1]));
      case 'pow':
        return this.#power(operands[0], operands[1]);
      case 'log':
        return double(call(this.#imports.logarithm, ...operands.map((operand) => asDouble(number(operand)))));
    }
  }

  /** Rounds to the nearest integer, halves up; adding 0.5 would round 0.49999999999999994 up too. */
  #round(operand: Code): NumberCode {
    const [value, whole] = [this.#newLocal('f64'), this.#newLocal('f64')];
    const isUp = f64.atLeast(f64.subtract(get(value), get(whole)), f64.constant(0.5));
    return double([
      set(value, operand),
      set(whole, f64.floor(get(value))),
      f64.copySign(select(f64.add(get(whole), f64.constant(1)), get(whole), isUp), get(value)),
    ]);
  }

  #extreme(which: 'min' | 'max', a: NumberCode, b: NumberCode): NumberCode {
    if (a.type === 'f64' || b.type === 'f64') return double(f64[which](asDouble(a), asDouble(b)));
    const [first, second] = [this.#newLocal('i32'), this.#newLocal('i32')];
    const isFirst = (which === 'min' ? i32.less : i32.greater)(get(first), get(second));
    return {
      type: 'i32',
      code: [set(first, a.code), set(second, b.code), select(get(first), get(second), isFirst)],
      low: Math[which](a.low, b.low),
      high: Math[which](a.high, b.high),
    };
  }

  #modulo(a: NumberCode, b: NumberCode): NumberCode {
    if (a.type === 'f64' || b.type === 'f64' || b.low <= 0) {
      const isWrong = (value: Code): Code => i32.isZero(f64.greater(value, f64.constant(0)));
      const divisor = b.low > 0 ? asDouble(b) : this.#checked(asDouble(b), isWrong);
      return double(call(this.#imports.modulo, asDouble(a), divisor));
    }
    const range = { low: 0, high: b.high - 1 };
    if (a.low >= 0) return { type: 'i32', code: i32.remainder(a.code, b.code), ...range };
    const [divisor, rest] = [this.#newLocal('i32'), this.#newLocal('i32')];
    const code = [
      set(rest, i32.remainder(a.code, tee(divisor, b.code))),
      select(i32.add(get(rest), get(divisor)), get(rest), i32.less(get(rest), i32.constant(0))),
    ];
    return { type: 'i32', code, ...range };
  }
}

export function asDouble({ type, code }: NumberCode): Code {
  return type === 'f64' ? code : f64.fromSigned(code);
}

function double(code: Code): NumberCode {
  return { type: 'f64', code, low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
}

function constant(value: number, isInteger: boolean): NumberCode {
  return isInteger && fits(value, value)
    ? { type: 'i32', code: i32.constant(value), low: value, high: value }
    : double(f64.constant(value));
}

function rangeOf(operator: '+' | '-' | '*', a: NumberCode, b: NumberCode): [number, number] {
  if (operator === '+') return [a.low + b.low, a.high + b.high];
  if (operator === '-') return [a.low - b.high, a.high - b.low];
  const corners = [a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high];
  return [Math.min(...corners), Math.max(...corners)];
}

function connective(operator: BinaryOperator, a: Code, b: Code): Code {
  switch (operator) {
    case '&':
      return i32.and(a, b);
    case '|':
      return i32.or(a, b);
    case '=>':
      return i32.or(i32.isZero(a), b);
    case '!=':
      return i32.notEqual(a, b);
    default:
      return i32.equal(a, b);
  }
}

/** If the left side decides, the right side is not evaluated. */
function lazyConnective(operator: BinaryOperator, a: Code, b: Code): Code {
  switch (operator) {
    case '&':
      return ifElse('i32', a, b, i32.constant(0));
    case '|':
      return ifElse('i32', a, i32.constant(1), b);
    case '=>':
      return ifElse('i32', a, b, i32.constant(1));
    default:
      return connective(operator, a, b);
  }
}

const comparisons = {
  '=': 'equal',
  '!=': 'notEqual',
  '<': 'less',
  '<=': 'atMost',
  '>': 'greater',
  '>=': 'atLeast',
} as const;

function comparison(operator: BinaryOperator, a: NumberCode, b: NumberCode): Code {
  const name = comparisons[operator as keyof typeof comparisons];
  return a.type === 'i32' && b.type === 'i32'
    ? i32[name](a.code, b.code)
    : f64[name](asDouble(a), asDouble(b));
}
