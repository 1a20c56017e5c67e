import { expect, test } from 'vitest';
import { BitSet } from '../../bindings/solvers/kernel/index.js';
import { gambler, randomNumbers } from './chains.js';
import { guardedKernel } from './guardedKernel.js';

// A set of 64 states has no bit to spare: a loop over its words that runs one too far leaves the block.
test.each([32, 64, 128])('sets of %d states, which fill whole words, end with the last of them', (states) => {
  const { kernel, held } = guardedKernel(randomNumbers(states));
  const matrix = gambler(states - 1, 0.5);
  const [all, target] = [BitSet.full(states), BitSet.of(states, [states - 1])];
  {
    using chain = kernel.chain(matrix);
    expect(chain.reachableFrom(target).count()).toBe(1);
    expect(chain.canReach(all, all).count()).toBe(states);
    expect(chain.prob0(all, target).count()).toBe(1);
    expect(chain.prob1(all, target).count()).toBe(1);
    expect(chain.bottomComponents().count).toBe(2);
    using _solver = chain.openSolver(all, target);
    const { lower, upper } = chain.until(all, target);
    using mdp = kernel.mdp({
      ...matrix,
      rowGroupStart: Uint32Array.from({ length: states + 1 }, (_, s) => s),
    });
    expect(mdp.endComponents().count).toBe(2);
    expect(mdp.prob0A(all, all).count()).toBe(0);
    expect(mdp.prob0E(all, all).count()).toBe(0);
    for (const direction of ['min', 'max'] as const) {
      const bounds = mdp.until(direction, all, target);
      expect(bounds.lower[1]).toBeLessThanOrEqual(upper[1]);
      expect(bounds.upper[1]).toBeGreaterThanOrEqual(lower[1]);
    }
    using intervals = kernel.intervalChain({ ...matrix, lower: matrix.values, upper: matrix.values });
    const { lower: least, upper: most } = intervals.until(all, target, 'min');
    expect(least[1]).toBeLessThanOrEqual(upper[1]);
    expect(most[1]).toBeGreaterThanOrEqual(lower[1]);
  }
  expect(held()).toBe(0);
});
