import fc from 'fast-check';
import { BitSet, type MdpMatrix, type MdpRewards } from '../../bindings/solvers/kernel/index.js';
import { chainOf } from './chains.js';

/** An MDP from the choices of each state, which are rows of [column, value]. */
export function mdpOf(choices: readonly (readonly (readonly (readonly [number, number])[])[])[]): MdpMatrix {
  const rowGroupStart = new Uint32Array(choices.length + 1);
  for (const [s, rows] of choices.entries()) rowGroupStart[s + 1] = rowGroupStart[s] + rows.length;
  return { rowGroupStart, ...chainOf(choices.flat()) };
}

type Weights = readonly (readonly [state: number, weight: number])[];

/** Weights become probabilities; those of one successor add up; a row without any stays where it is. */
function normalised(weights: Weights, s: number): [number, number][] {
  const sums = new Map<number, number>();
  for (const [t, weight] of weights) if (weight > 0) sums.set(t, (sums.get(t) ?? 0) + weight);
  if (sums.size === 0) sums.set(s, 1);
  const total = [...sums.values()].reduce((sum, weight) => sum + weight);
  return [...sums].sort(([a], [b]) => a - b).map(([t, weight]) => [t, weight / total]);
}

const weight = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 9 }) },
  { weight: 1, arbitrary: fc.double({ min: 1e-3, max: 1, noNaN: true }) },
  { weight: 1, arbitrary: fc.constantFrom(1e-5, 1e-9) },
);

/** Few states with up to three choices of up to three successors, many of them nearby, so that cycles abound. */
const small = fc.integer({ min: 1, max: 7 }).chain((states) => {
  const row = (s: number) =>
    fc
      .array(
        fc.tuple(
          fc.oneof(fc.nat(states - 1), fc.constantFrom(s, (s + 1) % states, (s + states - 1) % states)),
          weight,
        ),
        { maxLength: 3 },
      )
      .map((weights) => normalised(weights, s));
  return fc
    .tuple(...Array.from({ length: states }, (_, s) => fc.array(row(s), { minLength: 1, maxLength: 3 })))
    .map(mdpOf);
});

/** Two rings in which one may stay as long as one likes, and leave to where one likes at a price. */
const rings = fc
  .record({
    size: fc.integer({ min: 1, max: 3 }),
    exits: fc.array(fc.tuple(fc.nat(7), weight), { minLength: 1, maxLength: 6 }),
  })
  .map(({ size, exits }) => {
    const states = 2 * size + 2;
    return mdpOf(
      Array.from({ length: states }, (_, s) => {
        if (s >= 2 * size) return [[[s, 1] as const]];
        const ring = s < size ? 0 : size;
        const around = [[ring + ((s - ring + 1) % size), 1] as const];
        const leaving = exits
          .filter((_, i) => i % (2 * size) === s)
          .map(([t, w]) =>
            normalised(
              [
                [t % states, w],
                [2 * size + (t & 1), 1],
              ],
              s,
            ),
          );
        return [around, ...leaving];
      }),
    );
  });

/** Up to five states with up to three choices, then a goal and a trap, which absorb; where `trapped`, both are entered. */
const contested = (trapped: boolean) =>
  fc
    .record({ inner: fc.integer({ min: 1, max: 5 }), leak: fc.constantFrom(0, 1e-3, 1) })
    .chain(({ inner, leak }) => {
      const [goal, trap] = [inner, inner + 1];
      const inside = fc.tuple(fc.nat(inner - 1), weight);
      const outside = fc.tuple(trapped ? fc.constantFrom(goal, trap) : fc.constant(goal), weight);
      const row = (s: number) =>
        fc
          .tuple(
            fc.array(inside, { minLength: 1, maxLength: 3 }),
            fc.oneof(fc.constant([]), fc.array(outside, { minLength: 1, maxLength: 2 })),
          )
          .map(([stay, leave]) => {
            const leaks = [goal, ...(trapped ? [trap] : [])].map((t) => [t, leak] as const);
            return normalised([...stay, ...leave, ...leaks], s);
          });
      const choices = (s: number) => fc.array(row(s), { minLength: 1, maxLength: 3 });
      return fc
        .tuple(...Array.from({ length: inner }, (_, s) => choices(s)))
        .map((states) => mdpOf([...states, [[[goal, 1]]], [[[trap, 1]]]]));
    });

const setOf = (states: number, mostly: boolean) =>
  fc
    .array(fc.nat(5), { minLength: states, maxLength: states })
    .map((dice) => BitSet.where(states, (s) => (dice[s] === 0) !== mostly));

/** Any states, or the last but one alone: in `rings` and `contested` it absorbs. */
const targetOf = (states: number) =>
  fc.oneof(
    { weight: 1, arbitrary: setOf(states, false) },
    { weight: 2, arbitrary: fc.constant(BitSet.of(states, [Math.max(0, states - 2)])) },
  );

/** An MDP with sets for `remain U target`. */
export const arbitraryMdpUntil: fc.Arbitrary<{ matrix: MdpMatrix; remain: BitSet; target: BitSet }> = fc
  .oneof(
    { weight: 1, arbitrary: small },
    { weight: 1, arbitrary: rings },
    { weight: 4, arbitrary: contested(true) },
  )
  .chain((matrix) => {
    const states = matrix.rowGroupStart.length - 1;
    return fc.record({
      matrix: fc.constant(matrix),
      remain: fc.oneof(
        { weight: 3, arbitrary: fc.constant(BitSet.full(states)) },
        { weight: 1, arbitrary: setOf(states, true) },
      ),
      target: targetOf(states),
    });
  });

const reward = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 5 }) },
  { weight: 1, arbitrary: fc.double({ min: 1e-3, max: 1e3, noNaN: true }) },
);

/** An MDP with rewards and a target. */
export const arbitraryMdpReward: fc.Arbitrary<{
  matrix: MdpMatrix;
  rewards: MdpRewards;
  target: BitSet;
}> = fc.oneof(small, rings, contested(false), contested(false)).chain((matrix) => {
  const states = matrix.rowGroupStart.length - 1;
  const rows = matrix.rowStart.length - 1;
  const vector = (length: number) =>
    fc.array(reward, { minLength: length, maxLength: length }).map((values) => Float64Array.from(values));
  return fc.record({
    matrix: fc.constant(matrix),
    rewards: fc.oneof(
      fc.record({ rows: vector(rows) }),
      fc.record({ states: vector(states) }),
      fc.record({ states: vector(states), rows: vector(rows) }),
    ),
    target: targetOf(states),
  });
});
