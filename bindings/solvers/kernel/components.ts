import { BitSet } from './bitSet.js';
import type { Components } from './types/index.js';

/** `componentOf` a state outside all components that were asked for. */
export const NO_COMPONENT = 0xffffffff;

/** The states of all those components that have no state outside `within`: of bottom components, those never left again. */
export function wholly({ count, componentOf }: Components, within: BitSet): BitSet {
  const cut = new Uint8Array(count);
  for (const [s, component] of componentOf.entries())
    if (component !== NO_COMPONENT && !within.has(s)) cut[component] = 1;
  return BitSet.where(within.size, (s) => componentOf[s] !== NO_COMPONENT && cut[componentOf[s]] === 0);
}
