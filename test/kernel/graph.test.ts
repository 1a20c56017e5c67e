import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BitSet, type Csr } from '../../bindings/solvers/kernel/index.js';
import { backends } from './backends.js';
import { chainOf, die } from './chains.js';
import { arbitraryChain, arbitraryUntil } from './randomChains.js';

/** `paths[s][t]`: whether a path of any length, 0 included, leads from s to t (Warshall). */
function paths({ rowStart, columns }: Csr): boolean[][] {
  const states = rowStart.length - 1;
  const reach = Array.from({ length: states }, (_, s) => Array.from({ length: states }, (_, t) => s === t));
  for (let s = 0; s < states; s++)
    for (let e = rowStart[s]; e < rowStart[s + 1]; e++) reach[s][columns[e]] = true;
  for (let via = 0; via < states; via++) {
    for (const row of reach) if (row[via]) for (let t = 0; t < states; t++) row[t] ||= reach[via][t];
  }
  return reach;
}

/** The chain whose states outside `remain`, and those of `target`, only stay where they are. */
function stopped(matrix: Csr, remain: BitSet, target: BitSet): Csr {
  const states = matrix.rowStart.length - 1;
  return chainOf(
    Array.from({ length: states }, (_, s): [number, number][] => {
      if (target.has(s) || !remain.has(s)) return [[s, 1]];
      const entries = Array.from(
        { length: matrix.rowStart[s + 1] - matrix.rowStart[s] },
        (_, i) => matrix.rowStart[s] + i,
      );
      return entries.map((e) => [matrix.columns[e], matrix.values[e]]);
    }),
  );
}

describe.each(backends)('%s', (_, kernel) => {
  test('the states reachable from seeds are those with a path from one', () => {
    fc.assert(
      fc.property(arbitraryUntil, ({ matrix, target: seeds }) => {
        using chain = kernel.chain(matrix);
        const reach = paths(matrix);
        const expected = BitSet.where(chain.states, (t) => [...seeds].some((s) => reach[s][t]));
        expect([...chain.reachableFrom(seeds)]).toEqual([...expected]);
      }),
    );
  });

  test('prob0 and prob1 are what paths of the stopped chain say', () => {
    fc.assert(
      fc.property(arbitraryUntil, ({ matrix, remain, target }) => {
        using chain = kernel.chain(matrix);
        const reach = paths(stopped(matrix, remain, target));
        const reaches = (s: number) => [...target].some((t) => reach[s][t]);
        const zero = BitSet.where(chain.states, (s) => !reaches(s));
        const one = BitSet.where(chain.states, (s) =>
          reach[s].every((reachable, t) => !reachable || reaches(t)),
        );
        expect([...chain.prob0(remain, target)]).toEqual([...zero]);
        expect([...chain.prob1(remain, target)]).toEqual([...one]);
        expect([...chain.canReach(remain, target)]).toEqual([...zero.complement()]);
      }),
    );
  });

  test('components are the classes of states that reach each other, successors first', () => {
    fc.assert(
      fc.property(arbitraryChain, (matrix) => {
        using chain = kernel.chain(matrix);
        const reach = paths(matrix);
        const { count, componentOf } = chain.components();
        expect(new Set(componentOf)).toEqual(new Set(Array.from({ length: count }, (_, c) => c)));
        for (let s = 0; s < chain.states; s++) {
          for (let t = 0; t < chain.states; t++) {
            expect(componentOf[s] === componentOf[t]).toBe(reach[s][t] && reach[t][s]);
            if (reach[s][t]) expect(componentOf[t]).toBeLessThanOrEqual(componentOf[s]);
          }
        }
      }),
    );
  });

  test('the die has one cycle on each side and eleven components in all', () => {
    using chain = kernel.chain(die);
    const { count, componentOf } = chain.components();
    expect(count).toBe(11);
    expect(componentOf[1]).toBe(componentOf[3]);
    expect(componentOf[2]).toBe(componentOf[6]);
    expect(componentOf[0]).toBe(10);
  });

  test('a path of 300,000 states overflows no stack', () => {
    const states = 300_000;
    const next = Uint32Array.from({ length: states }, (_, s) => Math.min(s + 1, states - 1));
    using chain = kernel.chain({
      rowStart: Uint32Array.from({ length: states + 1 }, (_, s) => s),
      columns: next,
      values: new Float64Array(states).fill(1),
    });
    expect(chain.components().count).toBe(states);
    expect(chain.reachableFrom(BitSet.of(states, [states - 10])).count()).toBe(10);
  });

  test('a component that counts down to its entries is swept few times, however its states are numbered', () => {
    const [levels, width] = [60, 20];
    const states = levels * width + 2;
    // 701 has no factor in common with the number of states.
    const numberOf = (level: number, i: number) => ((level * width + i) * 701) % (states - 2);
    const rows: [number, number][][] = Array.from({ length: states }, (_, s) => [[s, 1]]);
    for (let level = 0; level < levels; level++) {
      for (let i = 0; i < width; i++) {
        const below = level === 0 ? levels - 1 : level - 1;
        const row: [number, number][] = [
          [numberOf(below, i), 0.5],
          [numberOf(below, (3 * i + 1) % width), 0.46875],
          [numberOf(levels - 1, (7 * i + 2) % width), 0.015625],
          [states - 1 - (i % 2), 0.015625],
        ];
        rows[numberOf(level, i)] = [...new Map(row.map(([t]) => [t, 0])).keys()]
          .sort((a, b) => a - b)
          .map((t) => [t, row.reduce((sum, [to, p]) => (to === t ? sum + p : sum), 0)]);
      }
    }
    using chain = kernel.chain(chainOf(rows));
    const everywhere = BitSet.full(states);
    const target = BitSet.of(states, [states - 1]);
    const { iterations, lower, upper } = chain.until(everywhere, target, { method: 'interval-iteration' });
    expect(lower.every((value, s) => upper[s] - value <= 2e-6)).toBe(true);
    expect(iterations).toBeLessThan(200);
  });
});
