import type {
  AnyNode,
  AssignmentExpression,
  BlockStatement,
  CallExpression,
  Expression,
  ForOfStatement,
  ModuleDeclaration,
  Statement,
  VariableDeclaration,
} from 'acorn';

/*
 * The forms of several statements that are one step: lists that loops fill, sums of loops, and values that branches give.
 */

export type CodeStatement = Statement | ModuleDeclaration;

/** The statements of a body: of its block, or the one that it is. */
export function bodyOf(node: Statement): readonly Statement[] {
  return node.type === 'BlockStatement' ? (node as BlockStatement).body : [node];
}

/** The name and the value of a declaration of one plain name. */
export function plainDeclaration(
  node: AnyNode | undefined,
  kind: 'const' | 'let',
): { readonly name: string; readonly init: Expression | null } | undefined {
  if (node?.type !== 'VariableDeclaration') return undefined;
  const { declarations, kind: found } = node as VariableDeclaration;
  const [{ id, init }] = declarations;
  if (found !== kind || declarations.length !== 1 || id.type !== 'Identifier') return undefined;
  return { name: id.name, init: init ?? null };
}

/** `list.push(value)`. */
export function pushOf(node: AnyNode): { readonly name: string; readonly value: Expression } | undefined {
  if (node.type !== 'ExpressionStatement' || node.expression.type !== 'CallExpression') return undefined;
  const { callee, arguments: given } = node.expression as CallExpression;
  if (callee.type !== 'MemberExpression' || callee.computed || callee.object.type !== 'Identifier')
    return undefined;
  const [value] = given;
  const isPush = callee.property.type === 'Identifier' && callee.property.name === 'push';
  if (!isPush || given.length !== 1 || value.type === 'SpreadElement') return undefined;
  return { name: callee.object.name, value };
}

/** `name = value`, or `name += value`. */
export function assignmentOf(node: AnyNode): AssignmentExpression | undefined {
  if (node.type !== 'ExpressionStatement' || node.expression.type !== 'AssignmentExpression')
    return undefined;
  const { expression } = node;
  return expression.left.type === 'Identifier' ? expression : undefined;
}

/** The last statements of a body for which a reader finds something, and those before them. */
export function splitEnd<T>(
  body: readonly Statement[],
  read: (statement: Statement) => T | undefined,
): { readonly before: readonly Statement[]; readonly end: readonly T[] } {
  const end: T[] = [];
  let at = body.length;
  for (; at > 0; at--) {
    const found = read(body[at - 1]);
    if (found === undefined) break;
    end.unshift(found);
  }
  return { before: body.slice(0, at), end };
}

/** The call that a statement awaits at once: `Promise.all(list.map(async (x) => …))`. */
export function parallelMap(
  node: Expression,
): { readonly list: Expression; readonly arrow: Expression } | undefined {
  if (node.type !== 'CallExpression' || node.arguments.length !== 1) return undefined;
  const {
    callee,
    arguments: [inner],
  } = node;
  const isAll =
    callee.type === 'MemberExpression' &&
    callee.object.type === 'Identifier' &&
    callee.object.name === 'Promise' &&
    callee.property.type === 'Identifier' &&
    callee.property.name === 'all';
  if (!isAll || inner.type !== 'CallExpression' || inner.arguments.length !== 1) return undefined;
  const method = inner.callee;
  const [arrow] = inner.arguments;
  if (
    method.type !== 'MemberExpression' ||
    method.property.type !== 'Identifier' ||
    method.property.name !== 'map'
  )
    return undefined;
  return method.object.type === 'Super' || arrow.type === 'SpreadElement'
    ? undefined
    : { list: method.object, arrow };
}

export function isForOf(node: AnyNode | undefined): node is ForOfStatement {
  return node?.type === 'ForOfStatement';
}

/** How many calls of tools or questions stand in statements. */
export function countAwaits(node: unknown): number {
  if (typeof node !== 'object' || node === null) return 0;
  const own = (node as { type?: unknown }).type === 'AwaitExpression' ? 1 : 0;
  return Object.values(node).reduce((sum: number, one) => sum + countAwaits(one), own);
}
