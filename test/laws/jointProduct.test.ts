import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  BitSet,
  type Csr,
  type KernelProduct,
  type LabelledChain,
} from '../../bindings/solvers/kernel/index.js';
import { backends } from '../kernel/backends.js';
import { arbitraryProduct, type RandomProduct } from '../kernel/randomProducts.js';
import { expectBrackets, widest } from '../oracle/brackets.js';
import { ExactChain } from '../oracle/chain.js';
import { diagramOf, productByDefinition, type TabledChain } from '../oracle/product.js';
import { Rational } from '../oracle/rational.js';
import { runs } from './runs.js';

const diagrams = ({ automata }: RandomProduct) => automata.map(diagramOf);

const successors = ({ rowStart, columns }: Csr, s: number) => [
  ...columns.subarray(rowStart[s], rowStart[s + 1]),
];

/** What the entries of a row off the diagonal sum to. */
function leaving({ rowStart, columns, values }: Csr, s: number): Rational {
  let sum = Rational.ZERO;
  for (let e = rowStart[s]; e < rowStart[s + 1]; e++)
    if (columns[e] !== s) sum = sum.plus(Rational.fromDouble(values[e]));
  return sum;
}

/** The states that a chain state moves to: itself where the others leave something of 1. */
function moves(chain: Csr, s: number): number[] {
  const row = successors(chain, s);
  const others = row.filter((t) => t !== s);
  return row.length > 0 && leaving(chain, s).compare(1) < 0 ? [...others, s].sort((a, b) => a - b) : others;
}

/** A chain of multiples of 2^-50, whose self-loops no rounding changes. */
const inFractions = (chain: LabelledChain): LabelledChain => ({
  ...chain,
  values: chain.values.map((p) => Math.max(1, Math.floor(p * 2 ** 50)) * 2 ** -50),
});

/** Automata that never end a product. */
const endless = ({ automata }: RandomProduct) =>
  automata.map((automaton) => diagramOf({ ...automaton, absorbing: automaton.next.map(() => 0) }));

const tabled = (chain: LabelledChain): TabledChain => ({
  rows: Array.from(chain.rowStart.subarray(1), (_, s) => moves(chain, s)),
  holds: (s, bit) => ((chain.valuations[s * chain.words + (bit >>> 5)] >>> (bit & 31)) & 1) === 1,
  unread: (s) => chain.unread?.has(s) ?? false,
  absorbing: (s) => (chain.absorbing?.has(s) ?? false) || successors(chain, s).length === 0,
});

/** The product by its definition, each seed one chain state and one tuple. */
function defined({ chain, automata, seeds }: RandomProduct): Map<string, string[]> {
  const width = automata.length;
  return productByDefinition(
    tabled(chain),
    automata,
    seeds.flatMap(({ states, from }) =>
      [...states].flatMap((state) =>
        Array.from({ length: from.length / width }, (_, i) => ({
          state,
          from: Array.from(from).slice(i * width, (i + 1) * width),
        })),
      ),
    ),
  );
}

/** Whether a double lies within `slack` of a fraction. */
function within(value: number, exact: Rational, slack: Rational): boolean {
  const found = Rational.fromDouble(value);
  return exact.plus(slack).compare(found) >= 0 && found.plus(slack).compare(exact) >= 0;
}

const nameOf = ({ chainState, automatonState }: KernelProduct, node: number) =>
  [chainState[node], ...automatonState.map((states) => states[node])].join();

/** A product as a chain with the valuations of its chain states, to be multiplied again. */
function labelled(chain: LabelledChain, { chainState, matrix }: KernelProduct): LabelledChain {
  const { unread, absorbing } = tabled(chain);
  const lifted = (holds: (s: number) => boolean) =>
    BitSet.where(chainState.length, (node) => holds(chainState[node]));
  return {
    ...(matrix as Csr),
    words: chain.words,
    valuations: Uint32Array.from(
      { length: chainState.length * chain.words },
      (_, i) => chain.valuations[chainState[Math.floor(i / chain.words)] * chain.words + (i % chain.words)],
    ),
    unread: lifted(unread),
    absorbing: lifted(absorbing),
  };
}

