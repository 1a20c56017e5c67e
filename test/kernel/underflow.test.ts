import { describe, expect, test } from 'vitest';
import { InvalidModelError, NotConvergedError } from '../../bindings/base/errors.js';
import { BitSet, type Csr, type SolveOptions } from '../../bindings/solvers/kernel/index.js';
import { expectBrackets } from '../oracle/brackets.js';
import { ExactChain } from '../oracle/chain.js';
import { backends } from './backends.js';
import { chainOf } from './chains.js';

const [LOST, WON] = [4, 5];

/**
 * Out of a component of four states lead only three rare moves in a row, so that eliminating it multiplies their probabilities:
 * the product, 2^-1074 or so, has a single digit left. State i is `order[i]`.
 */
function rarelyLeft(order: readonly number[]): Csr {
  const rare = 2 ** -358;
  const [a, b, c, d] = order;
  const rows: [number, number][][] = Array.from({ length: 6 }, (_, s) => [[s, 1]]);
  rows[a] = [
    [b, rare],
    [d, 1 - rare],
  ];
  rows[b] = [
    [c, rare],
    [d, 1 - rare],
  ];
  rows[c] = [
    [d, 1],
    [LOST, 1.25 * rare],
    [WON, 0.375 * rare],
  ];
  rows[d] = [[a, 1]];
  return chainOf(rows.map((row) => row.sort(([s], [t]) => s - t)));
}

function permutations(numbers: readonly number[]): number[][] {
  return numbers.length === 0
    ? [[]]
    : numbers.flatMap((first) =>
        permutations(numbers.filter((number) => number !== first)).map((rest) => [first, ...rest]),
      );
}

describe.each(backends)('%s', (_, kernel) => {
  test.each<SolveOptions>([{ method: 'elimination' }, { method: 'auto', maxIterations: 100 }])(
    'bounds bracket the answer also where products of an elimination would underflow: %j',
    (options) => {
      for (const order of permutations([0, 1, 2, 3])) {
        const matrix = rarelyLeft(order);
        const target = BitSet.of(6, [WON]);
        const exact = new ExactChain(matrix).until(BitSet.full(6), target);
        using chain = kernel.chain(matrix);
        try {
          expectBrackets(chain.until(BitSet.full(6), target, options), exact);
        } catch (error) {
          if (!(error instanceof NotConvergedError)) throw error;
          expectBrackets(error, exact);
        }
      }
    },
  );

  test.each<SolveOptions>([{ method: 'interval-iteration' }, { method: 'auto' }])(
    'where a value is too small to be told from 0, its upper bound goes on to fall: %j',
    (options) => {
      const rare = 2 ** -300;
      const matrix = chainOf([
        [
          [1, 0.5],
          [3, 0.5],
        ],
        [
          [0, 0.5],
          [2, rare],
          [3, 0.5],
        ],
        [
          [3, 1],
          [4, rare],
        ],
        [[3, 1]],
        [[4, 1]],
      ]);
      const target = BitSet.of(5, [4]);
      using chain = kernel.chain(matrix);
      const solution = chain.until(BitSet.full(5), target, options);
      expectBrackets(solution, new ExactChain(matrix).until(BitSet.full(5), target));
      expect(solution.upper[0]).toBeLessThanOrEqual(2e-6);
    },
  );

  test('a probability of 2^-500 is accepted, and one just below it refused', () => {
    const matrix = (p: number) =>
      chainOf([
        [
          [0, 1],
          [1, p],
        ],
        [[1, 1]],
      ]);
    using chain = kernel.chain(matrix(2 ** -500));
    expect(chain.transitions).toBe(3);
    expect(() => kernel.chain(matrix(2 ** -500 * (1 - 2 ** -53)))).toThrow(InvalidModelError);
  });

  test('the probability of moves too rare together for any double stays positive above', () => {
    const last = 4;
    using chain = kernel.chain(
      chainOf(
        Array.from({ length: last + 1 }, (_, s): [number, number][] =>
          s === last
            ? [[s, 1]]
            : [
                [s, 1],
                [s + 1, 2 ** -400],
              ],
        ),
      ),
    );
    const { lower, upper } = chain.boundedUntil(BitSet.full(last + 1), BitSet.of(last + 1, [last]), last);
    for (const s of [0, 1, 2]) {
      expect(lower[s]).toBe(0);
      expect(upper[s]).toBeGreaterThan(0);
      expect(upper[s]).toBeLessThan(2 ** -499);
    }
    expect(lower[3]).toBeGreaterThan(0);
  });
});
