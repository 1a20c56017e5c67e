import type { ExpressionNode } from '../../languages/expression/index.js';
import { type Json, type PlanExpression, parsed, type Value } from '../workflow/index.js';
import { constantOf } from './terms.js';

/** A path whose value is one of these. */
export interface Listed {
  readonly path: readonly string[];
  readonly values: readonly Json[];
}

/** The paths that a condition says to be one of values that stand in it: `x in ["a", "b"]` and `x == "a"`. */
export function endorsedBy(condition: PlanExpression): Listed[] {
  const visit = (node: ExpressionNode): Listed[] => {
    if (node.kind === 'logical' && node.operator === '&&') return node.operands.flatMap(visit);
    if (node.kind !== 'binary') return [];
    const { operator, left, right } = node;
    if (operator === 'in') {
      const path = pathOf(left);
      const values = constantOf(right)?.value;
      return path !== null && Array.isArray(values) ? [{ path, values }] : [];
    }
    if (operator !== '==') return [];
    const [path, other] = pathOf(left) === null ? [pathOf(right), left] : [pathOf(left), right];
    const value = constantOf(other);
    return path !== null && value !== undefined ? [{ path, values: [value.value] }] : [];
  };
  return visit(parsed(condition).root);
}

/** A value as a condition that endorses it would write it; null if it is no name and no field of one. */
export function endorsable(value: Value | undefined): string | null {
  const path =
    value?.kind === 'reference'
      ? [value.name, ...value.path]
      : value?.kind === 'expression'
        ? pathOf(parsed(value.expression).root)
        : null;
  const isWritten = path?.every((key) => typeof key === 'string' && /^[A-Za-z_]\w*$/.test(key));
  return isWritten === true ? (path as readonly string[]).join('.') : null;
}

function pathOf(node: ExpressionNode): string[] | null {
  if (node.kind === 'name') return [node.name];
  if (node.kind !== 'field') return null;
  const path = pathOf(node.object);
  return path && [...path, node.field];
}
