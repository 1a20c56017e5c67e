import { BitSet } from '../../../bindings/solvers/kernel/bitSet.js';
import { NO_COMPONENT } from '../../../bindings/solvers/kernel/components.js';
import type { Components } from '../../../bindings/solvers/kernel/types/index.js';
import type { ReferenceChain } from './chain.js';

export function reachableFrom(chain: ReferenceChain, seeds: BitSet): BitSet {
  const reached = seeds.clone();
  const frontier = [...seeds];
  for (let s = frontier.pop(); s !== undefined; s = frontier.pop()) {
    for (let e = chain.rowStart[s]; e < chain.rowStart[s + 1]; e++) {
      const t = chain.columns[e];
      if (reached.has(t)) continue;
      reached.add(t);
      frontier.push(t);
    }
  }
  return reached;
}

export function canReach(chain: ReferenceChain, remain: BitSet, target: BitSet): BitSet {
  const reached = target.clone();
  const frontier = [...target];
  for (let t = frontier.pop(); t !== undefined; t = frontier.pop()) {
    for (const s of chain.predecessors[t]) {
      if (reached.has(s) || !remain.has(s)) continue;
      reached.add(s);
      frontier.push(s);
    }
  }
  return reached;
}

export function prob0(chain: ReferenceChain, remain: BitSet, target: BitSet): BitSet {
  return canReach(chain, remain, target).complement();
}

export function prob1(chain: ReferenceChain, remain: BitSet, target: BitSet): BitSet {
  return canReach(chain, remain.difference(target), prob0(chain, remain, target)).complement();
}

/**
 * Strongly connected components of the subgraph on `subset`, successors first, by two depth-first searches (Kosaraju):
 * deliberately not the algorithm of assembly/graph/scc.ts. Members are in the order in which the first search finished them.
 */
export function components(chain: ReferenceChain, subset: BitSet): number[][] {
  const finished: number[] = [];
  const seen = new BitSet(chain.states);
  for (const root of subset) {
    if (seen.has(root)) continue;
    seen.add(root);
    const path = [{ state: root, entry: chain.rowStart[root] }];
    while (path.length > 0) {
      const top = path[path.length - 1];
      if (top.entry === chain.rowStart[top.state + 1]) {
        finished.push(top.state);
        path.pop();
        continue;
      }
      const t = chain.columns[top.entry++];
      if (!subset.has(t) || seen.has(t)) continue;
      seen.add(t);
      path.push({ state: t, entry: chain.rowStart[t] });
    }
  }

  // In descending order of finishing, a backward search stays within one component: those before it are used up already.
  const position = new Map(finished.map((s, i) => [s, i]));
  const found: number[][] = [];
  const remaining = subset.clone();
  for (const root of finished.toReversed()) {
    if (!remaining.has(root)) continue;
    remaining.delete(root);
    const members = [root];
    for (let i = 0; i < members.length; i++) {
      for (const s of chain.predecessors[members[i]]) {
        if (!remaining.has(s)) continue;
        remaining.delete(s);
        members.push(s);
      }
    }
    found.push(members.sort((a, b) => position.get(a)! - position.get(b)!));
  }
  return found.reverse();
}

/** States reachable from `seeds`, all of them in `through`, without leaving `through`. */
export function reachableThrough(chain: ReferenceChain, through: BitSet, seeds: BitSet): BitSet {
  const reached = seeds.clone();
  const frontier = [...seeds];
  for (let s = frontier.pop(); s !== undefined; s = frontier.pop()) {
    for (let e = chain.rowStart[s]; e < chain.rowStart[s + 1]; e++) {
      const t = chain.columns[e];
      if (reached.has(t) || !through.has(t)) continue;
      reached.add(t);
      frontier.push(t);
    }
  }
  return reached;
}

/** The components of all states that no transition leaves, as `componentOf` with NO_COMPONENT elsewhere. */
export function bottomComponents(chain: ReferenceChain): Components {
  const componentOf = new Uint32Array(chain.states).fill(NO_COMPONENT);
  let count = 0;
  for (const members of components(chain, BitSet.full(chain.states))) {
    const inside = new Set(members);
    const successors = members.flatMap((s) => [
      ...chain.columns.subarray(chain.rowStart[s], chain.rowStart[s + 1]),
    ]);
    if (!successors.every((t) => inside.has(t))) continue;
    for (const s of members) componentOf[s] = count;
    count++;
  }
  return { count, componentOf };
}
