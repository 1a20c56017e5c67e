import { children, type Expression, type ExpressionNode, type FreePath } from './expression.js';

/**
 * The paths that an expression reads from the state or the step, those of macro variables included: `history[].name` for a field of each element of a list, and
 * for one that an index selects. A field may be named by an index, too: `calls["send"]` is `calls.send`. Each longest path once a place, in source order.
 */
export function pathsRead({ root }: Expression): FreePath[] {
  const found: FreePath[] = [];
  const visit = (node: ExpressionNode, scope: ReadonlyMap<string, string | undefined>): void => {
    if (node.kind === 'macro') {
      visit(node.list, scope);
      const list = pathOf(node.list, scope);
      visit(node.body, new Map(scope).set(node.variable, list && `${list}[]`));
      return;
    }
    const path = pathOf(node, scope);
    if (path !== undefined) found.push({ path, place: node.place });
    for (const child of children(node))
      if (path === undefined || pathOf(child, scope) === undefined) visit(child, scope);
  };
  visit(root, new Map());
  return found;
}

/** The paths that an expression asks for with `has`, each once, in the notation of `pathsRead` without brackets. */
export function pathsAsked({ root }: Expression): string[] {
  const found = new Set<string>();
  const visit = (node: ExpressionNode, scope: ReadonlyMap<string, string | undefined>): void => {
    const path = node.kind === 'has' ? pathOf(node, scope) : undefined;
    if (path !== undefined) found.add(path.replaceAll('[]', ''));
    if (node.kind !== 'macro') {
      for (const child of children(node)) visit(child, scope);
      return;
    }
    visit(node.list, scope);
    const list = pathOf(node.list, scope);
    visit(node.body, new Map(scope).set(node.variable, list && `${list}[]`));
  };
  visit(root, new Map());
  return [...found];
}

function pathOf(node: ExpressionNode, scope: ReadonlyMap<string, string | undefined>): string | undefined {
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
