import type { PrismExpression } from './expression.js';

type NameNode = Extract<PrismExpression, { kind: 'name' }>;

/** Returns a state expression with `replace` applied to every name; property operators are unchanged. */
export function mapNames(
  expression: PrismExpression,
  replace: (node: NameNode) => PrismExpression,
): PrismExpression {
  const inner = (operand: PrismExpression): PrismExpression => mapNames(operand, replace);
  switch (expression.kind) {
    case 'name':
      return replace(expression);
    case 'not':
    case 'negate':
      return { ...expression, operand: inner(expression.operand) };
    case 'binary':
      return { ...expression, left: inner(expression.left), right: inner(expression.right) };
    case 'conditional':
      return {
        ...expression,
        condition: inner(expression.condition),
        whenTrue: inner(expression.whenTrue),
        whenFalse: inner(expression.whenFalse),
      };
    case 'call':
      return { ...expression, operands: expression.operands.map(inner) };
    default:
      return expression;
  }
}
