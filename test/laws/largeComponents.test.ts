import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NotConvergedError } from '../../bindings/base/errors.js';
import {
  BitSet,
  type Csr,
  init,
  type Kernel,
  type SolveOptions,
} from '../../bindings/solvers/kernel/index.js';
import { chainOf, gambler, randomChain } from '../kernel/chains.js';
import { scalarWasmBytes, wasmBytes } from '../kernel/wasmBytes.js';
import { expectBrackets, widest } from '../oracle/brackets.js';
import { referenceKernel } from '../oracle/engine/index.js';
import { Rational } from '../oracle/rational.js';
import { runs } from './runs.js';

// Components above the sizes at which the kernel changes its storage and its method.

const simd = await init({ module: wasmBytes() });
const scalar = await init({ module: scalarWasmBytes() });
const builds: readonly (readonly [string, Kernel])[] = [
  ['with SIMD', simd],
  ['without SIMD', scalar],
];

function solve(kernel: Kernel, matrix: Csr, target: readonly number[], options: SolveOptions) {
  using chain = kernel.chain(matrix);
  const [remain, goal] = [BitSet.full(chain.states), BitSet.of(chain.states, target)];
  try {
    return { ...chain.until(remain, goal, options), finished: true };
  } catch (error) {
    if (!(error instanceof NotConvergedError)) throw error;
    return { lower: error.lower, upper: error.upper, finished: false };
  }
}

/** A walk on a square whose first and last corner absorb: fills up when it is eliminated. */
function square(side: number): Csr {
  const last = side * side - 1;
  return chainOf(
    Array.from({ length: last + 1 }, (_, s): [number, number][] => {
      if (s === 0 || s === last) return [[s, 1]];
      const [x, y] = [s % side, Math.floor(s / side)];
      const next = [y > 0 && s - side, x > 0 && s - 1, x < side - 1 && s + 1, y < side - 1 && s + side];
      const successors = next.filter((t) => t !== false);
      return successors.map((t) => [t, 1 / successors.length]);
    }),
  );
}

test.each(builds)('%s, a gambler with many coins is bracketed by every method', (_, kernel) => {
  for (const coins of [31, 33, 34, 64, 65, 66, 1025, 3000]) {
    const exact = Array.from({ length: coins + 1 }, (_, s) => new Rational(BigInt(s), BigInt(coins)));
    for (const method of ['auto', 'elimination', 'interval-iteration'] as const) {
      const solution = solve(kernel, gambler(coins, 0.5), [coins], { method, maxIterations: 200 });
      expectBrackets(solution, exact);
      expect(solution.finished).toBe(method !== 'interval-iteration');
      if (solution.finished) expect(widest(solution)).toBeLessThanOrEqual(2e-6);
    }
  }
});

test.each(builds)(
  '%s, a walk that starts in the middle of a square reaches either corner with 1/2',
  (_, kernel) => {
    for (const side of [7, 31, 51]) {
      for (const method of ['auto', 'elimination'] as const) {
        const solution = solve(kernel, square(side), [0], { method });
        const middle = (side * side - 1) / 2;
        expect(solution.lower[middle]).toBeLessThanOrEqual(0.5);
        expect(solution.upper[middle]).toBeGreaterThanOrEqual(0.5);
        expect(widest(solution)).toBeLessThanOrEqual(2e-6);
        for (let s = 0; s < side * side; s++) {
          const opposite = side * side - 1 - s;
          expect(solution.lower[s] + solution.lower[opposite]).toBeLessThanOrEqual(1);
          expect(solution.upper[s] + solution.upper[opposite]).toBeGreaterThanOrEqual(1);
        }
      }
    }
  },
);

/** Random rows of one to forty entries, with some left to the two ends: components of several hundred states. */
const arbitraryLarge = fc
  .record({ states: fc.integer({ min: 500, max: 1500 }), most: fc.constantFrom(2, 6, 40), seed: fc.nat() })
  .map(({ states, most, seed }) => randomChain(states, most, seed));

test('with and without SIMD, the same bits; the reference overlaps', () => {
  fc.assert(
    fc.property(
      arbitraryLarge,
      fc.constantFrom('auto', 'elimination', 'interval-iteration'),
      fc.constantFrom(1, 9, 1000),
      (matrix, method, maxIterations) => {
        const target = [matrix.rowStart.length - 2];
        const options = { method, maxIterations } as const;
        const [fast, plain] = [simd, scalar].map((kernel) => solve(kernel, matrix, target, options));
        expect(fast).toEqual(plain);
        const readable = solve(referenceKernel, matrix, target, { method: 'interval-iteration' });
        for (const [s, lower] of readable.lower.entries()) {
          expect(fast.lower[s]).toBeLessThanOrEqual(readable.upper[s]);
          expect(lower).toBeLessThanOrEqual(fast.upper[s]);
        }
      },
    ),
    { numRuns: runs(6) },
  );
});

test.each(builds)('%s, the first sweeps over sorted rows bracket the exact probability', (_, kernel) => {
  // A ring that is long enough to be copied, most of whose states leave at once.
  const states = 600;
  const matrix = chainOf([
    ...Array.from(
      { length: states },
      (_, s): [number, number][] =>
        [
          [(s + 1) % states, s % 3 === 0 ? 0.25 : 0.5],
          ...(s % 3 === 0 ? [[(s + 7) % states, 0.25]] : []),
          [states + (s & 1), 0.5],
        ].sort(([a], [b]) => a - b) as [number, number][],
    ),
    [[states, 1]],
    [[states + 1, 1]],
  ]);
  const fine = solve(kernel, matrix, [states], { precision: 1e-13, method: 'elimination' });
  for (const maxIterations of [1, 2, 3, 8, 9, 20]) {
    const solution = solve(kernel, matrix, [states], {
      method: 'interval-iteration',
      precision: 1e-9,
      maxIterations,
    });
    for (let s = 0; s < states; s++) {
      expect(solution.lower[s]).toBeLessThanOrEqual(fine.upper[s]);
      expect(solution.upper[s]).toBeGreaterThanOrEqual(fine.lower[s]);
    }
  }
});
