import { children, type Expression, type ExpressionNode, type Place } from './expression.js';

/** A text in quotes that an expression compares a path with. */
export interface ComparedText {
  /** `action.name`; `history[].name` for a field of each element of a list. */
  readonly path: string;
  readonly text: string;
  readonly place: Place;
}

/** The texts that an expression compares paths with by `==`, `!=` or `in`, in source order. */
export function comparedTexts({ root }: Expression): ComparedText[] {
  const found: ComparedText[] = [];
  const visit = (node: ExpressionNode, scope: ReadonlyMap<string, string | undefined>): void => {
    if (node.kind === 'macro') {
      visit(node.list, scope);
      const list = pathOf(node.list, scope);
      visit(node.body, new Map(scope).set(node.variable, list && `${list}[]`));
      return;
    }
    if (node.kind === 'binary' && ['==', '!=', 'in'].includes(node.operator)) {
      const sides = [node.left, node.right];
      for (const [i, side] of sides.entries()) {
        const path = pathOf(side, scope);
        if (path === undefined) continue;
        const other = sides[1 - i];
        for (const one of other.kind === 'list' ? other.elements : [other])
          if (one.kind === 'literal' && typeof one.value === 'string')
            found.push({ path, text: one.value, place: one.place });
      }
    }
    for (const child of children(node)) visit(child, scope);
  };
  visit(root, new Map());
  return found;
}

/** The path that a node reads; undefined if it is none. A filtered list has the path of the list. */
function pathOf(node: ExpressionNode, scope: ReadonlyMap<string, string | undefined>): string | undefined {
  if (node.kind === 'name') return scope.has(node.name) ? scope.get(node.name) : node.name;
  if (node.kind === 'macro' && node.macro === 'filter') return pathOf(node.list, scope);
  if (node.kind !== 'field') return undefined;
  const object = pathOf(node.object, scope);
  return object && `${object}.${node.field}`;
}
