import { has } from "../bitSet";
import { setU32, u32At } from "../memory";
import { Chain } from "../sparse/csr";
import { Mdp } from "../sparse/mdp";

const STRUCT: usize = (offsetof<Chain>() + 7) & ~7;

/** Bytes of the graph that `subgraph` writes. */
export function subgraphBytes(states: u32, transitions: u32): f64 {
  return <f64>STRUCT + 4 * (<f64>states + 1) + 4 * <f64>transitions;
}

/**
 * Writes the graph with an edge for each entry of the rows given, from and to states of `subset`: a chain without
 * probabilities and predecessors, for searches forward.
 */
export function subgraph(mdp: Mdp, subset: usize, rows: usize, block: usize): Chain {
  const graph = changetype<Chain>(block);
  graph.states = mdp.states;
  graph.rowStart = block + STRUCT;
  graph.rowEnd = graph.rowStart + 4;
  graph.columns = graph.rowStart + ((<usize>mdp.states + 1) << 2);
  let to: u32 = 0;
  for (let s: u32 = 0; s < mdp.states; ++s) {
    setU32(graph.rowStart, s, to);
    if (!has(subset, s)) continue;
    const groupEnd = u32At(mdp.groupStart, s + 1);
    for (let row = u32At(mdp.groupStart, s); row < groupEnd; ++row) {
      if (!has(rows, row)) continue;
      const end = u32At(mdp.rowStart, row + 1);
      for (let e = u32At(mdp.rowStart, row); e < end; ++e) {
        const t = u32At(mdp.columns, e);
        if (has(subset, t)) setU32(graph.columns, to++, t);
      }
    }
  }
  setU32(graph.rowStart, mdp.states, to);
  graph.transitions = to;
  return graph;
}
