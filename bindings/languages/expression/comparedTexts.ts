import type { Expression, Place } from './expression.js';
import { pathOf, visitScoped } from './scoped.js';

/** A text in quotes that an expression compares a path with. */
export interface ComparedText {
  /** `action.name`; `history[].name` for a field of each element of a list. */
  readonly path: string;
  readonly text: string;
  readonly place: Place;
}

/** A number, text, truth or null that an expression compares a path with. */
export interface ComparedLiteral {
  readonly path: string;
  readonly value: unknown;
  readonly place: Place;
}

/** The texts that an expression compares paths with by `==`, `!=` or `in`, in source order. */
export function comparedTexts(expression: Expression): ComparedText[] {
  return comparedLiterals(expression).flatMap(({ path, value, place }) =>
    typeof value === 'string' ? [{ path, text: value, place }] : [],
  );
}

/** All literals that it compares paths with in this way. */
export function comparedLiterals({ root }: Expression): ComparedLiteral[] {
  const found: ComparedLiteral[] = [];
  visitScoped(root, (node, scope) => {
    if (node.kind !== 'binary' || !['==', '!=', 'in'].includes(node.operator)) return;
    const sides = [node.left, node.right];
    for (const [i, side] of sides.entries()) {
      const path = pathOf(side, scope);
      if (path === undefined) continue;
      const other = sides[1 - i];
      for (const one of other.kind === 'list' ? other.elements : [other])
        if (one.kind === 'literal') found.push({ path, value: one.value, place: one.place });
    }
  });
  return found;
}
