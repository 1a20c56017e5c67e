import type { BitSet, ChainRewards, KernelChain, KernelSolver } from '../../bindings/solvers/kernel/index.js';
import { attempt, checkedCalls, expectBounds } from './fuzzLaws.js';
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

/** One random call on a chain that may have been freed. Solvers that it opens go to `keep`. */
export function callChain(random: Random, chain: KernelChain, keep: (solver: KernelSolver) => void): void {
  const { states } = chain;
  const expecting = checkedCalls(states);
  const set = () => garbageSet(random, states);
  const options = () => garbageOptions(random);
  const stepOptions = () => ({ ...garbageOptions(random), everyStep: random() < 0.3 });
  const steps = () => garbageSteps(random);
  const within = (): { within?: BitSet } => (random() < 0.5 ? { within: set() } : {});
  const vector = (most: number) =>
    garbageValues(random, states, () => (random() < 0.3 ? 0 : random() * most));
  const rewards = (): ChainRewards => ({
    ...(random() < 0.7 && { states: vector(10) }),
    ...(random() < 0.5 && { transitions: spoilt(random, randomRows(random, states, states)) }),
  });
  const bounds = () => {
    const lower = vector(0.5);
    return { lower, upper: lower.map((value) => 2 * value) };
  };
  pick<() => void>(random, [
    () => expecting.set(() => chain.reachableFrom(set())),
    () => expecting.set(() => chain.canReach(set(), set())),
    () => expecting.set(() => chain.prob0(set(), set())),
    () => expecting.set(() => chain.prob1(set(), set())),
    () => expecting.components(() => chain.components()),
    () => expecting.components(() => chain.bottomComponents()),
    () => expecting.probability(() => chain.until(set(), set(), options())),
    () => expecting.probability(() => chain.until(set(), set(), options())),
    () => expecting.probability(() => chain.until(set(), set(), options())),
    () => expecting.probability(() => chain.until(set(), set(), options())),
    () => expecting.probability(() => chain.until(set(), set(), options())),
    () => expecting.probability(() => chain.until(set(), set(), options())),
    () =>
      expecting.probability(() =>
        chain.boundedUntil(set(), set(), steps(), {
          ...stepOptions(),
          ...(random() < 0.3 && { from: steps() }),
        }),
      ),
    () => expecting.probability(() => chain.boundedGlobally(set(), steps(), stepOptions())),
    () => expecting.probability(() => chain.next(set())),
    () =>
      expecting.reward(() =>
        chain.stepBack(bounds(), steps(), { ...stepOptions(), active: set(), others: bounds() }),
      ),
    () => expecting.reward(() => chain.reachabilityReward(rewards(), set(), options())),
    () => expecting.reward(() => chain.totalReward(rewards(), { ...options(), ...within() })),
    () => expecting.reward(() => chain.cumulativeReward(rewards(), steps(), stepOptions())),
    () => expecting.reward(() => chain.instantaneousReward(vector(10), steps(), stepOptions())),
    () => expecting.reward(() => chain.longRunAverage(rewards(), options())),
    () => expecting.reward(() => chain.steadyState(vector(2 / states), options())),
    () => expecting.reward(() => chain.visitsFrom(vector(2 / states), { ...options(), ...within() })),
    () => expecting.reward(() => chain.visitsTo(vector(1), { ...options(), ...within() })),
    () => {
      const solver = attempt(() => chain.openSolver(set(), set(), options()));
      if (solver !== undefined) keep(solver);
    },
    () => attempt(() => chain.free()),
  ])();
}

/** One random call on a solver that may have been freed, or whose last update may have failed. */
export function callSolver(random: Random, solver: KernelSolver): void {
  const states = attempt(() => solver.states) ?? 4;
  const expecting = checkedCalls(states);
  const options = () => garbageOptions(random);
  pick<() => void>(random, [
    () => {
      const state = garbageIndex(random, states);
      const [lower, upper] = [attempt(() => solver.lower(state)), attempt(() => solver.upper(state))];
      if (lower !== undefined && upper !== undefined)
        expectBounds({ lower: Float64Array.of(lower), upper: Float64Array.of(upper) });
    },
    () => expecting.probability(() => solver.solution()),
    () => attempt(() => solver.solve(options())),
    () => {
      const count = 1 + below(random, 3);
      const rows = Uint32Array.from({ length: count }, () => below(random, states)).sort();
      if (random() < 0.1) rows[0] = garbageIndex(random, states);
      attempt(() =>
        solver.replaceRows({ ...spoilt(random, randomRows(random, count, states)), rows }, options()),
      );
    },
    () => {
      const count = 1 + below(random, 3);
      const [remain, target] = [garbageSet(random, count), garbageSet(random, count)];
      attempt(() =>
        solver.addStates(
          { ...spoilt(random, randomRows(random, count, states + count)), remain, target },
          options(),
        ),
      );
    },
    () => random() < 0.2 && attempt(() => solver.free()),
  ])();
}
