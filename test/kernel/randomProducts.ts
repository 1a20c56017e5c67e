import fc from 'fast-check';
import {
  BitSet,
  type Csr,
  type LabelledChain,
  type ProductSeeds,
} from '../../bindings/solvers/kernel/index.js';
import type { TableAutomaton } from '../oracle/product.js';
import { arbitraryChain } from './randomChains.js';

const WORDS = 2;

/** Bits of valuations that are read or not: at both ends of both words. */
const BITS = [0, 1, 31, 32, 62, 63];

const arbitraryAutomaton: fc.Arbitrary<TableAutomaton> = fc
  .record({ states: fc.integer({ min: 1, max: 4 }), bits: fc.shuffledSubarray(BITS, { maxLength: 3 }) })
  .chain(({ states, bits }) => {
    const perState = <T>(entry: fc.Arbitrary<T>) => fc.array(entry, { minLength: states, maxLength: states });
    return fc.record({
      next: perState(
        fc.array(fc.nat(states - 1), { minLength: 1 << bits.length, maxLength: 1 << bits.length }),
      ),
      bits: fc.constant(bits),
      passes: perState(fc.nat(states - 1)),
      absorbing: perState(fc.constantFrom(0, 0, 0, 0, 1, 2)),
    });
  });

/** A chain without the rows of some states. */
function withoutRows({ rowStart, columns, values }: Csr, without: BitSet): Csr {
  const entries = [...columns.keys()];
  const rows = Array.from({ length: without.size }, (_, s) =>
    without.has(s) ? [] : entries.slice(rowStart[s], rowStart[s + 1]),
  );
  const starts = new Uint32Array(without.size + 1);
  for (const [s, row] of rows.entries()) starts[s + 1] = starts[s] + row.length;
  return {
    rowStart: starts,
    columns: Uint32Array.from(rows.flat(), (e) => columns[e]),
    values: Float64Array.from(rows.flat(), (e) => values[e]),
  };
}

export interface RandomProduct {
  readonly chain: LabelledChain;
  readonly automata: TableAutomaton[];
  readonly seeds: ProductSeeds[];
}

/** A chain with valuations, some of its states unread, absorbing or without a row; one to three automata; seeds. */
export const arbitraryProduct: fc.Arbitrary<RandomProduct> = fc
  .tuple(arbitraryChain, fc.array(arbitraryAutomaton, { minLength: 1, maxLength: 3 }))
  .chain(([matrix, automata]) => {
    const states = matrix.rowStart.length - 1;
    const rare = fc
      .array(fc.nat(7), { minLength: states, maxLength: states })
      .map((dice) => BitSet.where(states, (s) => dice[s] === 0));
    const tuple = fc.tuple(...automata.map(({ next }) => fc.nat(next.length - 1)));
    const seed = fc
      .record({
        states: fc.uniqueArray(fc.nat(states - 1), { minLength: 1, maxLength: 3 }),
        tuples: fc.array(tuple, { minLength: 1, maxLength: 3 }),
      })
      .map(({ states: members, tuples }) => ({ states: BitSet.of(states, members), from: tuples.flat() }));
    return fc.record({
      chain: fc
        .record({
          valuations: fc.array(fc.constantFrom(0, 1, 2, 3, 0x80000000, 0xc0000001, 0x40000000), {
            minLength: states * WORDS,
            maxLength: states * WORDS,
          }),
          unread: rare,
          absorbing: rare,
          without: rare,
        })
        .map(({ valuations, unread, absorbing, without }) => ({
          ...withoutRows(matrix, without),
          words: WORDS,
          valuations: Uint32Array.from(valuations),
          unread,
          absorbing,
        })),
      automata: fc.constant(automata),
      seeds: fc.array(seed, { minLength: 1, maxLength: 2 }),
    });
  });
