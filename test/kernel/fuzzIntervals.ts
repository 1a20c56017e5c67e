import { expect } from 'vitest';
import type {
  Direction,
  IntervalCsr,
  Kernel,
  KernelIntervalChain,
  KernelIntervalMdp,
  KernelIntervalModel,
  Players,
} from '../../bindings/solvers/kernel/index.js';
import { attempt, checkedCalls } from './fuzzLaws.js';
import { randomGroups, spoiltGroups } from './fuzzMdp.js';
import {
  below,
  garbageDouble,
  garbageOptions,
  garbageSet,
  garbageSteps,
  garbageValues,
  pick,
  type Random,
  randomRows,
  spoilt,
} from './garbage.js';

/** Intervals around a chain's rows, with a ball around them or not; now and then they are none. */
function spoiltIntervals(random: Random, rows: number, states: number): IntervalCsr {
  const whole = randomRows(random, rows, states);
  const { rowStart, columns, values: centre } = random() < 0.7 ? whole : spoilt(random, whole);
  const spread = pick(random, [0, 1e-9, 0.1, 1]);
  const lower = centre.map((p) => Math.max(0, p - spread * random()));
  const upper = centre.map((p) => Math.min(1, p + spread * random()));
  if (random() < 0.2) pick(random, [lower, upper])[below(random, lower.length)] = garbageDouble(random);
  if (random() < 0.5) return { rowStart, columns, lower, upper };
  const radius = garbageValues(random, rows, () => pick(random, [0, 0.01, 0.3, Number.POSITIVE_INFINITY]));
  return random() < 0.05
    ? ({ rowStart, columns, lower, upper, radius } as IntervalCsr)
    : { rowStart, columns, lower, upper, radius, centre: random() < 0.9 ? centre : lower };
}

export function openIntervalChain(
  random: Random,
  kernel: Kernel,
  states: number,
): KernelIntervalChain | undefined {
  const matrix = spoiltIntervals(random, states, states);
  return attempt(() => kernel.intervalChain(matrix));
}

export function openIntervalMdp(
  random: Random,
  kernel: Kernel,
  states: number,
): KernelIntervalMdp | undefined {
  const groups = randomGroups(random, states);
  const matrix = spoiltIntervals(random, groups[states], states);
  const rowGroupStart = spoiltGroups(random, groups);
  return attempt(() => kernel.intervalMdp({ ...matrix, rowGroupStart }));
}

export const garbageDirection = (random: Random): Direction =>
  pick<Direction>(random, ['min', 'min', 'max', 'max', 'best' as Direction]);

export const garbagePlayers = (random: Random): Players => ({
  scheduler: garbageDirection(random),
  nature: garbageDirection(random),
});

/** One random call on a model that may have been freed. */
export function callIntervals<Goal>(
  random: Random,
  model: KernelIntervalModel<Goal>,
  goal: (random: Random) => Goal,
): void {
  const { states, rows, transitions } = model;
  const expecting = checkedCalls(states);
  const set = () => garbageSet(random, states);
  const options = () => garbageOptions(random);
  const reward = () => (random() < 0.3 ? 0 : random() * 10);
  const rewards = () => ({
    ...(random() < 0.7 && { states: garbageValues(random, states, reward) }),
    ...(random() < 0.7 && { rows: garbageValues(random, rows, reward) }),
  });
  pick<() => void>(random, [
    () => expecting.set(() => model.prob0(set(), set(), goal(random))),
    () => expecting.set(() => model.prob1(set(), set(), goal(random))),
    () => expecting.probability(() => model.until(set(), set(), goal(random), options())),
    () => expecting.probability(() => model.until(set(), set(), goal(random), options())),
    () =>
      expecting.probability(() =>
        model.boundedUntil(set(), set(), garbageSteps(random), goal(random), options()),
      ),
    () => expecting.probability(() => model.next(set(), goal(random))),
    () => expecting.reward(() => model.reachabilityReward(rewards(), set(), goal(random), options())),
    () =>
      expecting.reward(() =>
        model.cumulativeReward(rewards(), garbageSteps(random), goal(random), options()),
      ),
    () => {
      const values = garbageValues(random, states, random);
      const rows = attempt(() => model.rowDistributions(values, garbageDirection(random)));
      if (rows === undefined) return;
      expect(rows.length).toBe(transitions);
      for (const p of rows) if (!(p >= 0 && p <= 1 + 1e-12)) expect.fail(`a probability is ${p}`);
    },
    () => attempt(() => model.free()),
  ])();
}
