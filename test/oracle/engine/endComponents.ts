import { BitSet } from '../../../bindings/solvers/kernel/bitSet.js';
import { NO_COMPONENT } from '../../../bindings/solvers/kernel/components.js';
import type { EndComponents } from '../../../bindings/solvers/kernel/types/index.js';
import { components } from './graph.js';
import { type ReferenceMdp, subgraph } from './mdp.js';
import { Remainder } from './remainder.js';

/**
 * Maximal end components by their definition: as long as a row leads from one strongly connected component to another, it is
 * taken away, with what follows from that; what is left then are the end components.
 */
export function endComponents(mdp: ReferenceMdp, subset: BitSet, rows: BitSet): EndComponents {
  const left = new Remainder(mdp, subset, rows, new BitSet(mdp.states));
  for (;;) {
    const found = components(subgraph(mdp, left.states, left.rows), left.states);
    const componentOf = new Uint32Array(mdp.states).fill(NO_COMPONENT);
    for (const [c, members] of found.entries()) for (const s of members) componentOf[s] = c;
    const leaving = [...left.rows].filter((row) => {
      const component = componentOf[mdp.stateOf[row]];
      return mdp.columns
        .subarray(mdp.rowStart[row], mdp.rowStart[row + 1])
        .some((t) => componentOf[t] !== component);
    });
    if (leaving.length === 0) return { count: found.length, componentOf, rows: left.rows };
    for (const row of leaving) if (left.rows.has(row)) left.takeRow(row);
    left.settle();
  }
}
