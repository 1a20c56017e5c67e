import { describe, expect, test } from 'vitest';
import { BitSet, type Csr, type Solution } from '../../bindings/solvers/kernel/index.js';
import { Rational } from '../oracle/rational.js';
import { backends } from './backends.js';
import { chainOf } from './chains.js';

/** Half the distance from 1 to the next double. */
const UNIT = new Rational(1n, 2n ** 53n);

/** Asserts that bounds are at least `units` roundings away from a value, on both sides and relative to it. */
function expectRoom({ lower, upper }: Solution, state: number, value: Rational, units: Rational): void {
  const room = value.times(units).times(UNIT);
  expect(value.minus(room).compare(lower[state])).toBeGreaterThan(0);
  expect(value.plus(room).compare(upper[state])).toBeLessThan(0);
}

/** State 0 moves to each of the states 2 to 2k with equal probability, except that state 1 takes what is left of 1. */
function fan(k: number): Csr {
  const share = 2 ** -Math.ceil(Math.log2(k + 1));
  return chainOf([
    [[1, 1 - (k - 1) * share], ...Array.from({ length: k - 1 }, (_, i): [number, number] => [i + 2, share])],
    ...Array.from({ length: k }, (_, i): [number, number][] => [[i + 1, 1]]),
  ]);
}

