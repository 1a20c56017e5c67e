import { describe, expect, test } from 'vitest';
import { InvalidArgumentError, InvalidModelError, NotConvergedError } from '../../bindings/errors.js';
import { BitSet, type Direction, type IntervalCsr, type Players } from '../../bindings/kernel/index.js';
import { Rational } from '../oracle/rational.js';
import { backends } from './backends.js';
import { randomNumbers } from './chains.js';

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

function thrown(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
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

  const half: Entry[] = [
    [0, 0.25, 0.75],
    [1, 0.25, 0.75],
  ];
  test.each<[string, IntervalCsr, RegExp, number | undefined]>([
    [
      'crossed bounds',
      model([[[0, 0.5, 0.25]], absorbing(1)]),
      /state 0 moves to 0 with at least 0\.5 and at most 0\.25/,
      0,
    ],
    [
      'a lower bound that is NaN',
      model([half, [[1, Number.NaN, 1]]]),
      /state 1 moves to 1 with at least NaN/,
      1,
    ],
    [
      'an upper bound that is NaN',
      model([[[0, 0, Number.NaN]], half]),
      /state 0 moves to 0 with at most NaN/,
      0,
    ],
    ['a negative lower bound', model([[[0, -0.5, 1]], half]), /at least -0\.5/, 0],
    ['an upper bound above 1', model([[[0, 0, 1.5]], half]), /at most 1\.5/, 0],
    ['an upper bound of 0', model([[[0, 0, 0]], half]), /above 0.*leave out/, 0],
    [
      'lower bounds beyond 1',
      model([
        half,
        [
          [0, 0.75, 1],
          [1, 0.5, 1],
        ],
      ]),
      /lower bounds of state 1 sum to 1\.25, more than 1/,
      1,
    ],
    [
      'upper bounds short of 1',
      model([
        [
          [0, 0.25, 0.25],
          [1, 0.25, 0.5],
        ],
        half,
      ]),
      /upper bounds of state 0 sum to 0\.75, less than 1/,
      0,
    ],
    [
      'a successor that does not exist',
      model([half, [[2, 0, 1]]]),
      /state 1 has successor 2, but states are 0 to 1/,
      1,
    ],
    [
      'successors out of order',
      model([
        half,
        [
          [1, 0, 1],
          [0, 0, 1],
        ],
      ]),
      /successor 0 after 1/,
      1,
    ],
    [
      'a successor given twice',
      model([
        half,
        [
          [1, 0, 1],
          [1, 0, 1],
        ],
      ]),
      /successor 1 twice/,
      1,
    ],
    ['a row without successor', model([half, []]), /row 1 has no successor/, undefined],
    ['no row at all', model([]), /at least one/, undefined],
    [
      'a centre outside its bounds',
      model(
        [
          [
            [0, 0.5, 1, 0.25],
            [1, 0, 1, 0.75],
          ],
          absorbing(1),
        ],
        [0.5, 0],
      ),
      /state 0 has centre 0\.25 at successor 0, outside its bounds 0\.5 and 1/,
      0,
    ],
    [
      'a centre that does not sum to 1',
      model(
        [
          [
            [0, 0, 1, 0.25],
            [1, 0, 1, 0.25],
          ],
          absorbing(1),
        ],
        [0.5, 0],
      ),
      /centre of state 0 sums to 0\.5/,
      0,
    ],
    ['a centre that is NaN', model([[[0, 0, 1]], absorbing(1)], [0, 0]), /has centre NaN/, 0],
    ['a negative radius', model([absorbing(0), absorbing(1)], [0, -1]), /radius of state 1 is -1/, 1],
    ['a radius that is NaN', model([absorbing(0)], [Number.NaN]), /radius of state 0 is NaN/, 0],
    ['too few radii', model([absorbing(0), absorbing(1)], [0]), /1 radii but 2 rows/, undefined],
    ['a centre alone', { ...gamble, centre: gamble.lower }, /centre is given alone/, undefined],
    [
      'arrays of different lengths',
      { ...gamble, lower: Float64Array.of(1) },
      /1 entries of lower/,
      undefined,
    ],
  ])('%s is refused, naming the state', (_name, matrix, message, state) => {
    const error = thrown(() => kernel.intervalChain(matrix));
    expect(error).toBeInstanceOf(InvalidModelError);
    expect((error as Error).message).toMatch(message);
    expect((error as InvalidModelError).state).toBe(state);
  });

  test('faults of an MDP name row and state, and groups that are none are refused', () => {
    const matrix = model([absorbing(0), absorbing(1), [[0, 0.5, 0.25]]]);
    const open = (...rowGroupStart: number[]) =>
      thrown(() => kernel.intervalMdp({ ...matrix, rowGroupStart: Uint32Array.from(rowGroupStart) }));
    expect(open(0, 1, 3)).toMatchObject({
      message: expect.stringMatching(/^row 2 of state 1 moves/),
      state: 1,
    });
    expect(open(0, 0, 3)).toMatchObject({ message: expect.stringMatching(/state 0 has no row/), state: 0 });
    expect(open(0, 2, 2)).toMatchObject({
      message: expect.stringMatching(/from 2 to 2 at state 1/),
      state: 1,
    });
    expect(open(1, 3)).toMatchObject({ message: expect.stringMatching(/from 1 to 3 at state 0/) });
    expect(open(0)).toBeInstanceOf(InvalidModelError);
  });

  test('misuse of a model is refused', () => {
    const chain = kernel.intervalChain(gamble);
    const mdp = kernel.intervalMdp({ ...gamble, rowGroupStart: Uint32Array.of(0, 1, 2, 3) });
    const [all, target] = [BitSet.full(3), BitSet.of(3, [1])];
    for (const [misuse, message] of [
      [() => chain.until(all, target, 'most' as Direction), /nature is most: it is 'min' or 'max'/],
      [() => mdp.until(all, target, 'max' as unknown as Players), /the goal is max/],
      [() => mdp.until(all, target, { scheduler: 'max' } as Players), /nature is undefined/],
      [() => chain.until(BitSet.full(4), target, 'max'), /remain is a set over 4 states/],
      [() => chain.until(all, target, 'max', { precision: 0 }), /precision is 0/],
      [() => chain.boundedUntil(all, target, -1, 'max'), /steps is -1/],
      [() => chain.rowDistributions(Float64Array.of(0, 1), 'max'), /values has 2 entries/],
      [() => chain.rowDistributions(Float64Array.of(0, Number.NaN, 1), 'max'), /value of state 1 is NaN/],
      [() => chain.rowDistributions([0, 0, 1] as unknown as Float64Array, 'max'), /Float64Array/],
    ] as const) {
      expect(misuse).toThrow(InvalidArgumentError);
      expect(misuse).toThrow(message);
    }
    chain.free();
    mdp.free();
    for (const use of [
      () => chain.free(),
      () => mdp[Symbol.dispose](),
      () => chain.until(all, target, 'max'),
      () => chain.prob0(all, target, 'max'),
      () => chain.rowDistributions(Float64Array.of(0, 0, 1), 'max'),
    ]) {
      expect(use).toThrow(/freed already/);
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

  test('too few sweeps give an error with true bounds, and an aborted solve ends with its reason', () => {
    using chain = kernel.intervalChain(slow);
    const [all, target] = [BitSet.full(32), BitSet.of(32, [31])];
    const error = thrown(() => chain.until(all, target, 'max', { maxIterations: 20, precision: 1e-9 }));
    expect(error).toBeInstanceOf(NotConvergedError);
    expect((error as Error).message).toMatch(/after 20 sweeps.*maxIterations = 20/);
    const solution = chain.until(all, target, 'max', { precision: 1e-9 });
    expect((error as NotConvergedError).upper[0]).toBeGreaterThanOrEqual(solution.upper[0]);
    expect((error as NotConvergedError).lower[0]).toBeLessThanOrEqual(solution.lower[0]);

    const signal = AbortSignal.abort(new Error('enough'));
    expect(() => chain.until(all, target, 'max', { signal })).toThrow('enough');
    expect(() => chain.boundedUntil(all, target, 5, 'max', { signal })).toThrow('enough');
  });

  test('a model cannot be freed by the progress report of its own solve', () => {
    const walk = Array.from({ length: 201 }, (_, s): readonly Entry[] =>
      s === 0 || s === 200
        ? absorbing(s)
        : [
            [s - 1, 0.49, 0.51],
            [s + 1, 0.5, 0.5001],
          ],
    );
    using chain = kernel.intervalChain(model(walk));
    const [all, target] = [BitSet.full(201), BitSet.of(201, [200])];
    const gaps: number[] = [];
    const onProgress = ({ gap, fraction }: { gap: number; fraction: number }) => {
      gaps.push(gap);
      expect(fraction).toBeLessThanOrEqual(1);
      chain.free();
    };
    expect(() => chain.until(all, target, 'max', { onProgress, precision: 1e-9 })).toThrow(/is being solved/);
    expect(gaps).toHaveLength(1);
    expect(chain.prob0(all, target, 'max').count()).toBe(1);
  });

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
