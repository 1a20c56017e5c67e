import { describe, expect, test } from 'vitest';
import { BitSet, type IntervalCsr } from '../../bindings/kernel/index.js';
import { backends } from '../kernel/backends.js';

/** From 0 back to 0 with 1/3 and to 1 with 2/3, which as doubles sum to 1 - 2^-54; to the target 2 at most as given. */
const thirds = (most: number): IntervalCsr => ({
  rowStart: Uint32Array.of(0, 3, 4, 5),
  columns: Uint32Array.of(0, 1, 2, 0, 2),
  lower: Float64Array.of(1 / 3, 2 / 3, 0, 1, 1),
  upper: Float64Array.of(1 / 3, 2 / 3, most, 1, 1),
});

/** The same row as a ball of radius 0. */
const ball: IntervalCsr = {
  ...thirds(1),
  lower: Float64Array.of(0, 0, 0, 1, 1),
  upper: Float64Array.of(1, 1, 1, 1, 1),
  centre: Float64Array.of(1 / 3, 2 / 3, 0, 1, 1),
  radius: new Float64Array(3),
};

// The graph took the missing 2^-54 for a way out that must be taken; where it was none, iteration did not come to an end.
describe.each(backends)('%s', (_, kernel) => {
  test.each([
    ['bounds that sum to 1 but for rounding', thirds(0.25)],
    ['a ball of radius 0', ball],
  ])('a row that is a point by %s does not leak what its sum misses', (_name, matrix) => {
    using chain = kernel.intervalChain(matrix);
    const [all, target] = [BitSet.full(3), BitSet.of(3, [2])];
    for (const nature of ['min', 'max'] as const) {
      expect([...chain.prob0(all, target, nature)]).toEqual([0, 1]);
      expect([...chain.prob1(all, target, nature)]).toEqual([2]);
      expect(chain.until(all, target, nature)).toMatchObject({
        lower: Float64Array.of(0, 0, 1),
        upper: Float64Array.of(0, 0, 1),
        accuracy: 'exact',
      });
    }
  });
});
