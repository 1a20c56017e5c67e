import { type Way, waysFrom } from './layers.js';
import { type Demand, type Edge, START, TupleGraph } from './tupleGraph.js';

/** A finite run of at least one step: the value of every predicate that the rules or the constraints read, step by step. */
export type ComparedTrace = readonly Readonly<Record<string, boolean>>[];

/** The shortest run that meets the demands, with the fewest true predicates among those; null if there is none. */
export function shortestTrace(demands: readonly Demand[], maxTuples?: number): ComparedTrace | null {
  const graph = new TupleGraph(demands, maxTuples);
  const ways = waysFrom(
    [START],
    (vertex) => graph.edges(vertex),
    ({ to }) => to,
    (vertex) => graph.isEnd(vertex),
  );
  let best: Way | null = null;
  for (const [vertex, way] of ways) {
    if (!graph.isEnd(vertex)) continue;
    if (best === null || way.length < best.length || (way.length === best.length && way.trues < best.trues))
      best = way;
  }
  return best && traceOf(edgesTo(best, ways), graph.variables);
}

/** The edges of a way that was found forwards, from its beginning. */
export function edgesTo(way: Way, ways: ReadonlyMap<number, Way>): Edge[] {
  const edges: Edge[] = [];
  for (let edge = way.edge; edge !== null; edge = (ways.get(edge.from) as Way).edge) edges.push(edge);
  return edges.reverse();
}

export function traceOf(edges: readonly Edge[], variables: readonly string[]): ComparedTrace {
  return edges.map(({ trues }) =>
    Object.fromEntries(variables.map((name, variable) => [name, trues.includes(variable)])),
  );
}
