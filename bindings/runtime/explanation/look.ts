import type { Core } from './core.js';

/** The number of steps after its own on which a part's value may depend; Infinity means no limit. */
export function lookAhead(part: Core): number {
  switch (part.kind) {
    case 'boolean':
      return 0;
    case 'next':
      return 1 + lookAhead(part.operand);
    case 'until':
      return (part.to ?? Number.POSITIVE_INFINITY) + furthest(part, lookAhead);
    default:
      return furthest(part, lookAhead);
  }
}

/** The number of steps before its own on which a part's value may depend; Infinity means no limit. */
export function lookBack(part: Core): number {
  switch (part.kind) {
    case 'boolean':
      return 0;
    case 'previous':
      return 1 + lookBack(part.operand);
    case 'count':
    case 'since':
      return (part.to ?? Number.POSITIVE_INFINITY) + furthest(part, lookBack);
    default:
      return furthest(part, lookBack);
  }
}

/** The larger of the two sides' values, or that of the only one. */
function furthest(part: Exclude<Core, { readonly kind: 'boolean' }>, look: (part: Core) => number): number {
  if ('operand' in part) return look(part.operand);
  return Math.max(look(part.right), part.left === null ? 0 : look(part.left));
}
