import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NotConvergedError } from '../../bindings/base/errors.js';
import {
  BitSet,
  type KernelChain,
  type Solution,
  type SolveOptions,
} from '../../bindings/solvers/kernel/index.js';
import { backends } from '../kernel/backends.js';
import { arbitraryUntil } from '../kernel/randomChains.js';
import { expectBrackets, widest } from '../oracle/brackets.js';
import { ExactChain } from '../oracle/chain.js';
import { renumbered, withOrder } from './renumbered.js';

/** The bounds of a solve, those of an unfinished one included: they too have to be true. */
function until(chain: KernelChain, remain: BitSet, target: BitSet, options: SolveOptions) {
  try {
    return { ...chain.until(remain, target, options), finished: true };
  } catch (error) {
    if (!(error instanceof NotConvergedError)) throw error;
    return { lower: error.lower, upper: error.upper, finished: false };
  }
}

const overlap = (a: Pick<Solution, 'lower' | 'upper'>, b: Pick<Solution, 'lower' | 'upper'>) =>
  a.lower.every((lower, s) => lower <= b.upper[s] && b.lower[s] <= a.upper[s]);

describe.each(backends)('%s', (_, kernel) => {
  test.each(['auto', 'elimination'] as const)(
    'method %s brackets the exact probability within the precision',
    (method) => {
      fc.assert(
        fc.property(
          arbitraryUntil,
          fc.constantFrom(1e-3, 1e-6, 1e-10),
          ({ matrix, remain, target }, precision) => {
            using chain = kernel.chain(matrix);
            const solution = chain.until(remain, target, { method, precision });
            expectBrackets(solution, new ExactChain(matrix).until(remain, target));
            expect(widest(solution)).toBeLessThanOrEqual(2 * precision);
          },
        ),
        { numRuns: 150 },
      );
    },
  );

  test('interval iteration brackets the exact probability whenever it stops', () => {
    fc.assert(
      fc.property(
        arbitraryUntil,
        fc.constantFrom(1, 10, 3000),
        ({ matrix, remain, target }, maxIterations) => {
          using chain = kernel.chain(matrix);
          const solution = until(chain, remain, target, {
            method: 'interval-iteration',
            precision: 1e-6,
            maxIterations,
          });
          expectBrackets(solution, new ExactChain(matrix).until(remain, target));
          if (solution.finished) expect(widest(solution)).toBeLessThanOrEqual(2e-6);
        },
      ),
      { numRuns: 150 },
    );
  });

  test('relative precision is kept where the probability is small', () => {
    fc.assert(
      fc.property(arbitraryUntil, ({ matrix, remain, target }) => {
        using chain = kernel.chain(matrix);
        const solution = chain.until(remain, target, { precision: 1e-8, relative: true });
        expectBrackets(solution, new ExactChain(matrix).until(remain, target));
        for (const [s, lower] of solution.lower.entries()) {
          expect(solution.upper[s] - lower).toBeLessThanOrEqual(2e-8 * lower);
        }
      }),
    );
  });

  test('the probability is 0 on prob0, 1 on prob1, and strictly between elsewhere', () => {
    fc.assert(
      fc.property(arbitraryUntil, ({ matrix, remain, target }) => {
        using chain = kernel.chain(matrix);
        const { lower, upper } = chain.until(remain, target);
        const [zero, one] = [chain.prob0(remain, target), chain.prob1(remain, target)];
        for (let s = 0; s < chain.states; s++) {
          expect(upper[s] === 0).toBe(zero.has(s));
          expect(lower[s] === 1).toBe(one.has(s));
        }
      }),
    );
  });

  test('renumbering the states changes nothing beyond the bounds', () => {
    fc.assert(
      fc.property(withOrder(arbitraryUntil), ({ problem: { matrix, remain, target }, to }) => {
        using chain = kernel.chain(matrix);
        using other = kernel.chain(renumbered(matrix, to));
        const rename = (set: BitSet) =>
          BitSet.of(
            set.size,
            [...set].map((s) => to[s]),
          );
        const solution = other.until(rename(remain), rename(target));
        const back = (values: Float64Array) => Float64Array.from(to, (name) => values[name]);
        const renamed = { lower: back(solution.lower), upper: back(solution.upper) };
        expect(overlap(chain.until(remain, target), renamed)).toBe(true);
      }),
    );
  });

  test('bounded until brackets the exact probability, and rises with the steps', () => {
    fc.assert(
      fc.property(arbitraryUntil, fc.nat(12), ({ matrix, remain, target }, steps) => {
        using chain = kernel.chain(matrix);
        const solution = chain.boundedUntil(remain, target, steps);
        expectBrackets(solution, new ExactChain(matrix).boundedUntil(remain, target, steps));
        expect(widest(solution)).toBeLessThan(1e-13);
        const later = chain.boundedUntil(remain, target, steps + 1);
        for (let s = 0; s < chain.states; s++)
          expect(later.lower[s]).toBeGreaterThanOrEqual(solution.lower[s]);
      }),
    );
  });

  test('next brackets the exact probability', () => {
    fc.assert(
      fc.property(arbitraryUntil, ({ matrix, target }) => {
        using chain = kernel.chain(matrix);
        const solution = chain.next(target);
        expectBrackets(solution, new ExactChain(matrix).next(target));
        expect(widest(solution)).toBeLessThan(1e-14);
      }),
    );
  });
});

test('all backends find the same sets, and bounds that overlap', () => {
  fc.assert(
    fc.property(arbitraryUntil, ({ matrix, remain, target }) => {
      const [first, ...others] = backends.map(([, kernel]) => {
        using chain = kernel.chain(matrix);
        return {
          zero: [...chain.prob0(remain, target)],
          one: [...chain.prob1(remain, target)],
          components: chain.components().count,
          solution: chain.until(remain, target),
        };
      });
      for (const { solution, ...sets } of others) {
        expect(first).toMatchObject(sets);
        expect(overlap(first.solution, solution)).toBe(true);
      }
    }),
  );
});
