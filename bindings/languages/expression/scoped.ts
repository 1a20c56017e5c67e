import { children, type ExpressionNode } from './expression.js';

/** What the variables of the macros around a node stand for: the path of an element; undefined where the list has none. */
export type Scope = ReadonlyMap<string, string | undefined>;

/**
 * Visits each node in source order.
 * @param visit its third argument says whether the node is the object of a longer path, as `action` is in `action.name`
 */
export function visitScoped(
  root: ExpressionNode,
  visit: (node: ExpressionNode, scope: Scope, isObject: boolean) => void,
): void {
  const descend = (node: ExpressionNode, scope: Scope, isObject: boolean): void => {
    visit(node, scope, isObject);
    if (node.kind === 'macro') {
      descend(node.list, scope, isObject);
      const list = pathOf(node.list, scope);
      descend(node.body, new Map(scope).set(node.variable, list && `${list}[]`), false);
      return;
    }
    const isPath = pathOf(node, scope) !== undefined;
    for (const child of children(node))
      descend(child, scope, isPath && 'object' in node && child === node.object);
  };
  descend(root, new Map(), false);
}

/** The path that a node reads; undefined if it is none. A filtered list has the path of the list. */
export function pathOf(node: ExpressionNode, scope: Scope): string | undefined {
  const below = (object: ExpressionNode, rest: string): string | undefined => {
    const path = pathOf(object, scope);
    return path && `${path}${rest}`;
  };
  switch (node.kind) {
    case 'name':
      return scope.has(node.name) ? scope.get(node.name) : node.name;
    case 'field':
    case 'has':
      return below(node.object, `.${node.field}`);
    case 'index': {
      const { index } = node;
      const isName = index.kind === 'literal' && typeof index.value === 'string';
      return below(node.object, isName ? `.${index.value}` : '[]');
    }
    case 'macro':
      return node.macro === 'filter' ? pathOf(node.list, scope) : undefined;
    default:
      return undefined;
  }
}
