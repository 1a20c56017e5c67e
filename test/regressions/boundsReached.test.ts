import '../../bindings/solvers/kernel/inline.js';
import { describe, expect, test } from 'vitest';
import { NotConvergedError } from '../../bindings/base/errors.js';
import { openQuantities } from '../../bindings/solvers/checker/index.js';
import { widened } from '../../bindings/solvers/checker/quantities/rewards.js';
import { BitSet } from '../../bindings/solvers/kernel/index.js';
import type { Model } from '../../bindings/solvers/model/index.js';
import { expectBrackets } from '../oracle/brackets.js';
import { ExactGame } from '../oracle/game.js';

const few = { method: 'interval-iteration', maxIterations: 2 } as const;

/** The error of a solve that two sweeps do not suffice for. */
function refused(solve: () => unknown): NotConvergedError {
  try {
    solve();
  } catch (error) {
    if (error instanceof NotConvergedError) return error;
    throw error;
  }
  throw new Error('it converged');
}

/** From 0 to 1, and from there a walk on 1 to 4 that ends in 3 or 4; 5 leads to 4. */
const parts = {
  states: 6,
  initial: [0],
  labels: new Map(),
  rowStart: Uint32Array.of(0, 1, 3, 5, 6, 7, 8),
  columns: Uint32Array.of(1, 2, 3, 1, 4, 3, 4, 4),
};
const values = Float64Array.of(1, 0.75, 0.25, 0.75, 0.25, 1, 1, 1);
const rowGroupStart = Uint32Array.of(0, 1, 2, 3, 4, 5, 6);
const models: Model[] = [
  { type: 'dtmc', ...parts, values },
  { type: 'mdp', ...parts, rowGroupStart, values },
  { type: 'idtmc', ...parts, lower: values, upper: values },
  { type: 'imdp', ...parts, rowGroupStart, lower: values, upper: values },
];

test.each(models.map((model) => [model.type, model] as const))(
  'what was reached before a window is not taken for what is in it: %s',
  (type, model) => {
    using quantities = openQuantities(model);
    // State 5 is a target, but a step later one is where none is left.
    const target = BitSet.of(6, [3, 5]);
    const everywhere = BitSet.full(6);
    const directions = { dtmc: [], mdp: ['max'], idtmc: ['max'], imdp: ['max', 'max'] }[type] as 'max'[];
    const event = { remain: everywhere, target, from: 2, to: null };
    const reached = refused(() => quantities.boundedUntil(directions, event, few));
    expectBrackets(reached, new ExactGame(model).boundedUntil(directions, everywhere, target, 2, null));
  },
);

// Interval models are always solved with bounds.
test.each(models.slice(0, 2).map((model) => [model.type, model] as const))(
  'an estimate is one in windows, too: %s',
  (type, model) => {
    using quantities = openQuantities(model);
    const [everywhere, target] = [BitSet.full(6), BitSet.of(6, [3, 5])];
    const method = 'value-iteration';
    const event = { remain: everywhere, target, from: 2, to: null };
    const solution = quantities.boundedUntil(type === 'mdp' ? ['max'] : [], event, { method });
    expect(solution.accuracy).toBe('estimated');
  },
);

describe('where some state has no data', () => {
  // As above, but that nothing is known of 3.
  const unsure: Model = {
    type: 'dtmc',
    ...parts,
    rowStart: Uint32Array.of(0, 1, 3, 5, 5, 6, 7),
    columns: Uint32Array.of(1, 2, 3, 1, 4, 4, 4),
    values: values.subarray(0, 7),
  };

  test('it counts in what was reached, too: a target may be reached from it', () => {
    using quantities = openQuantities(unsure);
    // From 1 to 3 in 4 of 7.
    const { lower, upper } = refused(() => quantities.until([], BitSet.full(6), BitSet.of(6, [5]), few));
    expect(lower[1]).toBe(0);
    expect(upper[1]).toBeGreaterThanOrEqual(4 / 7);
  });

  test('more may be earned from it than was', () => {
    using quantities = openQuantities(unsure);
    const rewards = { name: '', states: Float64Array.of(0, 1, 1, 0, 0, 0) };
    const { lower, upper } = refused(() => quantities.totalReward([], rewards, few));
    expect(lower[1]).toBeLessThanOrEqual(4);
    expect([...upper.subarray(0, 4)]).toEqual(Array(4).fill(Infinity));
  });
});

test('rewards that were rounded are off in what was reached, too', () => {
  const [solution, off] = [{ lower: Float64Array.of(1), upper: Float64Array.of(2) }, 2 ** -40];
  const { lower, upper } = refused(() =>
    widened(() => {
      throw new NotConvergedError('two sweeps do not suffice', solution);
    }, off),
  );
  expect(lower[0]).toBeLessThanOrEqual(1 - off);
  expect(upper[0]).toBeGreaterThanOrEqual(2 + 2 * off);
});
