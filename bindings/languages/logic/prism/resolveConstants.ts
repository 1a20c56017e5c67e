import { InvalidArgumentError, ParseError } from '../../../base/errors.js';
import type { Rational } from '../../../base/rational.js';
import { nearestName } from '../../../base/suggest.js';
import { compileCondition, compileNumber } from './compile.js';
import type { ConstantDeclaration, FormulaDeclaration } from './declarations.js';
import { evaluateExactly } from './evaluateExactly.js';
import type { PrismExpression, PrismType } from './expression.js';
import { parsePrismExpression } from './parseExpression.js';
import { namesIn } from './partsOf.js';
import { type ConstantValue, noVariables, type Scope } from './scope.js';
import { excerptAt } from './token.js';
import { expressionError, typeOf } from './typeOf.js';

/** Values given from outside: numbers, Booleans, or text as on a command line (`0.25`, `1/3`, `true`). */
export type GivenConstants = Readonly<Record<string, number | boolean | string>>;

/**
 * Computes the values of declared constants: given from outside, or from their expressions, which may refer to each other in any order.
 *
 * @param text The text that the declarations' places refer to
 * @param exact As in `Scope`
 * @param known Other values that expressions may use, such as a model's constants for a property file
 * @throws InvalidArgumentError for a constant without a value, and for a given constant that is not declared or has the wrong type
 * @throws ParseError for a constant that is defined by itself or has the wrong type
 */
export function resolveConstants(
  declarations: readonly ConstantDeclaration[],
  formulas: readonly FormulaDeclaration[],
  given: GivenConstants,
  text: Scope['text'],
  known: ReadonlyMap<string, ConstantValue> = new Map(),
  exact = false,
): Map<string, ConstantValue> {
  const byName = new Map(declarations.map((declaration) => [declaration.name, declaration]));
  const constants = new Map(known);
  const open = new Set<string>();
  const formulaMap = new Map(formulas.map(({ name, expression }) => [name, expression]));
  const scope: Scope = { constants, formulas: formulaMap, variables: noVariables, text, exact };
  const resolve = (declaration: ConstantDeclaration): void => {
    const { name, type, value } = declaration;
    if (constants.has(name)) return;
    if (open.has(name)) throw expressionError(scope, declaration, `constant ${name} is defined by itself`);
    open.add(name);
    if (Object.hasOwn(given, name)) constants.set(name, parseGiven(name, type, given[name]));
    else if (value === null) {
      throw withoutValue(declaration, text);
    } else {
      for (const needed of namesIn(value, formulaMap)) {
        const other = byName.get(needed);
        if (other) resolve(other);
      }
      constants.set(name, evaluateConstant(value, scope, type));
    }
    open.delete(name);
  };
  for (const declaration of declarations) resolve(declaration);
  return constants;
}

/** The error for a constant without a value. */
export function withoutValue(
  { name, place }: ConstantDeclaration,
  text: Scope['text'],
): InvalidArgumentError {
  return new InvalidArgumentError(
    `${text.name}:${place.line}:${place.column}: constant ${name} has no value; give it one, as in --const ${name}=1${excerptAt(place, text.source)}`,
  );
}

/** Checks given constants. @throws InvalidArgumentError for given constants that are not declared. */
export function refuseUndeclared(given: GivenConstants, declared: Iterable<string>): void {
  const names = [...declared];
  for (const name of Object.keys(given)) {
    if (names.includes(name)) continue;
    const nearest = nearestName(name, names);
    const hint =
      nearest === undefined ? `declared are: ${names.join(', ') || 'none'}` : `did you mean ${nearest}?`;
    throw new InvalidArgumentError(`no constant ${name} is declared; ${hint}`);
  }
}

/** Evaluates an expression without variables; `type` is the required type. */
export function evaluateConstant(expression: PrismExpression, scope: Scope, type?: PrismType): ConstantValue {
  const found = typeOf(expression, scope);
  const wanted = type ?? found;
  if ((found === 'bool') !== (wanted === 'bool') || (wanted === 'int' && found === 'double')) {
    throw expressionError(scope, expression, `an expression of type ${found}`, `one of type ${wanted}`);
  }
  if (wanted === 'bool') return { type: wanted, value: compileCondition(expression, scope)([]) };
  const exact = evaluateExactly(expression, scope) as Rational | undefined;
  if (exact !== undefined) return { type: wanted, value: exact.toNumber(), exact };
  const value = compileNumber(expression, scope)([]);
  if (!Number.isFinite(value))
    throw expressionError(scope, expression, `the value is ${value}`, 'a finite number');
  return { type: wanted, value };
}

function parseGiven(name: string, type: PrismType, given: number | boolean | string): ConstantValue {
  const wrong = (): InvalidArgumentError =>
    new InvalidArgumentError(`constant ${name} is given as ${given}; expected a value of type ${type}`);
  if (type === 'bool') {
    if (given === true || given === 'true') return { type, value: true };
    if (given === false || given === 'false') return { type, value: false };
    throw wrong();
  }
  const exact = givenNumber(String(given));
  if (exact === undefined || (type === 'int' && !exact.isInteger)) throw wrong();
  return { type, value: exact.toNumber(), exact };
}

/** Reads a number given as an expression without names: `0.25`, `1/3`, `2^10`; undefined if the text is not a number. */
function givenNumber(source: string): Rational | undefined {
  try {
    const text = { source, name: 'constant' };
    const scope: Scope = { constants: new Map(), formulas: new Map(), variables: noVariables, text };
    const expression = parsePrismExpression(source, { name: text.name });
    return typeOf(expression, scope) === 'bool'
      ? undefined
      : (evaluateExactly(expression, scope) as Rational | undefined);
  } catch (error) {
    if (error instanceof ParseError) return undefined;
    throw error;
  }
}