// These numbers are exact in any order of computing, so whatever distance the bounds keep is what they leave for rounding.
describe.each(backends)('%s', (_, kernel) => {
  test.each([2, 3, 4, 5, 6, 7, 8, 30, 63])(
    'bounds leave room for all roundings of a row of %d entries',
    (k) => {
      using chain = kernel.chain(fan(k));
      const target = BitSet.of(k + 1, [1]);
      const value = Rational.ONE.minus(
        new Rational(BigInt(k - 1), 2n ** BigInt(Math.ceil(Math.log2(k + 1)))),
      );
      // k products, k - 1 sums of them, of exit, and a division are at most k + 3 roundings in a row.
      const units = new Rational(BigInt(2 * k + 7), 2n);
      expectRoom(chain.until(BitSet.full(k + 1), target), 0, value, units);
      expectRoom(chain.boundedUntil(BitSet.full(k + 1), target, 1), 0, value, units);
      expectRoom(chain.next(target), 0, value, units);
      using mdp = kernel.mdp({
        ...fan(k),
        rowGroupStart: Uint32Array.from({ length: k + 2 }, (_, s) => s),
      });
      expectRoom(mdp.until('max', BitSet.full(k + 1), target), 0, value, units);
      expectRoom(mdp.next('min', target), 0, value, units);
      // Here what is gained and what is left are sums of their own.
      const { values, ...graph } = fan(k);
      using intervals = kernel.intervalChain({ ...graph, lower: values, upper: values });
      const twice = new Rational(BigInt(2 * k + 6), 1n);
      expectRoom(intervals.until(BitSet.full(k + 1), target, 'max'), 0, value, twice);
      expectRoom(intervals.next(target, 'min'), 0, value, twice);
    },
  );

  test('bounds leave room for all roundings of a matrix that is eliminated', () => {
    const n = 64;
    using chain = kernel.chain(
      chainOf([
        ...Array.from({ length: n }, (_, s): [number, number][] => [
          ...Array.from({ length: n }, (_, t): [number, number] => [t, 2 ** -8]).filter(([t]) => t !== s),
          [n, 193 / 512],
          [n + 1, 193 / 512],
        ]),
        [[n, 1]],
        [[n + 1, 1]],
      ]),
    );
    const solution = chain.until(BitSet.full(n + 2), BitSet.of(n + 2, [n]), { method: 'elimination' });
    // A state whose k predecessors are its k successors moves the solution by 2k(k + 3) units when it is censored.
    const units = Array.from({ length: n }, (_, k) => 2 * k * (k + 3)).reduce((sum, more) => sum + more);
    for (let s = 0; s < n; s++)
      expectRoom(solution, s, new Rational(1n, 2n), new Rational(BigInt(units), 1n));
  });

  test('bounds leave room for the roundings of what a row earns that sums to more than 1', () => {
    using mdp = kernel.mdp({
      rowGroupStart: Uint32Array.of(0, 1, 2, 3),
      rowStart: Uint32Array.of(0, 2, 3, 4),
      columns: Uint32Array.of(1, 2, 1, 2),
      values: Float64Array.of(0.5, 0.5 + 2 ** -30, 1, 1),
    });
    const rewards = { rows: Float64Array.of(1, 0, 0) };
    // Three terms as of any row, and their sum, which the reward is multiplied by.
    const units = new Rational(9n);
    expectRoom(mdp.reachabilityReward('max', rewards, BitSet.of(3, [1, 2])), 0, Rational.ONE, units);
  });

  test('bounds leave room for the roundings of the mass that is moved in an interval row', () => {
    // From 0 to the target 1 with 1/4 to 1/2, to 2 with the rest: a maximum of 1/2 moves 1/4.
    using chain = kernel.intervalChain({
      rowStart: Uint32Array.of(0, 2, 3, 4),
      columns: Uint32Array.of(1, 2, 1, 2),
      lower: Float64Array.of(0.25, 0.5, 1, 1),
      upper: Float64Array.of(0.5, 0.75, 1, 1),
    });
    const target = BitSet.of(3, [1]);
    // Mass is off by 33 (k + 2) (E + T) roundings; with E = 1 and T = 1/4 that is this much of the gain, and of the mass that leaves.
    const units = new Rational(33n * 4n * 11n, 4n);
    expectRoom(chain.next(target, 'max'), 0, new Rational(1n, 2n), units);
    expectRoom(chain.until(BitSet.full(3), target, 'max'), 0, new Rational(1n, 2n), units);
  });

  test.each([2, 3, 8, 30, 63])('bounds leave room for all roundings of what %d moves earn', (k) => {
    using chain = kernel.chain(fan(k));
    const transitions = { ...fan(k), values: new Float64Array(2 * k).fill(1) };
    // Each move is a product and a sum, once where its reward is counted and once in the step itself.
    const units = new Rational(BigInt(2 * k + 4), 1n);
    expectRoom(chain.cumulativeReward({ transitions }, 1), 0, Rational.ONE, units);
  });

  test('rewards, visits and shares of the long run leave room for all roundings of their longest sum', () => {
    const k = 127;
    const [start, meeting, end] = [0, k + 1, k + 2];
    const share = 1 / 128;
    // The start leads to each of 1 to k, these to a state where they meet, and that to the end or, looped, to itself.
    const chainTo = (last: number): Csr =>
      chainOf([
        [
          [1, 1 - (k - 1) * share],
          ...Array.from({ length: k - 1 }, (_, i): [number, number] => [i + 2, share]),
        ],
        ...Array.from({ length: k }, (): [number, number][] => [[meeting, 1]]),
        [[last, 1]],
        [[end, 1]],
      ]);
    using chain = kernel.chain(chainTo(end));
    using looped = kernel.chain(chainTo(meeting));
    const only = (s: number) => Float64Array.from({ length: end + 1 }, (_, t) => Number(s === t));
    const within = BitSet.of(end + 1, [end]).complement();
    const units = new Rational(BigInt(2 * k + 7), 2n);
    expectRoom(chain.totalReward({ states: only(1) }), start, new Rational(2n, 128n), units);
    expectRoom(chain.visitsFrom(only(start), { within }), meeting, Rational.ONE, units);
    expectRoom(looped.steadyState(only(start)), meeting, Rational.ONE, units);
  });

  test.each([0, 1])(
    'elimination leaves room for the roundings of its longest row, that of state %d',
    (hub) => {
      const exits = 120;
      const share = 1 / 256;
      const other = 1 - hub;
      const rows = Array.from({ length: exits + 2 }, (_, s): [number, number][] => [[s, 1]]);
      rows[hub] = [
        [other, 1 - exits * share],
        ...Array.from({ length: exits }, (_, i): [number, number] => [i + 2, share]),
      ];
      rows[other] = [
        [hub, 0.5],
        [2, 0.5],
      ];
      using chain = kernel.chain(chainOf(rows));
      const { lower, upper } = chain.until(BitSet.full(exits + 2), BitSet.of(exits + 2, [2]), {
        method: 'elimination',
      });
      for (const s of [0, 1]) {
        // A solution is a quotient of sums of products with one factor for each state, and the hub's is rounded at each exit.
        expect(upper[s] / lower[s] - 1).toBeGreaterThan(2 * 2 * exits * 2 ** -53);
        expect(upper[s] / lower[s] - 1).toBeLessThan(1e-12);
      }
    },
  );

  test.each([2, 8, 32])(
    'elimination leaves room for the roundings of %d states that all lead to each other',
    (n) => {
      const rows = Array.from({ length: n + 2 }, (_, s): [number, number][] =>
        s >= n
          ? [[s, 1]]
          : [
              ...Array.from({ length: n }, (_, t): [number, number] => [t, 0.5 / n]),
              [n, 0.125],
              [n + 1, 0.375],
            ],
      );
      using chain = kernel.chain(chainOf(rows));
      const { lower, upper } = chain.until(BitSet.full(n + 2), BitSet.of(n + 2, [n]));
      // What the derivation in assembly/solve/elimination.ts counts: setting up, then censoring and substituting each state.
      let units = 2 * n * (n + 1);
      for (let k = 0; k < n; k++) units += 2 * k * (k + 3) + 2 * k + 2;
      for (let s = 0; s < n; s++) {
        expect(upper[s] / lower[s] - 1).toBeGreaterThan(2 * units * 2 ** -53);
        expect(upper[s] / lower[s] - 1).toBeLessThan(1e-11);
      }
    },
  );
});
