import type { PositionGraph } from './positionGraph.js';
import { type Barred, shortestWay, type WayStep } from './search.js';

/** A fact that is true at some step of every way. */
export interface Landmark {
  readonly predicate: string;
  readonly value: boolean;
}

/**
 * Finds the facts that no way from one position to another avoids: each way makes them true. Facts that are true at the beginning are left out. The others are
 * listed in the order in which they become true on the given way.
 */
export function landmarks(
  graph: PositionGraph,
  from: number,
  isWanted: (number: number) => boolean,
  way: readonly WayStep[],
): Landmark[] {
  const { model } = graph.foresight;
  const value = (position: number, i: number): boolean => {
    const present = graph.foresight.present(graph.position(position));
    return ((present[i >>> 5] >>> (i & 31)) & 1) === 1;
  };
  const found: Landmark[] = [];
  const seen = new Set<string>();
  const consider = (i: number, isTrue: boolean, barred: Barred): void => {
    const key = `${i} ${isTrue}`;
    if (seen.has(key)) return;
    seen.add(key);
    if (shortestWay(graph, from, isWanted, barred) === null)
      found.push({ predicate: model.predicates[i], value: isTrue });
  };
  for (const { call, to } of way)
    for (const [i, role] of model.roles.entries()) {
      if (role === 'call') {
        if (model.atCall(i, call) === true)
          consider(i, true, { call: (one) => model.atCall(i, one) === true });
      } else if (value(to, i) !== value(from, i)) {
        const isTrue = value(to, i);
        consider(i, isTrue, { position: (one) => value(one, i) === isTrue });
      }
    }
  return found;
}
