import type { Edge } from './tupleGraph.js';

/** The best way to a vertex: the fewest edges first, then the fewest true predicates. */
export interface Way {
  readonly length: number;
  readonly trues: number;
  /** The last edge; null where the way begins. */
  readonly edge: Edge | null;
}

/**
 * Best ways from the vertices `from` to all others, layer by layer: the best way to a vertex of a layer goes through one of the layer before.
 *
 * @param edgesOf the edges to follow from a vertex
 * @param headOf the vertex that an edge is followed to
 * @param isLast Once it holds for a vertex of a layer, no further layer is looked at. Default: never.
 */
export function waysFrom(
  from: Iterable<number>,
  edgesOf: (vertex: number) => Iterable<Edge>,
  headOf: (edge: Edge) => number,
  isLast: (vertex: number) => boolean = () => false,
): Map<number, Way> {
  const ways = new Map<number, Way>();
  let layer = [...from];
  for (const vertex of layer) ways.set(vertex, { length: 0, trues: 0, edge: null });
  for (let length = 1; layer.length > 0 && !layer.some(isLast); length++) {
    const next: number[] = [];
    for (const vertex of layer) {
      const { trues: before } = ways.get(vertex) as Way;
      for (const edge of edgesOf(vertex)) {
        const head = headOf(edge);
        const known = ways.get(head);
        const trues = before + edge.trues.length;
        if (known !== undefined && (known.length < length || known.trues <= trues)) continue;
        if (known === undefined) next.push(head);
        ways.set(head, { length, trues, edge });
      }
    }
    layer = next;
  }
  return ways;
}
