import type { ExpressionNode } from './expression.js';
import { FUNCTIONS } from './functions.js';

const RELATIONS: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>=', 'in']);

/** Whether a part of an expression has a truth value wherever it has any value, whatever it reads. */
export function isTruth(node: ExpressionNode): boolean {
  switch (node.kind) {
    case 'literal':
      return typeof node.value === 'boolean';
    case 'logical':
    case 'has':
      return true;
    case 'unary':
      return node.operator === '!';
    case 'binary':
      return RELATIONS.has(node.operator);
    case 'conditional':
      return isTruth(node.whenTrue) && isTruth(node.whenFalse);
    case 'macro':
      return node.macro === 'all' || node.macro === 'exists' || node.macro === 'exists_one';
    case 'call':
      return FUNCTIONS[node.function].returns === 'boolean';
    default:
      return false;
  }
}
