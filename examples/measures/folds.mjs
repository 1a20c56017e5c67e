import { Random } from 'foreguard-worlds';

/**
 * Deals groups (tasks) to folds, so that all runs of a task are tested together and learnt from together. The same groups,
 * number and seed give the same folds, in whatever order the groups come.
 *
 * @param {Iterable<string>} groups repetitions count once
 * @param {number} folds at least 2, at most the number of groups
 * @param {number} seed
 * @returns {Map<string, number>} each group's fold, from 0; sizes differ by at most one
 */
export function dealFolds(groups, folds, seed) {
  const order = [...new Set(groups)].sort();
  if (!Number.isInteger(folds) || folds < 2 || folds > order.length) {
    throw new RangeError(
      `${order.length} tasks cannot be dealt to ${folds} folds; expected 2 to ${order.length}`,
    );
  }
  const random = new Random(seed);
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(random.next() * (i + 1));
    [order[i], order[j]] = [order[j], order[i]];
  }
  return new Map(order.map((group, i) => [group, i % folds]));
}

/**
 * Runs to learn from and runs to test on, fold by fold: each run is tested once, and nothing is learnt from runs of its group.
 *
 * @template {{ group: string }} Run
 * @param {readonly Run[]} runs
 * @param {ReadonlyMap<string, number>} foldOf each group's fold
 * @returns {Generator<{ fold: number, training: Run[], tested: Run[] }>}
 */
export function* eachFold(runs, foldOf) {
  for (const fold of [...new Set(foldOf.values())].sort((a, b) => a - b)) {
    yield {
      fold,
      training: runs.filter(({ group }) => foldOf.get(group) !== fold),
      tested: runs.filter(({ group }) => foldOf.get(group) === fold),
    };
  }
}
