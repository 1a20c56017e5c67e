import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Graph } from '../../../../bindings/solvers/checker/quantities/graph.js';
import { BitSet } from '../../../../bindings/solvers/kernel/index.js';

/** Edges of up to eight states, at least one from each, some of them split into rows, and two sets. */
const problems = fc.integer({ min: 1, max: 8 }).chain((states) =>
  fc.record({
    edges: fc.array(fc.uniqueArray(fc.nat(states - 1), { minLength: 1, maxLength: 4 }), {
      minLength: states,
      maxLength: states,
    }),
    oneRow: fc.boolean(),
    remain: fc.array(fc.nat(states - 1)).map((members) => BitSet.of(states, members)),
    target: fc.array(fc.nat(states - 1), { maxLength: 3 }).map((members) => BitSet.of(states, members)),
  }),
);

function graphOf(edges: readonly (readonly number[])[], oneRow: boolean): Graph {
  const starts = Uint32Array.from({ length: edges.length + 1 }, (_, s) => edges.slice(0, s).flat().length);
  const columns = Uint32Array.from(edges.flat());
  // One row a state, or one row an edge.
  return oneRow
    ? new Graph({ rowStart: starts, columns })
    : new Graph({
        rowStart: Uint32Array.from({ length: columns.length + 1 }, (_, e) => e),
        columns,
        rowGroupStart: starts,
      });
}

/** Applies `step` to a set until it changes nothing. */
function fixpoint(start: BitSet, step: (set: BitSet) => BitSet): BitSet {
  const next = step(start);
  return next.equals(start) ? start : fixpoint(next, step);
}

test('the existential operators are the fixpoints that define them', () => {
  fc.assert(
    fc.property(problems, ({ edges, oneRow, remain, target }) => {
      const graph = graphOf(edges, oneRow);
      const before = (set: BitSet) => BitSet.where(set.size, (s) => edges[s].some((t) => set.has(t)));
      expect([...graph.existsNext(target)]).toEqual([...before(target)]);
      const least = fixpoint(target, (set) => set.union(remain.intersection(before(set))));
      expect([...graph.existsUntil(remain, target)]).toEqual([...least]);
      const greatest = fixpoint(remain, (set) => set.intersection(before(set)));
      expect([...graph.existsGlobally(remain)]).toEqual([...greatest]);
    }),
  );
});
