import { describe, expect, test } from 'vitest';
import { NotConvergedError } from '../../bindings/base/errors.js';
import {
  type Accuracy,
  BitSet,
  type IntervalCsr,
  type Solution,
} from '../../bindings/solvers/kernel/index.js';
import { backends } from '../kernel/backends.js';
import { expectBrackets } from '../oracle/brackets.js';
import { ExactIntervalModel } from '../oracle/intervals.js';

/** Row 0 as given; the other states absorb. */
function model(
  entries: readonly (readonly [column: number, lower: number, upper: number, centre?: number])[],
  radius?: number,
): IntervalCsr {
  const states = Math.max(...entries.map(([column]) => column)) + 1;
  const others = Array.from({ length: states - 1 }, (_, i) => i + 1);
  const alone = others.map(() => 1);
  const column = (first: readonly number[]) => Float64Array.from([...first, ...alone]);
  return {
    rowStart: Uint32Array.from([0, entries.length, ...others.map((s) => entries.length + s)]),
    columns: Uint32Array.from([...entries.map(([t]) => t), ...others]),
    lower: column(entries.map(([, lower]) => lower)),
    upper: column(entries.map(([, , upper]) => upper)),
    ...(radius === undefined
      ? {}
      : {
          centre: column(entries.map(([, , , centre]) => centre ?? 0)),
          radius: Float64Array.from([radius, ...others.map(() => 0)]),
        }),
  };
}

/** A third to 0 and two to 1, which as doubles sum to 1 - 2^-54. */
const thirds = [
  [0, 1 / 3, 1 / 3, 1 / 3],
  [1, 2 / 3, 2 / 3, 2 / 3],
] as const;

/** Bounds, if need be those that an error carries: masses below rounding may not tell how a row is left. */
function boundsOf(solve: () => Solution): Pick<Solution, 'lower' | 'upper'> & { accuracy?: Accuracy } {
  try {
    return solve();
  } catch (error) {
    if (!(error instanceof NotConvergedError)) throw error;
    return error;
  }
}

const exits = 2000;

describe.each(backends)('%s', (_, kernel) => {
  // The graph took the missing 2^-54 for a way out that must be taken; where it was none, iteration did not come to an end.
  test('a ball of radius 0 does not leak what its sum misses', () => {
    using chain = kernel.intervalChain(
      model([...thirds.map(([t, , , centre]) => [t, 0, 1, centre] as const), [2, 0, 1, 0]], 0),
    );
    const target = BitSet.of(3, [2]);
    for (const nature of ['min', 'max'] as const) {
      expect(chain.until(BitSet.full(3), target, nature)).toMatchObject({
        lower: Float64Array.of(0, 0, 1),
        upper: Float64Array.of(0, 0, 1),
        accuracy: 'exact',
      });
    }
  });

  // Any row with room below k * 2^-53 was made a point, which takes a way out from it, and called what followed exact.
  test.each([
    [
      'of two roundings',
      model([
        [0, 1 - 2e-16, 1],
        [1, 0, 2e-16],
      ]),
    ],
    ['that rounding made', model([...thirds, [2, 0, 0.25]])],
    [
      'below every rounding of the sum',
      model([
        [0, 1 - 2 ** -53, 1],
        [1, 2 ** -200, 1],
        [2, 0, 2 ** -100],
      ]),
    ],
    [
      'that is all a ball leaves',
      model(
        [
          [0, 0, 1, 1 - 2 ** -53],
          [1, 0, 1, 2 ** -53],
          [2, 0, 1, 0],
        ],
        2 ** -300,
      ),
    ],
  ])('a row keeps a freedom %s', (_name, matrix) => {
    using chain = kernel.intervalChain(matrix);
    const exact = new ExactIntervalModel(matrix);
    for (let t = 1; t < chain.states; t++) {
      const [all, target] = [BitSet.full(chain.states), BitSet.of(chain.states, [t])];
      for (const nature of ['min', 'max'] as const) {
        const players = { scheduler: nature, nature };
        expectBrackets(chain.next(target, nature), exact.next(target, players));
        const expected = exact.until(all, target, players);
        const solution = boundsOf(() => chain.until(all, target, nature));
        expectBrackets(solution, expected);
        if (solution.accuracy === 'exact') expect(solution.lower).toEqual(solution.upper);
        expect([...chain.prob0(all, target, nature)]).toEqual(
          expected.flatMap((value, s) => (value.compare(0) === 0 ? [s] : [])),
        );
        expect([...chain.prob1(all, target, nature)]).toEqual(
          expected.flatMap((value, s) => (value.compare(1) === 0 ? [s] : [])),
        );
      }
    }
  });

  test(`${exits} small ways out are some way out`, () => {
    const matrix = model([
      [0, 1 - 2e-13, 1],
      ...Array.from({ length: exits }, (_, i): [number, number, number] => [i + 1, 0, 2e-13]),
    ]);
    using chain = kernel.intervalChain(matrix);
    const [all, target] = [BitSet.full(exits + 1), BitSet.of(exits + 1, [1])];
    expect(chain.until(all, target, 'max').lower[0]).toBe(1);
    expect(chain.until(all, target, 'min').upper[0]).toBe(0);
    // What the self-loop's bound, rounded to a double, leaves of 1.
    const freedom = 1 - (1 - 2e-13);
    const { lower, upper } = chain.next(target, 'max');
    expect(lower[0]).toBeLessThanOrEqual(freedom);
    expect(upper[0]).toBeGreaterThanOrEqual(freedom);
    expect(upper[0] - lower[0]).toBeLessThan(1e-20);
  });
});
