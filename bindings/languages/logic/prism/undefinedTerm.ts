import { ParseError } from '../../../base/errors.js';
import type { Place } from '../../expression/index.js';
import type { PrismExpression } from './expression.js';
import { partsOf } from './partsOf.js';
import type { Scope } from './scope.js';
import { excerptAt } from './token.js';
import { typeOf } from './typeOf.js';

type Located = Pick<PrismExpression, 'place'>;

/** A term has no value in the state in which it is evaluated; `what` and `place` allow a caller to report it again with the state. */
export class UndefinedTermError extends ParseError {
  readonly place: Place;

  constructor(
    readonly what: string,
    { place }: Located,
    { text }: Pick<Scope, 'text'>,
  ) {
    super(`${what}${excerptAt(place, text.source)}`, {
      source: text.name,
      line: place.line,
      column: place.column,
    });
    this.place = place;
  }
}

/** Whether a power has integer operands: its result is then an integer, so its exponent must not be negative. */
export function isIntegerPower(base: PrismExpression, exponent: PrismExpression, scope: Scope): boolean {
  return typeOf(base, scope) === 'int' && typeOf(exponent, scope) === 'int';
}

export function negativeExponent(
  scope: Scope,
  power: Located,
  exponent: number | bigint,
): UndefinedTermError {
  const what = `the exponent ${exponent} of an integer power is negative`;
  return new UndefinedTermError(
    `${what}; expected a double as base or exponent, as in pow(2.0, -1)`,
    power,
    scope,
  );
}

export function divisorNotPositive(
  scope: Scope,
  divisor: Located,
  value: number | bigint,
): UndefinedTermError {
  return new UndefinedTermError(`mod by ${value}, which is not positive`, divisor, scope);
}

/** Whether an expression may have no value in some state. */
export function isPartial(expression: PrismExpression, scope: Scope): boolean {
  if (expression.kind === 'name') {
    const formula = scope.variables.has(expression.name) ? undefined : scope.formulas.get(expression.name);
    return formula !== undefined && isPartial(formula, scope);
  }
  if (partsOf(expression).some((part) => isPartial(part, scope))) return true;
  if (expression.kind === 'call' && expression.function === 'mod')
    return !isNumber(expression.operands[1], scope);
  const [base, exponent] =
    expression.kind === 'call' && expression.function === 'pow'
      ? expression.operands
      : expression.kind === 'binary' && expression.operator === '^'
        ? [expression.left, expression.right]
        : [];
  return base !== undefined && !isNumber(exponent, scope) && isIntegerPower(base, exponent, scope);
}

/** Whether an operand is known to be non-negative. The compiler checks that a constant divisor is not 0. */
function isNumber(operand: PrismExpression, scope: Scope): boolean {
  if (operand.kind === 'number') return true;
  if (operand.kind !== 'name' || scope.variables.has(operand.name)) return false;
  return ((scope.constants.get(operand.name)?.value ?? -1) as number) >= 0;
}
