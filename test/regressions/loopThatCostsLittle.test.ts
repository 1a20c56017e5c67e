import { describe, expect, test } from 'vitest';
import { NotConvergedError } from '../../bindings/base/errors.js';
import type { MdpMatrix } from '../../bindings/solvers/kernel/index.js';
import type { Mdp } from '../../bindings/solvers/model/index.js';
import { backends } from '../kernel/backends.js';
import { mdpOf } from '../kernel/randomMdps.js';
import { expectBrackets } from '../oracle/brackets.js';
import { ExactGame } from '../oracle/game.js';
import type { Rational } from '../oracle/rational.js';

const exactly = (matrix: MdpMatrix, rows: Float64Array): Rational[] => {
  const states = matrix.rowGroupStart.length - 1;
  const model: Mdp = { type: 'mdp', states, initial: [0], labels: new Map(), ...matrix };
  return new ExactGame(model, { name: '', choices: rows }).totalReward(['min']) as Rational[];
};

function refused(solve: () => unknown): NotConvergedError {
  try {
    solve();
  } catch (error) {
    if (error instanceof NotConvergedError) return error;
    throw error;
  }
  throw new Error('it converged');
}

describe.each(backends)('%s', (_, kernel) => {
  test.each([
    // 1 in 1e9 was taken for nothing, so that going round was as good as leaving, and steps to the end were infinitely many.
    [1, 1e9],
    [1e-3, 1e9],
    [5, 1e12],
  ])(
    'a loop that costs %d a round is left for %d, which is found before the loop has cost as much',
    (round, out) => {
      // 0 and 1 are a loop; 0 may leave, too.
      const matrix = mdpOf([[[[1, 1]], [[2, 1]]], [[[0, 1]]], [[[2, 1]]]]);
      const rows = Float64Array.of(round, out, 0, 0);
      using mdp = kernel.mdp(matrix);
      const solution = mdp.totalReward('min', { rows }, { maxIterations: 1000 });
      expectBrackets(solution, exactly(matrix, rows));
      expect(solution.upper[0] - solution.lower[0]).toBeLessThanOrEqual(2e-6 * out);
      expect(solution.scheduler[0]).toBe(1);
    },
  );

  test('nor is it in the way where what leaves is slow itself, and there are several', () => {
    // Found by a law: 2 and 3 are a loop that is dear, 0 and 1 one that is cheap.
    const sevenths = [6 / 7, 1 / 7];
    const matrix: MdpMatrix = {
      rowGroupStart: Uint32Array.of(0, 2, 3, 5, 6, 7),
      rowStart: Uint32Array.of(0, 1, 3, 4, 5, 7, 8, 9),
      columns: Uint32Array.of(1, 3, 4, 0, 3, 3, 4, 2, 4),
      values: Float64Array.of(1, ...sevenths, 1, 1, ...sevenths, 1, 1),
    };
    const rows = Float64Array.of(1, 0, 0, 1, 1e-9, 166666682.24194908, 0);
    using mdp = kernel.mdp(matrix);
    const solution = mdp.totalReward('min', { rows }, { maxIterations: 100_000 });
    const exact = exactly(matrix, rows);
    expectBrackets(solution, exact);
    for (const [s, low] of solution.lower.entries())
      expect(solution.upper[s] - low).toBeLessThanOrEqual(2e-6 * Math.max(1, low));
  });

  test('where rounding hides what it costs, bounds say what is certain', () => {
    const matrix = mdpOf([[[[1, 1]], [[2, 1]]], [[[0, 1]]], [[[2, 1]]]]);
    const rows = Float64Array.of(1e-9, 1e9, 0, 0);
    using mdp = kernel.mdp(matrix);
    const exact = exactly(matrix, rows);
    const solve = () => mdp.totalReward('min', { rows }, { maxIterations: 1000 });
    const refusal = refused(solve);
    expectBrackets(refusal, exact);
    // What rounding takes of this is what a round costs.
    expect(refusal.lower[0]).toBeGreaterThan(1e-9 * 2 ** 40);
    expect(refusal.upper[0]).toBeLessThan(1e9 * (1 + 1e-9));
  });
});
