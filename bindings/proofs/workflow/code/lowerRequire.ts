import type { CallExpression, IfStatement } from 'acorn';
import type { ExpressionNode } from '../../../languages/expression/index.js';
import { expressionOf } from '../canonical.js';
import type { Action } from '../plan.js';
import type { Lowering } from './lowering.js';
import { bodyOf } from './patterns.js';

/** `require(condition, '…')`. */
export function lowerRequire(lowering: Lowering, node: CallExpression): Action {
  const [condition, otherwise] = node.arguments;
  const isText = otherwise?.type === 'Literal' && typeof otherwise.value === 'string';
  if (node.arguments.length !== 2 || !isText || condition.type === 'SpreadElement')
    return lowering.problems.refuse(
      node,
      'a call of require',
      "require(condition, 'what to say if it does not hold')",
    );
  return { kind: 'require', condition: lowering.condition(condition), otherwise: otherwise.value as string };
}

/** `if (condition) throw new Error('…')`. */
export function requireOf(lowering: Lowering, node: IfStatement): Action | undefined {
  const [only, ...others] = bodyOf(node.consequent);
  if (only?.type !== 'ThrowStatement' || others.length > 0 || node.alternate) return undefined;
  const { argument } = only;
  const words =
    argument.type === 'NewExpression' && (argument.callee as { name?: string }).name === 'Error'
      ? argument.arguments[0]
      : undefined;
  if (words?.type !== 'Literal' || typeof words.value !== 'string') return undefined;
  const holds = lowering.values.expression(node.test);
  const condition: ExpressionNode =
    holds.kind === 'unary' && holds.operator === '!'
      ? holds.operand
      : { kind: 'unary', operator: '!', operand: holds, place: holds.place };
  return { kind: 'require', condition: expressionOf(condition), otherwise: words.value };
}
