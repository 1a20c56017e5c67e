import { BitSet } from './bitSet.js';
import type { Components } from './types/index.js';

/** Value of `componentOf` for a state outside all requested components. */
export const NO_COMPONENT = 0xffffffff;

/** The states of all components that lie inside `within`. For bottom components, these states are never left again. */
export function wholly({ count, componentOf }: Components, within: BitSet): BitSet {
  const cut = new Uint8Array(count);
  for (const [s, component] of componentOf.entries())
    if (component !== NO_COMPONENT && !within.has(s)) cut[component] = 1;
  return BitSet.where(within.size, (s) => componentOf[s] !== NO_COMPONENT && cut[componentOf[s]] === 0);
}
