import '../../bindings/solvers/kernel/inline.js';
import { describe, expect, test } from 'vitest';
import { NotConvergedError } from '../../bindings/base/errors.js';
import { BitSet, type Csr, getKernel, type Kernel } from '../../bindings/solvers/kernel/index.js';
import { referenceKernel } from '../oracle/engine/index.js';
import { backends } from './backends.js';
import { gambler, haddadMonmege } from './chains.js';
import { thrown } from './thrown.js';

const METHODS = ['auto', 'elimination'] as const;

/** Probabilities to end in the last state. */
function endsLast(kernel: Kernel, matrix: Csr, method: 'auto' | 'elimination') {
  const states = matrix.rowStart.length - 1;
  using chain = kernel.chain(matrix);
  const target = BitSet.of(states, [states - 1]);
  return chain.until(BitSet.full(states), target, { method, maxIterations: 100 });
}

interface Bounds {
  readonly lower: Float64Array;
  readonly upper: Float64Array;
}

function expectBetween({ lower, upper }: Bounds, state: number, value: number, width = 1): void {
  expect(lower[state]).toBeLessThanOrEqual(value);
  expect(upper[state]).toBeGreaterThanOrEqual(value);
  expect(upper[state] - lower[state]).toBeLessThanOrEqual(width);
}

/** What a solve throws that does not converge. */
function notConverged(action: () => unknown): NotConvergedError {
  const error = thrown(action);
  expect(error).toBeInstanceOf(NotConvergedError);
  return error as NotConvergedError;
}

// The middle state n of all Haddad-Monmege chains here ends last with 1/4.

describe.each(backends)('%s', (_, kernel) => {
  test.each(METHODS)(
    'a component left with 2^-960 is eliminated, one left with 2^-1040 is refused: %s',
    (method) => {
      const rarely = (n: number) => haddadMonmege(n, 0.75, 2 ** -20);
      expectBetween(endsLast(kernel, rarely(48), method), 48, 0.25, 2e-6);
      const error = notConverged(() => endsLast(kernel, rarely(52), method));
      expectBetween(error, 52, 0.25);
      expect(error.message).toMatch(/of 103 states was not eliminated, because numbers fell below 2\^-1000/);
    },
  );
});

test.each(METHODS)(
  'Haddad-Monmege chains are certified to n = 990 and refused from 1010 on: %s',
  (method) => {
    const kernel = getKernel();
    expectBetween(endsLast(kernel, haddadMonmege(990, 0.75), method), 990, 0.25, 2e-6);
    for (const n of [1010, 3000]) {
      const error = notConverged(() => endsLast(kernel, haddadMonmege(n, 0.75), method));
      expectBetween(error, n, 0.25);
      expect(error.message).toContain('likelier ways out');
    }
  },
);

test.each(METHODS)(
  'a slow component above 2,000 states is beyond the reference kernel, which says so: %s',
  (method) => {
    const coins = 2501;
    const error = notConverged(() => endsLast(referenceKernel, gambler(coins, 0.5), method));
    expect(error.message).toMatch(/of 2500 states was not eliminated, .* more than 2000 states/);
    expect(error.message).toContain('as its rows fill up');
    const solution = endsLast(getKernel(), gambler(coins, 0.5), method);
    for (let s = 0; s <= coins; s += 41) {
      expectBetween(error, s, s / coins);
      expectBetween(solution, s, s / coins, 2e-6);
    }
  },
);
