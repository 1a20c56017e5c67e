import type { ExpressionNode } from '../../languages/expression/index.js';
import { type PlanExpression, parsed } from '../workflow/index.js';
import { constantOf } from './terms.js';

/** The paths that a condition says to be one of values that stand in it: `x in ["a", "b"]` and `x == "a"`. */
export function endorsedBy(condition: PlanExpression): string[][] {
  const visit = (node: ExpressionNode): string[][] => {
    if (node.kind === 'logical' && node.operator === '&&') return node.operands.flatMap(visit);
    if (node.kind !== 'binary') return [];
    const { operator, left, right } = node;
    if (operator === 'in') {
      const path = pathOf(left);
      return path !== null && Array.isArray(constantOf(right)?.value) ? [path] : [];
    }
    if (operator !== '==') return [];
    const [path, other] = pathOf(left) === null ? [pathOf(right), left] : [pathOf(left), right];
    return path !== null && constantOf(other) !== undefined ? [path] : [];
  };
  return visit(parsed(condition).root);
}

function pathOf(node: ExpressionNode): string[] | null {
  if (node.kind === 'name') return [node.name];
  if (node.kind !== 'field') return null;
  const path = pathOf(node.object);
  return path && [...path, node.field];
}
