import fc from 'fast-check';
import { BitSet, type Csr } from '../../bindings/solvers/kernel/index.js';
import { chainOf } from './chains.js';

type Weights = readonly (readonly [state: number, weight: number])[];

/** Rows of weights become probabilities; weights of one successor add up; a state without any stays where it is. */
function normalised(rows: readonly Weights[]): Csr {
  return chainOf(
    rows.map((weights, s) => {
      const sums = new Map<number, number>();
      for (const [t, weight] of weights) if (weight > 0) sums.set(t, (sums.get(t) ?? 0) + weight);
      if (sums.size === 0) sums.set(s, 1);
      const total = [...sums.values()].reduce((sum, weight) => sum + weight);
      return [...sums].sort(([a], [b]) => a - b).map(([t, weight]): [number, number] => [t, weight / total]);
    }),
  );
}

const rowsOf = (states: number, row: (s: number) => fc.Arbitrary<Weights>) =>
  fc.tuple(...Array.from({ length: states }, (_, s) => row(s))).map(normalised);

const weight = fc.oneof(fc.integer({ min: 0, max: 9 }), fc.double({ min: 1e-3, max: 1, noNaN: true }));

/** Nearly every state follows every other. */
const dense = fc
  .integer({ min: 1, max: 8 })
  .chain((n) =>
    rowsOf(n, () =>
      fc
        .array(weight, { minLength: n, maxLength: n })
        .map((weights) => weights.map((w, t) => [t, w] as const)),
    ),
  );

/** At most three successors anywhere. */
const sparse = fc
  .integer({ min: 2, max: 16 })
  .chain((n) => rowsOf(n, () => fc.array(fc.tuple(fc.nat(n - 1), weight), { maxLength: 3 })));

/** A birth–death chain with absorbing ends that rarely moves, or drifts away from where it is asked to go. */
const slow = fc
  .record({
    n: fc.integer({ min: 3, max: 14 }),
    up: fc.constantFrom(1, 3, 10, 1e-3),
    move: fc.constantFrom(1, 1e-3, 1e-9),
  })
  .map(({ n, up, move }) =>
    normalised(
      Array.from(
        { length: n },
        (_, s): Weights =>
          s === 0 || s === n - 1
            ? []
            : [
                [s - 1, move],
                [s, 1],
                [s + 1, up * move],
              ],
      ),
    ),
  );

/** Two well-mixed blocks that are left with one in a million or less. */
const nearlyDecomposable = fc
  .record({ n: fc.integer({ min: 2, max: 5 }), bridge: fc.constantFrom(1e-6, 1e-8, 1e-10) })
  .chain(({ n, bridge }) =>
    rowsOf(2 * n + 2, (s) =>
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: n, maxLength: n }).map((weights): Weights => {
        if (s >= 2 * n) return [];
        const block = s < n ? 0 : n;
        const inside = weights.map((w, t) => [block + t, w] as const);
        return [...inside, [n - block, bridge], [2 * n + ((s + block) & 1), bridge * 3]];
      }),
    ),
  );

/** Small cycles one after another. */
const manyComponents = fc
  .record({ blocks: fc.integer({ min: 2, max: 6 }), size: fc.integer({ min: 1, max: 3 }) })
  .chain(({ blocks, size }) =>
    rowsOf(blocks * size + 2, (s) =>
      fc
        .tuple(fc.array(fc.tuple(fc.nat(blocks * size + 1), weight), { maxLength: 2 }), weight)
        .map(([links, back]): Weights => {
          const block = Math.floor(s / size) * size;
          if (block >= blocks * size) return [];
          return [[block + ((s - block + 1) % size), 1 + back], ...links.filter(([t]) => t >= block)];
        }),
    ),
  );

/** Chains of the shapes that solvers find easy and hard. */
export const arbitraryChain: fc.Arbitrary<Csr> = fc.oneof(
  dense,
  sparse,
  slow,
  nearlyDecomposable,
  manyComponents,
);

/** A chain with sets for `remain U target`. */
export const arbitraryUntil: fc.Arbitrary<{ matrix: Csr; remain: BitSet; target: BitSet }> =
  arbitraryChain.chain((matrix) => {
    const states = matrix.rowStart.length - 1;
    const set = (mostly: boolean) =>
      fc
        .array(fc.nat(7), { minLength: states, maxLength: states })
        .map((dice) => BitSet.where(states, (s) => (dice[s] === 0) !== mostly));
    return fc.record({
      matrix: fc.constant(matrix),
      remain: fc.oneof(fc.constant(BitSet.full(states)), set(true)),
      target: set(false),
    });
  });