describe.each(backends)('%s', (_, kernel) => {
  test('a product is what its definition says: the same states, and each with the same successors', () => {
    fc.assert(
      fc.property(arbitraryProduct, (random) => {
        using product = kernel.product(random.chain, diagrams(random), random.seeds, { withMatrix: true });
        const { chainState, matrix } = product;
        const names = Array.from(chainState, (_, node) => nameOf(product, node));
        const expected = defined(random);
        expect(names.toSorted()).toEqual([...expected.keys()].sort());
        for (const [node, name] of names.entries()) {
          const row = successors(matrix as Csr, node);
          expect(row.map((successor) => names[successor])).toEqual(expected.get(name));
          const [s, ...tuple] = name.split(',').map(Number);
          expect(product.find(s, tuple)).toBe(node);
        }
        expect(product.chain.states).toBe(names.length);
        expect(product.chain.transitions).toBe(matrix?.columns.length);
      }),
      { numRuns: runs(150) },
    );
  });

  test('projected to the states of the chain, rows are those of the chain', () => {
    fc.assert(
      fc.property(arbitraryProduct, (random) => {
        const { absorbing: _, ...chain } = random.chain;
        using product = kernel.product(chain, endless(random), random.seeds, { withMatrix: true });
        const { rowStart, columns, values } = product.matrix as Csr;
        for (const [node, s] of product.chainState.entries()) {
          const row = [...columns.keys()].slice(rowStart[node], rowStart[node + 1]);
          const chainRow = [...chain.columns.keys()].slice(chain.rowStart[s], chain.rowStart[s + 1]);
          if (chainRow.length === 0) {
            expect(row.map((e) => [columns[e], values[e]])).toEqual([[node, 1]]);
            continue;
          }
          const expected = moves(chain, s);
          expect(row.map((e) => product.chainState[columns[e]])).toEqual(expected);
          expect(row.every((e, i) => i === 0 || columns[e - 1] < columns[e])).toBe(true);
          const given = new Map(chainRow.map((e) => [chain.columns[e], chain.values[e]]));
          for (const [i, t] of expected.entries()) {
            if (t !== s) expect(values[row[i]]).toBe(given.get(t));
            else {
              const rest = Rational.ONE.minus(leaving(chain, s));
              // One rounding.
              expect(within(values[row[i]], rest, rest.times(Rational.fromDouble(2 ** -53)))).toBe(true);
            }
          }
        }
      }),
      { numRuns: runs(60) },
    );
  });

  test('many automata at once are one after the other', () => {
    fc.assert(
      fc.property(arbitraryProduct, (random) => {
        const { automata } = random;
        const chain = inFractions(random.chain);
        const diagrams = endless(random);
        const [{ states, from }] = random.seeds;
        const [s] = states;
        const tuple = Array.from(from).slice(0, automata.length);
        using joint = kernel.product(
          chain,
          diagrams,
          [{ states: BitSet.of(states.size, [s]), from: tuple }],
          {
            withMatrix: true,
          },
        );

        let base: LabelledChain = chain;
        let seed = s;
        let chainState = Uint32Array.from({ length: states.size }, (_, t) => t);
        let parts: Uint32Array[] = [];
        for (const [i, diagram] of diagrams.entries()) {
          const seeds = [{ states: BitSet.of(base.rowStart.length - 1, [seed]), from: [tuple[i]] }];
          using product = kernel.product(base, [diagram], seeds, { withMatrix: true });
          const through = (values: Uint32Array) => product.chainState.map((node) => values[node]);
          const after = productByDefinition(tabled(base), [automata[i]], [{ state: seed, from: [tuple[i]] }]);
          const [, q] = [...after.keys()][0].split(',').map(Number);
          base = labelled(base, product);
          seed = product.find(seed, [q]);
          chainState = through(chainState);
          parts = [...parts.map(through), product.automatonState[0]];
        }
        expect(joint.chainState).toEqual(chainState);
        expect(joint.automatonState).toEqual(parts);
        const { rowStart, columns, values } = base;
        expect(joint.matrix).toEqual({ rowStart, columns, values });
      }),
      { numRuns: runs(100) },
    );
  });

  test('beside others, an automaton comes to its states as it does alone', () => {
    fc.assert(
      fc.property(arbitraryProduct, fc.nat(3), (random, q) => {
        const { chain, automata, seeds } = random;
        const [first, ...others] = endless(random);
        const own = seeds.map(({ states, from }) => ({
          states,
          from: Array.from(from).filter((_, i) => i % automata.length === 0),
        }));
        using joint = kernel.product(chain, [first, ...others], seeds);
        using single = kernel.product(chain, [first], own);
        const [all, alone] = [joint, single].map(({ chain: held, automatonState: [states] }) =>
          held.until(
            BitSet.full(held.states),
            BitSet.where(held.states, (node) => states[node] === q),
          ),
        );
        for (const [node, s] of joint.chainState.entries()) {
          const place = single.find(s, [joint.automatonState[0][node]]);
          expect(place).toBeGreaterThanOrEqual(0);
          expect(all.lower[node]).toBeLessThanOrEqual(alone.upper[place]);
          expect(alone.lower[place]).toBeLessThanOrEqual(all.upper[node]);
        }
      }),
      { numRuns: runs(60) },
    );
  });

  test('the probability to come to a state of an automaton brackets the exact one', () => {
    fc.assert(
      fc.property(arbitraryProduct, fc.nat(3), (random, q) => {
        using product = kernel.product(random.chain, diagrams(random), random.seeds, { withMatrix: true });
        const { states } = product.chain;
        fc.pre(states <= 60);
        const target = BitSet.where(states, (node) => product.automatonState[0][node] === q);
        const solution = product.chain.until(BitSet.full(states), target);
        expectBrackets(solution, new ExactChain(product.matrix as Csr).until(BitSet.full(states), target));
        expect(widest(solution)).toBeLessThanOrEqual(2e-6);
      }),
      { numRuns: runs(60) },
    );
  });
});

test('both backends build the same product, number by number', () => {
  fc.assert(
    fc.property(arbitraryProduct, (random) => {
      const [one, other] = backends.map(([, kernel]) => {
        using product = kernel.product(random.chain, diagrams(random), random.seeds, { withMatrix: true });
        return { matrix: product.matrix, chainState: product.chainState, parts: product.automatonState };
      });
      expect(one).toEqual(other);
    }),
    { numRuns: runs(150) },
  );
});
