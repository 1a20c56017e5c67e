import type { Expression, Place } from './expression.js';
import { pathOf, visitScoped } from './scoped.js';

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
  visitScoped(root, (node, scope) => {
    if (node.kind !== 'binary' || !['==', '!=', 'in'].includes(node.operator)) return;
    const sides = [node.left, node.right];
    for (const [i, side] of sides.entries()) {
      const path = pathOf(side, scope);
      if (path === undefined) continue;
      const other = sides[1 - i];
      for (const one of other.kind === 'list' ? other.elements : [other])
        if (one.kind === 'literal' && typeof one.value === 'string')
          found.push({ path, text: one.value, place: one.place });
    }
  });
  return found;
}
