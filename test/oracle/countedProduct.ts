import type { Csr } from '../../bindings/solvers/kernel/index.js';
import { ExactChain } from './chain.js';
import type { Rational } from './rational.js';

/** A chain with a number beside its states: how many states with a property a path has been in, up to one more than `most`. */
export interface CountedProduct {
  readonly chain: ExactChain;
  /** The state in which the number has exceeded `most`. */
  readonly exceeded: number;
  /** A state with the number after it was counted. */
  indexOf(state: number, count: number): number;
}

/** The product by hand, without any automaton. @param counts whether a state adds one; the last state of the chain is its end, which adds nothing */
export function countedProduct(
  matrix: Csr | readonly ReadonlyMap<number, Rational>[],
  counts: (state: number) => boolean,
  most: number,
): CountedProduct {
  const { rows, states } = new ExactChain(matrix);
  const width = most + 1;
  const exceeded = states * width;
  const indexOf = (state: number, count: number): number => (count > most ? exceeded : state * width + count);
  const all: Map<number, Rational>[] = [];
  for (let s = 0; s < states; s++) {
    for (let count = 0; count <= most; count++) {
      const row = new Map<number, Rational>();
      for (const [t, p] of rows[s]) {
        const next = indexOf(t, count + Number(counts(t)));
        row.set(next, row.get(next)?.plus(p) ?? p);
      }
      all.push(row);
    }
  }
  all.push(new Map());
  return { chain: new ExactChain(all), exceeded, indexOf };
}
