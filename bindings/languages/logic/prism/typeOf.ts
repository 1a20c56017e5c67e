import type { ParseError } from '../../../base/errors.js';
import { nearestName } from '../../../base/suggest.js';
import type { PrismExpression, PrismType } from './expression.js';
import type { Scope } from './scope.js';
import { prismError } from './token.js';

type NameNode = Extract<PrismExpression, { kind: 'name' }>;

/** Creates an error that points to an expression. */
export function expressionError(
  scope: Pick<Scope, 'text'>,
  { place }: Pick<PrismExpression, 'place'>,
  message: string,
  expected?: string,
): ParseError {
  return prismError(message, expected, place, scope.text);
}

/** The error for an unknown name. */
export function unknownName(scope: Scope, node: NameNode): ParseError {
  const known = [...scope.variables.keys(), ...scope.constants.keys(), ...scope.formulas.keys()];
  const labels = scope.labels ?? [];
  const quoted = (label: string | undefined) => label && `the label "${label}"`;
  const nearest = labels.includes(node.name)
    ? quoted(node.name)
    : (nearestName(node.name, known) ?? quoted(nearestName(node.name, labels)));
  if (nearest !== undefined) {
    return expressionError(scope, node, `${node.name} is not declared; did you mean ${nearest}?`);
  }
  if (known.length === 0)
    return expressionError(scope, node, `${node.name} is not declared, and nothing else is`);
  const names = `one of ${known.slice(0, 12).join(', ')}${known.length > 12 ? ', …' : ''}`;
  return expressionError(scope, node, `${node.name} is not declared`, names);
}

/**
 * Computes the type of a state expression.
 *
 * @throws ParseError on names that are not declared and operands of the wrong type, naming the operator and the type found
 */
export function typeOf(expression: PrismExpression, scope: Scope, open: readonly string[] = []): PrismType {
  const of = (operand: PrismExpression): PrismType => typeOf(operand, scope, open);
  const wanted = (operand: PrismExpression, type: 'bool' | 'number', what: string): PrismType => {
    const found = of(operand);
    if ((found === 'bool') === (type === 'bool')) return found;
    throw expressionError(
      scope,
      operand,
      `${what} is applied to ${found === 'bool' ? 'a Boolean' : `a number (${found})`}`,
      type === 'bool' ? 'a Boolean' : 'a number',
    );
  };
  const widest = (...types: readonly PrismType[]): PrismType => (types.includes('double') ? 'double' : 'int');
  switch (expression.kind) {
    case 'number':
      return /^\d+$/.test(expression.text) ? 'int' : 'double';
    case 'boolean':
    case 'label':
      return 'bool';
    case 'name': {
      const { name } = expression;
      const declared = scope.variables.get(name) ?? scope.constants.get(name);
      if (declared) return declared.type;
      const formula = scope.formulas.get(name);
      if (formula === undefined) throw unknownName(scope, expression);
      if (open.includes(name))
        throw expressionError(scope, expression, `formula ${name} is defined by itself`);
      return typeOf(formula, scope, [...open, name]);
    }
    case 'not':
      return wanted(expression.operand, 'bool', '!');
    case 'negate':
      return wanted(expression.operand, 'number', '-');
    case 'conditional': {
      wanted(expression.condition, 'bool', '? :');
      const whenTrue = of(expression.whenTrue);
      const whenFalse = of(expression.whenFalse);
      if ((whenTrue === 'bool') !== (whenFalse === 'bool')) {
        throw expressionError(
          scope,
          expression,
          `the two cases have types ${whenTrue} and ${whenFalse}`,
          'one type',
        );
      }
      return whenTrue === 'bool' ? 'bool' : widest(whenTrue, whenFalse);
    }
    case 'call': {
      const types = expression.operands.map((operand) => wanted(operand, 'number', expression.function));
      switch (expression.function) {
        case 'floor':
        case 'ceil':
        case 'round':
          return 'int';
        case 'log':
          return 'double';
        case 'mod': {
          const wrong = types.indexOf('double');
          if (wrong >= 0) {
            throw expressionError(scope, expression.operands[wrong], 'mod is applied to a double', 'an int');
          }
          return 'int';
        }
        default:
          return widest(...types);
      }
    }
    case 'binary': {
      const { operator, left, right } = expression;
      switch (operator) {
        case '&':
        case '|':
        case '=>':
        case '<=>':
          wanted(left, 'bool', operator);
          return wanted(right, 'bool', operator);
        case '=':
        case '!=': {
          const type = of(left);
          wanted(right, type === 'bool' ? 'bool' : 'number', operator);
          return 'bool';
        }
        case '<':
        case '<=':
        case '>':
        case '>=':
          wanted(left, 'number', operator);
          wanted(right, 'number', operator);
          return 'bool';
        case '/':
          wanted(left, 'number', operator);
          wanted(right, 'number', operator);
          return 'double';
        default:
          return widest(wanted(left, 'number', operator), wanted(right, 'number', operator));
      }
    }
    default:
      throw expressionError(scope, expression, 'a property operator stands where a state expression belongs');
  }
}
