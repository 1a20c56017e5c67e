import { describe, expect, test } from 'vitest';
import {
  BitSet,
  type Direction,
  type IntervalCsr,
  type Players,
} from '../../bindings/solvers/kernel/index.js';
import { expectBrackets } from '../oracle/brackets.js';
import { ExactIntervalModel } from '../oracle/intervals.js';
import { Rational } from '../oracle/rational.js';
import { backends } from './backends.js';
import { randomNumbers } from './chains.js';
import { guardedKernel } from './guardedKernel.js';

type Entry = readonly [column: number, lower: number, upper: number, centre?: number];

/** Rows of [column, lower, upper, centre]; with radii, balls around the centres. */
function model(rows: readonly (readonly Entry[])[], radius?: readonly number[]): IntervalCsr {
  const entries = rows.flat();
  const rowStart = new Uint32Array(rows.length + 1);
  for (const [r, row] of rows.entries()) rowStart[r + 1] = rowStart[r] + row.length;
  return {
    rowStart,
    columns: Uint32Array.from(entries, ([column]) => column),
    lower: Float64Array.from(entries, ([, lower]) => lower),
    upper: Float64Array.from(entries, ([, , upper]) => upper),
    ...(radius === undefined
      ? {}
      : {
          centre: Float64Array.from(entries, ([, , , centre]) => centre ?? Number.NaN),
          radius: Float64Array.from(radius),
        }),
  };
}

const absorbing = (s: number): Entry[] => [[s, 1, 1, 1]];

function expectValue(
  { lower, upper }: { lower: Float64Array; upper: Float64Array },
  s: number,
  value: string,
) {
  const exact = Rational.parse(value);
  expect(exact.compare(lower[s])).toBeGreaterThanOrEqual(0);
  expect(exact.compare(upper[s])).toBeLessThanOrEqual(0);
}

/** Waits, then reaches 1 or loses in 2; every probability is between the bounds given. */
const gamble = model([
  [
    [0, 0, 0.5],
    [1, 0.25, 0.5],
    [2, 0.25, 0.5],
  ],
  absorbing(1),
  absorbing(2),
]);

