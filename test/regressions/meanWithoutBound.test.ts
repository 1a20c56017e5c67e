import '../../bindings/solvers/kernel/inline.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NotConvergedError } from '../../bindings/base/errors.js';
import { openQuantities } from '../../bindings/solvers/checker/index.js';
import { BitSet } from '../../bindings/solvers/kernel/index.js';
import { useKernel } from '../../bindings/solvers/kernel/registry.js';
import type { Mdp } from '../../bindings/solvers/model/index.js';
import { backends } from '../kernel/backends.js';
import { expectBrackets } from '../oracle/brackets.js';
import { ExactGame, numbersOf } from '../oracle/game.js';
import type { Rational } from '../oracle/rational.js';

/** Found by a law: it can take 1.4e15 steps to stay in 5, so that rounding leaves no upper bound of what is earned before. */
const slow: Mdp = {
  type: 'mdp',
  states: 7,
  initial: [0],
  labels: new Map(),
  rowGroupStart: Uint32Array.of(0, 1, 4, 5, 7, 9, 10, 11),
  rowStart: Uint32Array.of(0, 2, 3, 4, 6, 8, 10, 12, 15, 16, 17, 18),
  columns: Uint32Array.of(0, 1, 0, 1, 0, 3, 0, 5, 0, 5, 0, 2, 0, 1, 5, 0, 5, 6),
  values: Float64Array.of(
    ...[0.5, 0.5, 1, 1, 0.5, 0.5, 0.9999900000999989, 0.00000999990000099999],
    ...[0.9990009990009991, 0.0009990009990009992, 0.9999999998571428, 1.428571428367347e-10],
    ...[0.49975012493753124, 0.49975012493753124, 0.0004997501249375313, 1, 1, 1],
  ),
};

const shareOf = (target: BitSet): Rational[] =>
  new ExactGame(slow, {
    name: '',
    states: Float64Array.from(numbersOf(target), (share) => (share.compare(0) > 0 ? 1 : 0)),
  }).longRunReward(['max']);

describe.each(backends)('%s', (_, kernel) => {
  beforeAll(() => useKernel(kernel));
  afterAll(() => useKernel());

  test.each([
    ['everywhere', [0, 1, 2, 3, 4, 5, 6]],
    ['where one may stay', [5, 6]],
    ['there and on the way', [0, 5, 6]],
  ])('a share of the long run is at most 1, and known where it is nearly that: %s', (_name, members) => {
    using quantities = openQuantities(slow);
    const target = BitSet.of(7, members);
    for (const relative of [false, true]) {
      const solution = quantities.longRunProbability(['max'], target, { relative });
      expectBrackets(solution, shareOf(target));
      for (const [s, low] of solution.lower.entries()) expect(solution.upper[s] - low).toBeLessThan(1e-12);
    }
  });

  test('where it is not known, its bounds are numbers, and at most 1', () => {
    using quantities = openQuantities(slow);
    const target = BitSet.of(7, [0, 2, 3, 6]);
    try {
      quantities.longRunProbability(['max'], target, {});
      expect.unreachable('rounding is in the way');
    } catch (error) {
      if (!(error instanceof NotConvergedError)) throw error;
      expectBrackets(error, shareOf(target));
      expect(Math.max(...error.upper)).toBe(1);
    }
  });
});
