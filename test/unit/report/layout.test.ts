import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { layOut } from '../../../bindings/study/report/layout.js';

const options = { nodeWidth: 100, nodeHeight: 40, nodeGap: 10, layerGap: 30 };

/** Graphs with cycles, self-loops and several edges between the same nodes. */
const graph = fc.integer({ min: 1, max: 14 }).chain((nodes) => {
  const node = fc.nat(nodes - 1);
  return fc.tuple(fc.constant(nodes), fc.array(fc.record({ from: node, to: node }), { maxLength: 40 }));
});

describe('the layout', () => {
  it('never lets two nodes overlap, and keeps all of them inside', () => {
    fc.assert(
      fc.property(graph, ([nodes, edges]) => {
        const layout = layOut(nodes, edges, options);
        expect(layout.nodes).toHaveLength(nodes);
        layout.nodes.forEach((a, i) => {
          expect(a.x - 50).toBeGreaterThanOrEqual(-1e-6);
          expect(a.x + 50).toBeLessThanOrEqual(layout.width + 1e-6);
          expect(a.y - 20).toBeGreaterThanOrEqual(-1e-6);
          expect(a.y + 20).toBeLessThanOrEqual(layout.height + 1e-6);
          for (const b of layout.nodes.slice(i + 1)) {
            expect(Math.abs(a.x - b.x) >= 110 - 1e-6 || Math.abs(a.y - b.y) >= 70 - 1e-6).toBe(true);
          }
        });
      }),
    );
  });

  it('draws every edge from its source to its target; only self-loops have no path', () => {
    fc.assert(
      fc.property(graph, ([nodes, edges]) => {
        const layout = layOut(nodes, edges, options);
        expect(layout.edges).toHaveLength(edges.length);
        edges.forEach(({ from, to }, e) => {
          const path = layout.edges[e];
          if (from === to) expect(path).toEqual([]);
          else expect([path[0], path.at(-1)]).toEqual([layout.nodes[from], layout.nodes[to]]);
        });
      }),
    );
  });

  it('leads every edge of a graph without cycles downwards', () => {
    fc.assert(
      fc.property(graph, ([nodes, edges]) => {
        const down = edges.filter(({ from, to }) => from < to);
        const layout = layOut(nodes, down, options);
        for (const { from, to } of down) expect(layout.nodes[from].y).toBeLessThan(layout.nodes[to].y);
      }),
    );
  });
});
