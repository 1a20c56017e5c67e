import type { Expression, FreePath } from './expression.js';
import { pathOf, visitScoped } from './scoped.js';

/**
 * The paths that an expression reads from the state or the step, those of macro variables included: `history[].name` for a field of each element of a list, and
 * for one that an index selects. A field may be named by an index, too: `calls["send"]` is `calls.send`. Each longest path once a place, in source order.
 */
export function pathsRead({ root }: Expression): FreePath[] {
  const found: FreePath[] = [];
  visitScoped(root, (node, scope, isObject) => {
    const path = isObject || node.kind === 'macro' ? undefined : pathOf(node, scope);
    if (path !== undefined) found.push({ path, place: node.place });
  });
  return found;
}
