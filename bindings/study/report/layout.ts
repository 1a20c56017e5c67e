/** A place in the drawing, in pixels from the top left. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Layout {
  /** Centres of the nodes, in their order. */
  readonly nodes: readonly Point[];
  /** The points of each edge, from its source to its target; a self-loop has none. */
  readonly edges: readonly (readonly Point[])[];
  readonly width: number;
  readonly height: number;
}

export interface LayoutOptions {
  readonly nodeWidth: number;
  readonly nodeHeight: number;
  readonly nodeGap: number;
  readonly layerGap: number;
}

interface Edge {
  readonly from: number;
  readonly to: number;
}

/** Width reserved for a long edge that passes a layer. */
const passWidth = 22;

/**
 * A layered drawing of a directed graph, from the top down: cycles are broken along a depth-first search from node 0, layers are longest
 * paths, long edges pass intermediate layers at dummy nodes, orders within layers follow barycentres, and abscissas move towards the mean
 * of the neighbours as far as the order allows.
 *
 * @see K. Sugiyama, S. Tagawa, M. Toda, Methods for visual understanding of hierarchical system structures, 1981,
 * doi:10.1109/TSMC.1981.4308636
 */
export function layOut(nodes: number, edges: readonly Edge[], options: LayoutOptions): Layout {
  const isBack = backEdges(nodes, edges);
  const down = edges.map(({ from, to }, e) => (isBack[e] ? { from: to, to: from } : { from, to }));
  const layerOf = longestPaths(
    nodes,
    down.filter(({ from, to }) => from !== to),
  );

  // Long edges are split at dummy nodes, numbered from `nodes` on.
  const chains = down.map(({ from, to }) => {
    const chain = [from];
    for (let layer = layerOf[from] + 1; layer < layerOf[to]; layer++) chain.push(layerOf.push(layer) - 1);
    if (from !== to) chain.push(to);
    return chain;
  });
  const places = layerOf.length;
  const above: number[][] = Array.from({ length: places }, () => []);
  const below: number[][] = Array.from({ length: places }, () => []);
  for (const chain of chains) {
    for (let i = 1; i < chain.length; i++) {
      below[chain[i - 1]].push(chain[i]);
      above[chain[i]].push(chain[i - 1]);
    }
  }
  const layers: number[][] = Array.from({ length: Math.max(...layerOf) + 1 }, () => []);
  for (let place = 0; place < places; place++) layers[layerOf[place]].push(place);

  order(layers, above, below);
  const width = (place: number): number => (place < nodes ? options.nodeWidth + options.nodeGap : passWidth);
  const x = abscissas(layers, above, below, width);

  const left = Math.min(...x.map((centre, place) => centre - width(place) / 2));
  const right = Math.max(...x.map((centre, place) => centre + width(place) / 2));
  const pitch = options.nodeHeight + options.layerGap;
  const points = x.map((centre, place) => ({
    x: centre - left,
    y: layerOf[place] * pitch + options.nodeHeight / 2,
  }));
  return {
    nodes: points.slice(0, nodes),
    edges: chains.map((chain, e) => {
      if (chain.length === 1) return [];
      const path = chain.map((place) => points[place]);
      return isBack[e] ? path.reverse() : path;
    }),
    width: right - left,
    height: (layers.length - 1) * pitch + options.nodeHeight,
  };
}

/** Edges that lead back to an ancestor in a depth-first search from node 0 (then from the others). */
function backEdges(nodes: number, edges: readonly Edge[]): boolean[] {
  const outgoing: number[][] = Array.from({ length: nodes }, () => []);
  edges.forEach(({ from }, e) => {
    outgoing[from].push(e);
  });
  const isBack = edges.map(() => false);
  const status = new Uint8Array(nodes);
  for (let root = 0; root < nodes; root++) {
    if (status[root] !== 0) continue;
    const path = [{ node: root, next: 0 }];
    status[root] = 1;
    while (path.length > 0) {
      const top = path[path.length - 1];
      if (top.next === outgoing[top.node].length) {
        status[top.node] = 2;
        path.pop();
        continue;
      }
      const e = outgoing[top.node][top.next++];
      const { from, to } = edges[e];
      if (status[to] === 1) isBack[e] = from !== to;
      else if (status[to] === 0) {
        status[to] = 1;
        path.push({ node: to, next: 0 });
      }
    }
  }
  return isBack;
}

/** Length of the longest path to each node of an acyclic graph. */
function longestPaths(nodes: number, edges: readonly Edge[]): number[] {
  const depth = new Array<number>(nodes).fill(0);
  for (let round = 0; round < nodes; round++) {
    let changed = false;
    for (const { from, to } of edges) {
      if (depth[to] > depth[from]) continue;
      depth[to] = depth[from] + 1;
      changed = true;
    }
    if (!changed) break;
  }
  return depth;
}

/** Sorts layers by the mean position of their neighbours, downwards and upwards in turn. */
function order(layers: number[][], above: readonly number[][], below: readonly number[][]): void {
  const position = new Map<number, number>();
  const note = (layer: readonly number[]): void =>
    layer.forEach((place, i) => {
      position.set(place, (i + 0.5) / layer.length);
    });
  layers.forEach(note);
  for (let sweep = 0; sweep < 24; sweep++) {
    const neighbours = sweep % 2 === 0 ? above : below;
    for (const layer of sweep % 2 === 0 ? layers : [...layers].reverse()) {
      const key = new Map(
        layer.map((place) => [
          place,
          mean(neighbours[place], (other) => position.get(other)!) ?? position.get(place)!,
        ]),
      );
      layer.sort((a, b) => key.get(a)! - key.get(b)!);
      note(layer);
    }
  }
}

function abscissas(
  layers: readonly number[][],
  above: readonly number[][],
  below: readonly number[][],
  width: (place: number) => number,
): number[] {
  const x: number[] = [];
  for (const layer of layers) {
    let edge = -layer.reduce((sum, place) => sum + width(place), 0) / 2;
    for (const place of layer) {
      x[place] = edge + width(place) / 2;
      edge += width(place);
    }
  }
  for (let sweep = 0; sweep < 24; sweep++) {
    for (const layer of sweep % 2 === 0 ? layers : [...layers].reverse()) {
      const wanted = layer.map(
        (place) => mean([...above[place], ...below[place]], (other) => x[other]) ?? x[place],
      );
      separated(wanted, layer.map(width)).forEach((centre, i) => {
        x[layer[i]] = centre;
      });
    }
  }
  return x;
}

/** The positions nearest (least squares) to the wanted ones that keep order and distance, by pool adjacent violators. */
function separated(wanted: readonly number[], widths: readonly number[]): number[] {
  const offsets: number[] = [];
  let offset = 0;
  widths.forEach((width, i) => {
    offset += i === 0 ? 0 : (widths[i - 1] + width) / 2;
    offsets.push(offset);
  });
  const pools: { sum: number; size: number }[] = [];
  wanted.forEach((position, i) => {
    let pool = { sum: position - offsets[i], size: 1 };
    for (let last = pools.at(-1); last && last.sum / last.size >= pool.sum / pool.size; last = pools.at(-1)) {
      pools.pop();
      pool = { sum: pool.sum + last.sum, size: pool.size + last.size };
    }
    pools.push(pool);
  });
  return pools
    .flatMap(({ sum, size }) => new Array<number>(size).fill(sum / size))
    .map((shift, i) => shift + offsets[i]);
}

function mean(places: readonly number[], value: (place: number) => number): number | undefined {
  if (places.length === 0) return undefined;
  return places.reduce((sum, place) => sum + value(place), 0) / places.length;
}
