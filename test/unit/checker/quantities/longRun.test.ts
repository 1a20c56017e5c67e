import '../../../../bindings/solvers/kernel/inline.js';
import { describe, expect, it } from 'vitest';
import { NotConvergedError } from '../../../../bindings/base/errors.js';
import { openQuantities } from '../../../../bindings/solvers/checker/index.js';
import { BitSet } from '../../../../bindings/solvers/kernel/index.js';
import type { Mdp } from '../../../../bindings/solvers/model/index.js';
import { mdpOf } from '../../../kernel/randomMdps.js';
import { expectBrackets } from '../../../oracle/brackets.js';
import { Rational } from '../../../oracle/rational.js';

type Row = [target: number, probability: number][];

function decisions(rows: Row[][]): Mdp {
  return { type: 'mdp', states: rows.length, initial: [0], labels: new Map(), ...mdpOf(rows) };
}

/** A walk on 0..n, up by 1/4 and down by 3/4; at each place one may also wait, to and fro with a copy of it. */
function hill(n: number): Mdp {
  const clipped = (x: number) => Math.max(0, Math.min(n, x));
  return decisions([
    ...Array.from({ length: n + 1 }, (_, x): Row[] => {
      const walk = new Map([[clipped(x - 1), 0.75]]);
      walk.set(clipped(x + 1), (walk.get(clipped(x + 1)) ?? 0) + 0.25);
      return [[...walk].sort(([a], [b]) => a - b), [[n + 1 + x, 1]]];
    }),
    ...Array.from({ length: n + 1 }, (_, x): Row[] => [[[x, 1]]]),
  ]);
}

describe('the long run of a decision process', () => {
  it('is worth what the best place to stay is, although it is found once in 3^300 steps', () => {
    const n = 300;
    using quantities = openQuantities(hill(n));
    const states = Float64Array.from({ length: 2 * n + 2 }, (_, s) => (s <= n ? s : 0));
    // Waiting at the top, one is there every other step; walking there, three quarters of it is lost again.
    const { lower, upper } = quantities.longRunReward(['max'], { name: 'height', states }, {});
    expect(lower[0] <= n / 2 && upper[0] >= n / 2).toBe(true);
    expect(upper[0] - lower[0]).toBeLessThan(2e-6 * n);
  });

  it('is decided on the graph where one can keep to what is best of all', () => {
    using quantities = openQuantities(hill(3));
    const bottom = BitSet.of(8, [0, 4]);
    const least = quantities.longRunProbability(['min'], bottom, {});
    expect([least.accuracy, ...least.lower, ...least.upper]).toEqual(['exact', ...Array(16).fill(0)]);
    const { lower, upper } = quantities.longRunProbability(['max'], bottom, {});
    expect([...upper]).toEqual(Array(8).fill(1));
    expect(Math.min(...lower)).toBeGreaterThan(1 - 1e-9);
  });

  it('is bracketed although what a state and a choice earn is rounded when it is added up', () => {
    using quantities = openQuantities(decisions([[[[0, 1]]]]));
    const [own, more] = [0.015624992973773854, 0.001];
    const earned = Rational.fromDouble(own).plus(Rational.fromDouble(more));
    // Rounded up, it is no lower bound.
    expect(earned.compare(own + more)).toBeLessThan(0);
    for (const direction of ['min', 'max'] as const) {
      const rewards = { name: '', states: Float64Array.of(own), choices: Float64Array.of(more) };
      const solution = quantities.longRunReward([direction], rewards, {});
      expectBrackets(solution, [earned]);
      expect(solution.accuracy).toBe('bounded');
    }
  });

  it('keeps its digits where it is small, if asked for relative precision', () => {
    // From 0 one goes to 1 once in 2^16 steps, and comes back at once.
    using quantities = openQuantities(
      decisions([
        [
          [
            [0, 1 - 2 ** -16],
            [1, 2 ** -16],
          ],
        ],
        [[[0, 1]]],
      ] as Row[][]),
    );
    const share = 2 ** -16 / (1 + 2 ** -16);
    for (const direction of ['min', 'max'] as const) {
      const { lower, upper } = quantities.longRunProbability([direction], BitSet.of(2, [1]), {
        relative: true,
      });
      for (const s of [0, 1]) {
        expect(lower[s] <= share && upper[s] >= share).toBe(true);
        expect(upper[s] - lower[s]).toBeLessThanOrEqual(2e-6 * lower[s]);
      }
    }
  });

  it('has true bounds where the sweeps allowed do not suffice', () => {
    using quantities = openQuantities(hill(20));
    const rewards = {
      name: 'height',
      states: Float64Array.from({ length: 42 }, (_, s) => (s <= 20 ? s : 0)),
    };
    try {
      quantities.longRunReward(['max'], rewards, { maxIterations: 2 });
      expect.unreachable('two sweeps do not suffice');
    } catch (error) {
      expect(error).toBeInstanceOf(NotConvergedError);
      const { lower, upper } = error as NotConvergedError;
      expect(lower.length).toBe(42);
      expect(lower.every((low, s) => low <= 10 && upper[s] >= 10)).toBe(true);
    }
  });
});