describe.each(backends)('%s', (_, kernel) => {
  test.each<[string, Direction, string]>([
    ['the best split of what must move', 'max', '2/3'],
    ['the worst split', 'min', '1/3'],
  ])('nature finds %s', (_name, nature, value) => {
    using chain = kernel.intervalChain(gamble);
    const solution = chain.until(BitSet.full(3), BitSet.of(3, [1]), nature);
    expectValue(solution, 0, value);
    expect(solution.upper[0] - solution.lower[0]).toBeLessThan(1e-12);
    expect(solution).toMatchObject({ accuracy: 'bounded', method: 'robust-interval-iteration' });
  });

  test('a ball keeps nature near the centre', () => {
    const row: Entry[] = [
      [0, 0, 1, 0.5],
      [1, 0, 1, 0.25],
      [2, 0, 1, 0.25],
    ];
    using chain = kernel.intervalChain(model([row, absorbing(1), absorbing(2)], [0.125, 0, 0]));
    const target = BitSet.of(3, [1]);
    // From 1/4 to 3/8, taken from losing: 3/8 of 3/8 + 1/8.
    expectValue(chain.until(BitSet.full(3), target, 'max'), 0, '3/4');
    expectValue(chain.until(BitSet.full(3), target, 'min'), 0, '1/4');
    expectValue(chain.next(target, 'max'), 0, '3/8');
    expect([...chain.rowDistributions(Float64Array.of(0.5, 1, 0), 'max').subarray(0, 3)]).toEqual([
      0.5, 0.375, 0.125,
    ]);
  });

  test('an edge that may vanish lets a minimising nature wait for ever, and a maximising one is not fooled by waiting', () => {
    const waiting: Entry[] = [
      [0, 0, 1],
      [1, 0, 0.5],
      [2, 0, 1],
    ];
    using chain = kernel.intervalChain(model([waiting, absorbing(1), absorbing(2)]));
    const [all, target] = [BitSet.full(3), BitSet.of(3, [1])];
    expect([...chain.prob0(all, target, 'min')]).toEqual([0, 2]);
    expect([...chain.prob1(all, target, 'max')]).toEqual([0, 1]);
    expect(chain.until(all, target, 'max')).toMatchObject({
      lower: Float64Array.of(1, 1, 0),
      upper: Float64Array.of(1, 1, 0),
      accuracy: 'exact',
    });
  });

  test('end components that nature can build do not keep upper bounds at 1', () => {
    // 0 and 1 may pass play to and fro for ever; the exits give 1/4 and 1/2 at best.
    const matrix = model([
      [
        [1, 0, 1],
        [2, 0, 1],
      ],
      [
        [0, 0, 1],
        [3, 0, 1],
      ],
      [
        [4, 0.25, 0.25],
        [5, 0.75, 0.75],
      ],
      [
        [4, 0.5, 0.5],
        [5, 0.5, 0.5],
      ],
      absorbing(4),
      absorbing(5),
    ]);
    using chain = kernel.intervalChain(matrix);
    const solution = chain.until(BitSet.full(6), BitSet.of(6, [4]), 'max');
    expectValue(solution, 0, '1/2');
    expectValue(solution, 1, '1/2');
    expect(solution.upper[0]).toBeLessThan(0.5 + 1e-6);
  });

  test.each<[string, Players, Entry[][], Uint32Array]>([
    [
      'waiting by the row that is best, not by the other one',
      { scheduler: 'min', nature: 'max' },
      [
        [
          [1, 0, 1],
          [2, 0, 1],
        ],
        [[3, 1, 1]],
        [[0, 1, 1]],
      ],
      Uint32Array.of(0, 2, 3, 4, 5, 6, 7),
    ],
    [
      'waiting that nature would not let go of',
      { scheduler: 'max', nature: 'min' },
      [
        [[1, 1, 1]],
        [[2, 1, 1]],
        [
          [0, 0, 1],
          [3, 0, 1],
        ],
      ],
      Uint32Array.of(0, 2, 3, 4, 5, 6, 7),
    ],
  ])('games do not stop above their value: %s', (_name, players, rows, rowGroupStart) => {
    // 0 and 1 may pass play to and fro; 2 is worth 1/4 and 3 is worth 1/2, where upper bounds would stop.
    const quarter: Entry[] = [
      [4, 0.25, 0.25],
      [5, 0.75, 0.75],
    ];
    const half: Entry[] = [
      [4, 0.5, 0.5],
      [5, 0.5, 0.5],
    ];
    const matrix = { ...model([...rows, quarter, half, absorbing(4), absorbing(5)]), rowGroupStart };
    using mdp = kernel.intervalMdp(matrix);
    const solution = mdp.until(BitSet.full(6), BitSet.of(6, [4]), players);
    for (const s of [0, 1]) {
      expectValue(solution, s, '1/4');
      expect(solution.upper[s] - solution.lower[s]).toBeLessThanOrEqual(2e-6);
    }
  });

  test('a scheduler weighs rows by what nature would make of each, not of the one before', () => {
    // 1 and 2 may pass play to and fro; of the exits 0 is worth 1/4 and 3 is worth 1/2.
    const matrix = {
      ...model([
        [
          [4, 0.25, 0.25],
          [5, 0.75, 0.75],
        ],
        [[3, 1, 1]],
        [
          [0, 0, 1],
          [2, 0, 1],
        ],
        [
          [0, 0, 0.5],
          [1, 0.5, 1],
        ],
        [
          [4, 0.5, 0.5],
          [5, 0.5, 0.5],
        ],
        absorbing(4),
        absorbing(5),
      ]),
      rowGroupStart: Uint32Array.of(0, 1, 3, 4, 5, 6, 7),
    };
    using mdp = kernel.intervalMdp(matrix);
    const solution = mdp.until(BitSet.full(6), BitSet.of(6, [4]), { scheduler: 'min', nature: 'max' });
    for (const s of [1, 2]) {
      expectValue(solution, s, '1/4');
      expect(solution.upper[s] - solution.lower[s]).toBeLessThanOrEqual(2e-6);
    }
  });

  test.each<[Players, string]>([
    [{ scheduler: 'max', nature: 'max' }, '1/2'],
    [{ scheduler: 'max', nature: 'min' }, '3/8'],
    [{ scheduler: 'min', nature: 'max' }, '1/4'],
    [{ scheduler: 'min', nature: 'min' }, '1/8'],
  ])('both orders of choice are solved: %j', (players, value) => {
    const row = (lower: number, upper: number): Entry[] => [
      [1, lower, upper],
      [2, 1 - upper, 1 - lower],
    ];
    const matrix = {
      ...model([row(0.125, 0.25), row(0.375, 0.5), absorbing(1), absorbing(2)]),
      rowGroupStart: Uint32Array.of(0, 2, 3, 4),
    };
    using mdp = kernel.intervalMdp(matrix);
    expect([mdp.states, mdp.rows, mdp.transitions]).toEqual([3, 4, 6]);
    expectValue(mdp.until(BitSet.full(3), BitSet.of(3, [1]), players), 0, value);
  });

  test('a self-loop next to 1 costs neither sweeps nor accuracy', () => {
    const rare: Entry[] = [
      [0, 1 - 2 ** -30, 1 - 2 ** -31],
      [1, 2 ** -33, 2 ** -31],
      [2, 2 ** -33, 2 ** -31],
    ];
    using chain = kernel.intervalChain(model([rare, absorbing(1), absorbing(2)]));
    const solution = chain.until(BitSet.full(3), BitSet.of(3, [1]), 'max', { precision: 1e-12 });
    expectValue(solution, 0, '4/5');
    expect(solution.iterations).toBeLessThan(4);
  });

  test('a ball whose centre exceeds 1 lets go of the excess beside its radius', () => {
    // 1/2 + 2^-52 has to go from state 1: 1/2 to state 0, as far as the radius allows, and 2^-52 that are too much.
    const row: Entry[] = [
      [0, 0, 1, 0.5],
      [1, 0, 1, 0.5 + 2 ** -52],
    ];
    using chain = kernel.intervalChain(model([row, absorbing(1)], [0.5, 0]));
    expect([...chain.prob0(BitSet.full(2), BitSet.of(2, [1]), 'min')]).toEqual([0]);
    expect([...chain.prob1(BitSet.full(2), BitSet.of(2, [0]), 'max')]).toEqual([0]);
  });

  test('bounds hold where products underflow', () => {
    // The product, 1.75 * 2^-1074, is no double, and rounding takes it up.
    const step = (s: number, p: number): Entry[] => [
      [s + 1, p, p],
      [4, 1, 1],
    ];
    const matrix = model([
      step(0, 2 ** -500),
      step(1, 2 ** -500),
      step(2, 1.75 * 2 ** -74),
      absorbing(3),
      absorbing(4),
    ]);
    using chain = kernel.intervalChain(matrix);
    const [all, target] = [BitSet.full(5), BitSet.of(5, [3])];
    const exact = new ExactIntervalModel(matrix).boundedUntil(all, target, 3, {
      scheduler: 'max',
      nature: 'max',
    });
    expectBrackets(chain.boundedUntil(all, target, 3, 'max'), exact);
    expectBrackets(chain.until(all, target, 'max'), exact);
  });

  test('rows of thousands of successors are sorted right, first and after values changed', () => {
    const random = randomNumbers(3);
    const wide = 3000;
    const rows = Array.from({ length: wide }, (_, s): Entry[] =>
      s === 0
        ? Array.from({ length: wide }, (_, t): Entry => [t, 0, 2 / wide])
        : [
            [1, 0, 1 / 2 + s / 8000],
            [2, 0, 1],
          ],
    );
    using chain = kernel.intervalChain(model(rows));
    const values = Float64Array.from({ length: wide }, () => random());
    for (const direction of ['max', 'min', 'max'] as const) {
      const mass = chain.rowDistributions(values, direction).subarray(0, wide);
      const sorted = values.toSorted();
      // Half of the successors take everything.
      const median = (sorted[wide / 2 - 1] + sorted[wide / 2]) / 2;
      const wrong = mass.findIndex((p, t) =>
        values[t] > median === (direction === 'max') ? Math.abs(p - 2 / wide) > 1e-12 : Math.abs(p) > 1e-12,
      );
      expect(wrong).toBe(-1);
    }
  });

  /** From 0 forward or back to 0, so that bounds need many sweeps. */
  const slow = model([
    ...Array.from({ length: 30 }, (_, s): Entry[] => [
      [s === 0 ? 30 : 0, 0.4, 0.6],
      [s + 1 === 30 ? 31 : s + 1, 0.4, 0.6],
    ]).map((row) => row.toSorted(([a], [b]) => a - b)),
    absorbing(30),
    absorbing(31),
  ]);

  test('rounds of building, solving and freeing do not grow memory', () => {
    const round = (i: number) => {
      using chain = kernel.intervalChain(i % 2 ? gamble : slow);
      const target = BitSet.of(chain.states, [chain.states - 1]);
      chain.until(BitSet.full(chain.states), target, i % 3 ? 'min' : 'max', { precision: 1e-2 });
      chain.boundedUntil(BitSet.full(chain.states), target, 2, 'max');
      chain.rowDistributions(new Float64Array(chain.states), 'min');
      expect(() => chain.until(target, target, 'max', { precision: -1 })).toThrow();
    };
    for (let i = 0; i < 20; i++) round(i);
    const before = kernel.memoryBytes();
    for (let i = 0; i < 400; i++) round(i);
    expect(kernel.memoryBytes()).toBe(before);
  });
});

test('searches keep to their memory where all states wait at once', () => {
  const { kernel, held } = guardedKernel(randomNumbers(5));
  const states = 64;
  {
    using chain = kernel.intervalChain(model(Array.from({ length: states }, () => absorbing(0))));
    const [all, target] = [BitSet.full(states), BitSet.of(states, [0])];
    expect(chain.prob0(all, target, 'min').count()).toBe(0);
    expect(chain.prob1(all, target, 'max').count()).toBe(states);
  }
  expect(held()).toBe(0);
});
