import { add, has, wordsOf } from "../bitSet";
import { setU32, u32At } from "../memory";
import { Mdp, NONE } from "../sparse/mdp";
import { layOutSubMdp, SubMdp, subMdpBytes, closeUnderRemoval, takeRow } from "./subMdp";
import { components, componentsScratchBytes } from "./scc";
import { subgraph, subgraphBytes } from "./subgraph";

/** Bytes of scratch that `endComponents` needs. */
export function endComponentsScratchBytes(states: u32, rows: u32, transitions: u32): f64 {
  return (
    subMdpBytes(states, rows) +
    subgraphBytes(states, transitions) +
    componentsScratchBytes(states) +
    16 * <f64>states +
    8 * <f64>wordsOf(states) +
    32
  );
}

/**
 * Maximal end components within `subset` and `rows` (de Alfaro 1997): the largest sets of states with, for each, rows that
 * cannot leave the set, along which all reach each other. `endComponentOf` (u32[states]) gets the number of each state's, or
 * NONE; `inside` (one bit a row) their rows. Returns how many there are.
 *
 * Rows between strongly connected components are taken away, and what follows from that; components that lost nothing are
 * done, the others are divided again. Only what lost a row is ever looked at twice.
 */
export function endComponents(
  mdp: Mdp,
  subset: usize,
  rows: usize,
  endComponentOf: usize,
  inside: usize,
  scratch: usize
): u32 {
  const words = <usize>wordsOf(mdp.states) << 2;
  const order = scratch;
  const start = order + (<usize>mdp.states << 2);
  const componentOf = start + ((<usize>mdp.states + 1) << 2);
  const before = componentOf + (<usize>mdp.states << 2);
  const none = before + (<usize>mdp.states << 2);
  const searched = none + words;
  const tarjan = searched + words;
  const block = (tarjan + <usize>componentsScratchBytes(mdp.states) + 7) & ~7;
  const graphBlock = (block + <usize>subMdpBytes(mdp.states, mdp.rows) + 7) & ~7;

  memory.fill(none, 0, words);
  memory.fill(endComponentOf, 0xff, <usize>mdp.states << 2);
  const left = layOutSubMdp(block, mdp, subset, rows, none);
  memory.copy(searched, left.states, words);
  let found: u32 = 0;
  while (true) {
    const graph = subgraph(mdp, searched, left.rows, graphBlock);
    const count = components(graph, searched, order, start, componentOf, tarjan);
    if (count == 0) break;
    memory.copy(before, left.choices, <usize>mdp.states << 2);
    for (let i: u32 = 0; i < u32At(start, count); ++i) takeLeavingRows(left, componentOf, u32At(order, i));
    closeUnderRemoval(left);
    memory.fill(searched, 0, words);
    for (let c: u32 = 0; c < count; ++c) {
      const first = u32At(start, c);
      const last = u32At(start, c + 1);
      if (lostNothing(left, before, order, first, last)) {
        for (let i = first; i < last; ++i) setU32(endComponentOf, u32At(order, i), found);
        ++found;
      } else {
        for (let i = first; i < last; ++i) {
          const s = u32At(order, i);
          if (has(left.states, s)) add(searched, s);
        }
      }
    }
  }
  memory.copy(inside, left.rows, <usize>wordsOf(mdp.rows) << 2);
  return found;
}

/** Takes the rows of a state that may leave its strongly connected component. */
function takeLeavingRows(left: SubMdp, componentOf: usize, s: u32): void {
  const mdp = left.mdp;
  const component = u32At(componentOf, s);
  const groupEnd = u32At(mdp.groupStart, s + 1);
  for (let row = u32At(mdp.groupStart, s); row < groupEnd; ++row) {
    if (!has(left.rows, row)) continue;
    const end = u32At(mdp.rowStart, row + 1);
    for (let e = u32At(mdp.rowStart, row); e < end; ++e) {
      if (u32At(componentOf, u32At(mdp.columns, e)) == component) continue;
      takeRow(left, row);
      break;
    }
  }
}

/** Whether no state of a strongly connected component has fewer rows left than `before`. */
function lostNothing(left: SubMdp, before: usize, order: usize, first: u32, last: u32): bool {
  for (let i = first; i < last; ++i) {
    const s = u32At(order, i);
    if (u32At(left.choices, s) != u32At(before, s)) return false;
  }
  return true;
}
