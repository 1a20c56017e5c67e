import '../../../../bindings/solvers/kernel/inline.js';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type Directions, openQuantities } from '../../../../bindings/solvers/checker/index.js';
import { build } from '../../../../bindings/solvers/exploration/index.js';
import { parseModel } from '../../../../bindings/solvers/formats/index.js';
import { BitSet, type Solution } from '../../../../bindings/solvers/kernel/index.js';
import { labelOf, type Model } from '../../../../bindings/solvers/model/index.js';
import { sharedData } from '../../../shared.js';

function modelOf(path: string, constants: Record<string, number> = {}): Model {
  return build(parseModel(readFileSync(path, 'utf8')), { constants }).model;
}

/** The bounds of the initial state hold a value, or one that rounds to its digits. */
function expectPublished({ lower, upper }: Solution, { initial }: Model, value: number, rounding = 0): void {
  const [s] = initial;
  expect([
    lower[s] <= value + rounding,
    upper[s] >= value - rounding,
    upper[s] - lower[s] <= 2e-6 * value,
  ]).toEqual([true, true, true]);
}

const both = (model: Model, left: string, right: string) =>
  labelOf(model, left).intersection(labelOf(model, right));

sharedData('qvbs/consensus/consensus.2.prism', (path) => {
  it.each([
    [2, 49 / 128, 13 / 120, 75, 48],
    [4, 1793 / 4096, 251 / 4080, 243, 192],
  ])('K = %i has its published probabilities and steps', (K, c2, disagree, most, least) => {
    const model = modelOf(path, { K });
    using quantities = openQuantities(model);
    const all = BitSet.full(model.states);
    const finished = labelOf(model, 'finished');
    const ones = both(model, 'finished', 'all_coins_equal_1');
    const disagreeing = finished.difference(labelOf(model, 'agree'));
    const rewards = model.rewards?.find(({ name }) => name === 'steps') ?? { name: 'none' };
    expectPublished(quantities.until(['min'], all, ones, {}), model, c2);
    expectPublished(quantities.until(['max'], all, disagreeing, {}), model, disagree);
    expectPublished(quantities.reachabilityReward(['max'], rewards, finished, {}), model, most);
    expectPublished(quantities.reachabilityReward(['min'], rewards, finished, {}), model, least);
    expect([...finished].every((s) => quantities.prob1(['min'], all, finished).has(s))).toBe(true);
  });
});

sharedData('qvbs/csma/csma.2-2.prism', (path) => {
  it('has its published probabilities and times', () => {
    const model = modelOf(path);
    using quantities = openQuantities(model);
    const remain = labelOf(model, 'collision_max_backoff').complement();
    const delivered = labelOf(model, 'all_delivered');
    const rewards = model.rewards?.find(({ name }) => name === 'time') ?? { name: 'none' };
    for (const direction of ['min', 'max'] as const) {
      expectPublished(quantities.until([direction], remain, delivered, {}), model, 7 / 8);
      const value = direction === 'min' ? 53954981353 / 805306368 : 227630345357 / 3221225472;
      expectPublished(
        quantities.reachabilityReward([direction], rewards, delivered, {}),
        model,
        value,
        1e-13,
      );
    }
  });
});

sharedData('qvbs/leader_sync/leader_sync.3-2.prism', (path) => {
  it('elects in its published number of rounds', () => {
    const model = modelOf(path);
    using quantities = openQuantities(model);
    const elected = labelOf(model, 'elected');
    const rewards = model.rewards?.find(({ name }) => name === 'num_rounds') ?? { name: 'none' };
    expectPublished(quantities.reachabilityReward([], rewards, elected, {}), model, 4 / 3);
    expect(quantities.prob1([], BitSet.full(model.states), elected).has(model.initial[0])).toBe(true);
  });
});

sharedData('prism-tests/functionality/verify/imdps/coin2_int.prism', (path) => {
  const results: [Directions, number, number][] = [
    [['min', 'min'], 0.44490355232820333, 31.1111111111111],
    [['min', 'max'], 0.7649865690618753, 48],
    [['max', 'min'], 0.9041842818260193, 75],
    [['max', 'max'], 0.9852687856874977, 162.375],
  ];
  it.each(results)(
    'finishes for %j with its published probability and steps',
    (directions, within100, steps) => {
      const model = modelOf(path, { K: 2 });
      using quantities = openQuantities(model);
      const finished = labelOf(model, 'finished');
      const all = BitSet.full(model.states);
      expectPublished(
        quantities.boundedUntil(directions, { remain: all, target: finished, from: 0, to: 100 }, {}),
        model,
        within100,
        1e-13,
      );
      const rewards = model.rewards?.find(({ name }) => name === 'steps') ?? { name: 'none' };
      expectPublished(quantities.reachabilityReward(directions, rewards, finished, {}), model, steps, 1e-5);
    },
  );
});
