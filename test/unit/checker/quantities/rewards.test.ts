import '../../../../bindings/solvers/kernel/inline.js';
import { describe, expect, it } from 'vitest';
import { InvalidModelError, NotSupportedError } from '../../../../bindings/base/errors.js';
import { openQuantities } from '../../../../bindings/solvers/checker/index.js';
import { BitSet } from '../../../../bindings/solvers/kernel/index.js';
import type { Dtmc, IntervalDtmc, Mdp, Rewards } from '../../../../bindings/solvers/model/index.js';
import { chainOf } from '../../../kernel/chains.js';
import { mdpOf } from '../../../kernel/randomMdps.js';
import { ExactGame } from '../../../oracle/game.js';

const common = (states: number) => ({ states, initial: [0], labels: new Map() });

/** From 0 to 1 for sure. */
const chain: Dtmc = { type: 'dtmc', ...common(2), ...chainOf([[[1, 1]], [[1, 1]]]) };
const target = BitSet.of(2, [1]);

/** State 0 stays with 1/3, moves with 2/3, or moves at once by its second row. */
const decisions: Mdp = {
  type: 'mdp',
  ...common(2),
  ...mdpOf([
    [
      [
        [0, 1 / 3],
        [1, 2 / 3],
      ],
      [[1, 1]],
    ],
    [[[1, 1]]],
  ]),
};

describe('a reward structure', () => {
  it.each<[string, Rewards, number]>([
    ['states', { name: 'cost', states: Float64Array.of(1, -1) }, 1],
    ['choices', { name: 'cost', choices: Float64Array.of(0, 1, -1) }, 1],
    ['branches', { name: 'cost', branches: Float64Array.of(1, -1, 1, 1) }, 0],
  ])('with a negative reward of %s is refused by its name and state', (_, rewards, state) => {
    using quantities = openQuantities(decisions);
    const refusals = [
      () => quantities.reachabilityReward(['min'], rewards, target, {}),
      () => quantities.totalReward(['min'], rewards, {}),
      () => quantities.cumulativeReward(['min'], rewards, 1, {}),
      () => quantities.instantaneousReward(['min'], rewards, 1, {}),
    ];
    for (const refusal of refusals) {
      expect(refusal).toThrow(InvalidModelError);
      expect(refusal).toThrow(
        `reward structure "cost" evaluates to -1 at state ${state}: negative rewards are not allowed`,
      );
    }
  });

  it('without a name, with a reward that is no number, is refused too', () => {
    using quantities = openQuantities(chain);
    const states = Float64Array.of(Number.NaN, 0);
    expect(() => quantities.longRunReward([], { name: '', states }, {})).toThrow(
      'the reward structure evaluates to NaN at state 0: rewards are finite numbers',
    );
  });

  it('of another size than the model is refused', () => {
    using quantities = openQuantities(chain);
    const choices = Float64Array.of(1);
    expect(() => quantities.totalReward([], { name: 'cost', choices }, {})).toThrow(
      'reward structure "cost" has 1 rewards of choices, but the model has 2 choices',
    );
  });

  it('whose rewards of a state and its choice round when added is bounded, not exact', () => {
    using quantities = openQuantities(chain);
    const rewards = { name: '', states: Float64Array.of(0.1, 0), choices: Float64Array.of(0.2, 0) };
    const { lower, upper } = quantities.reachabilityReward([], rewards, target, {});
    const [exact] = new ExactGame(chain, rewards).reachabilityReward([], target);
    expect(exact?.compare(lower[0])).toBeGreaterThan(0);
    expect(exact?.compare(upper[0])).toBeLessThan(0);
    expect(upper[0] - lower[0]).toBeLessThan(1e-14);
  });

  it('of branches earns in the mean, by the probability to stay that the others leave', () => {
    using quantities = openQuantities(decisions);
    const rewards = { name: '', branches: Float64Array.of(6, 3, 100, 7) };
    // x = 2 + 2 + x / 3
    for (const direction of ['min', 'max'] as const) {
      const { lower, upper } = quantities.reachabilityReward([direction], rewards, target, {});
      const [exact] = new ExactGame(decisions, rewards).reachabilityReward([direction], target);
      expect(exact?.compare(lower[0])).toBeGreaterThanOrEqual(0);
      expect(exact?.compare(upper[0])).toBeLessThanOrEqual(0);
      expect(Math.abs(lower[0] - (direction === 'min' ? 6 : 100))).toBeLessThan(1e-9);
    }
  });

  it('of branches is not supported where nature chooses how probable they are', () => {
    const { values, ...rows } = chainOf([[[1, 1]], [[1, 1]]]);
    const model: IntervalDtmc = { type: 'idtmc', ...common(2), ...rows, lower: values, upper: values };
    using quantities = openQuantities(model);
    const rewards = { name: 'cost', branches: Float64Array.of(1, 1) };
    expect(() => quantities.cumulativeReward(['min'], rewards, 1, {})).toThrow(NotSupportedError);
  });
});
