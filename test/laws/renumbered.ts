import fc from 'fast-check';
import type { BitSet, Csr } from '../../bindings/solvers/kernel/index.js';
import { chainOf } from '../kernel/chains.js';

/** Problems with other numbers for their states: state s is called `to[s]`. */
export function withOrder<T extends { readonly target: BitSet }>(
  problems: fc.Arbitrary<T>,
): fc.Arbitrary<{ problem: T; to: number[] }> {
  return problems.chain((problem) => {
    const states = Array.from({ length: problem.target.size }, (_, s) => s);
    return fc.record({
      problem: fc.constant(problem),
      to: fc.shuffledSubarray(states, { minLength: states.length }),
    });
  });
}

/** The same chain with state s called `to[s]`. */
export function renumbered({ rowStart, columns, values }: Csr, to: readonly number[]): Csr {
  const rows: [number, number][][] = to.map(() => []);
  for (const [s, name] of to.entries()) {
    for (let e = rowStart[s]; e < rowStart[s + 1]; e++) rows[name].push([to[columns[e]], values[e]]);
    rows[name].sort(([a], [b]) => a - b);
  }
  return chainOf(rows);
}
