import { expect } from 'vitest';
import type {
  Direction,
  Kernel,
  KernelMdp,
  MdpMatrix,
  OptimalSolution,
} from '../../bindings/solvers/kernel/index.js';
import { attempt, checkedCalls, expectComponents, expectSet } from './fuzzLaws.js';
import {
  below,
  garbageIndex,
  garbageOptions,
  garbageSet,
  garbageSteps,
  garbageValues,
  pick,
  type Random,
  randomRows,
  spoilt,
} from './garbage.js';

/** Row groups of one to three rows that usually fit. */
export function randomGroups(random: Random, states: number): Uint32Array {
  const groups = new Uint32Array(states + 1);
  for (let s = 0; s < states; s++) groups[s + 1] = groups[s] + 1 + below(random, 3);
  return groups;
}

export function spoiltGroups(random: Random, groups: Uint32Array): Uint32Array {
  const spoiled = groups.slice();
  if (random() < 0.1)
    spoiled[below(random, spoiled.length)] = garbageIndex(random, groups[groups.length - 1]);
  return random() < 0.03 ? spoiled.subarray(below(random, 2)) : spoiled;
}

export function openMdp(random: Random, kernel: Kernel, states: number): KernelMdp | undefined {
  const groups = randomGroups(random, states);
  const rows = spoilt(random, randomRows(random, groups[states], states));
  const matrix: MdpMatrix = { ...rows, rowGroupStart: spoiltGroups(random, groups) };
  return attempt(() => kernel.mdp(matrix));
}

/** One random call on a decision process that may have been freed. */
export function callMdp(random: Random, mdp: KernelMdp): void {
  const { states, rows } = mdp;
  const expecting = checkedCalls(states);
  const set = () => garbageSet(random, states);
  const options = () => garbageOptions(random);
  const direction = () => pick<Direction>(random, ['min', 'max', 'max', 'best' as Direction]);
  const reward = () => (random() < 0.3 ? 0 : random() * 10);
  const rewards = () => ({
    ...(random() < 0.7 && { states: garbageValues(random, states, reward) }),
    ...(random() < 0.7 && { rows: garbageValues(random, rows, reward) }),
  });
  const optimal = (solution: OptimalSolution) => {
    expect(solution.scheduler.length).toBe(states);
    for (const row of solution.scheduler) expect(row).toBeLessThan(rows);
    return solution;
  };
  pick<() => void>(random, [
    () => expecting.set(() => mdp.reachableFrom(set())),
    () => expecting.set(() => mdp.prob0A(set(), set())),
    () => expecting.set(() => mdp.prob0E(set(), set())),
    () => expecting.set(() => mdp.prob1A(set(), set())),
    () => expecting.set(() => mdp.prob1E(set(), set())),
    () => expecting.components(() => mdp.components()),
    () => {
      const found = attempt(() => mdp.endComponents(random() < 0.5 ? set() : undefined));
      if (found === undefined) return;
      expectComponents(found, states);
      expectSet(found.rows, rows);
    },
    () => expecting.probability(() => optimal(mdp.until(direction(), set(), set(), options()))),
    () => expecting.probability(() => optimal(mdp.until(direction(), set(), set(), options()))),
    () =>
      expecting.probability(() =>
        mdp.boundedUntil(direction(), set(), set(), garbageSteps(random), options()),
      ),
    () => expecting.probability(() => mdp.next(direction(), set())),
    () => expecting.reward(() => optimal(mdp.reachabilityReward(direction(), rewards(), set(), options()))),
    () => expecting.reward(() => optimal(mdp.totalReward(direction(), rewards(), options()))),
    () =>
      expecting.reward(() => mdp.cumulativeReward(direction(), rewards(), garbageSteps(random), options())),
    () => attempt(() => mdp.free()),
  ])();
}
