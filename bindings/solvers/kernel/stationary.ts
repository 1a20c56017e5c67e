import type { Bounds } from '../../base/bounds.js';
import { NotConvergedError } from '../../base/errors.js';
import { BitSet } from './bitSet.js';
import { NO_COMPONENT } from './components.js';
import type { EngineChain } from './engine.js';
import type { CheckedSolveOptions } from './options.js';
import { solveSystem } from './system.js';
import type { Accuracy, ChainRewards, Components, Solution } from './types/index.js';
import { scaled, scaling, visitsFrom } from './visits.js';

/** Results below this may have lost digits to underflow: a lower bound becomes 0 there, an upper one stays above. */
const NORMAL = 2 ** -1000;

/** The long-run distribution of a chain with an initial distribution: the limit of the mean time spent in each state. */
export function steadyState(
  chain: EngineChain,
  initial: Float64Array,
  options: CheckedSolveOptions,
): Solution {
  const states = initial.length;
  const bottom = chain.bottomComponents();
  const recurrent = recurrentStates(bottom);
  const started = up(
    initial.reduce((sum, value) => sum + value, 0),
    states,
  );
  const anything = { lower: new Float64Array(states), upper: new Float64Array(states).fill(started) };
  return boundedBy(anything, () => {
    const shares = stationary(chain, bottom, options);
    // The probability of ending in each bottom component: the mass that starts or arrives in it.
    const entered = visitsFrom(chain, initial, recurrent.complement(), finer(options), (_, problem) =>
      summed(problem.arrivals(recurrent), bottom),
    );
    return {
      ...combined([shares, entered]),
      lower: shares.lower.map((share, s) => down(share * ofComponent(entered.lower, bottom, s), 1)),
      upper: shares.upper.map((share, s) => productAbove(share, ofComponent(entered.upper, bottom, s))),
    };
  });
}

/** The mean reward per step in the long run, from every state. */
export function longRunAverage(
  chain: EngineChain,
  rewards: ChainRewards,
  states: number,
  options: CheckedSolveOptions,
): Solution {
  const bottom = chain.bottomComponents();
  const recurrent = recurrentStates(bottom);
  const earned = earnedInOneStep(chain, rewards, states);
  const most = earned.upper.reduce((largest, value) => Math.max(largest, value), 0);
  const anything = { lower: new Float64Array(states), upper: new Float64Array(states).fill(most) };
  return boundedBy(anything, () => {
    const shares = stationary(chain, bottom, options);
    const averages = averagesOf(shares, earned, bottom);
    const positive = BitSet.where(states, (s) => ofComponent(averages.upper, bottom, s) > 0);
    const unknown = chain.canReach(BitSet.full(states), positive).difference(recurrent);
    const start = {
      lower: Float64Array.from({ length: states }, (_, s) => ofComponent(averages.lower, bottom, s)),
      upper: Float64Array.from({ length: states }, (_, s) =>
        // A mean of averages does not exceed the largest of them.
        unknown.has(s) ? most : ofComponent(averages.upper, bottom, s),
      ),
    };
    const solution = solveSystem(chain, { unknown, start, transposed: false }, options);
    return { ...combined([shares, solution]), lower: solution.lower, upper: solution.upper };
  });
}

/**
 * The stationary distributions of all bottom components at once: the expected visits of each state between two visits to a
 * chosen state of its component, solved without subtraction and divided by their sum.
 */
function stationary(chain: EngineChain, bottom: Components, options: CheckedSolveOptions): Solution {
  const states = bottom.componentOf.length;
  const chosen = new BitSet(states);
  const seen = new Uint8Array(bottom.count);
  for (let s = 0; s < states; s++) {
    const component = bottom.componentOf[s];
    if (component === NO_COMPONENT || seen[component] === 1) continue;
    seen[component] = 1;
    chosen.add(s);
  }
  const unknown = recurrentStates(bottom).difference(chosen);
  const once = Float64Array.from({ length: states }, (_, s) => (chosen.has(s) ? 1 : 0));
  const start = {
    lower: once,
    upper: Float64Array.from(once, (value, s) => (unknown.has(s) ? Number.POSITIVE_INFINITY : value)),
  };
  const scale = scaling(chain, states);
  return solveSystem(chain, { unknown, start, transposed: true }, finer(options), (bounds) =>
    normalised(scaled(bounds, scale), bottom),
  );
}

/** Divides positive numbers by their sum, component by component. */
function normalised({ lower, upper }: Bounds, bottom: Components): Bounds {
  const sums = summed({ lower, upper }, bottom);
  const sizes = new Uint32Array(bottom.count);
  for (const component of bottom.componentOf) if (component !== NO_COMPONENT) sizes[component]++;
  const alone = (s: number) => sizes[bottom.componentOf[s]] === 1;
  return {
    lower: lower.map((value, s) => {
      if (bottom.componentOf[s] === NO_COMPONENT) return 0;
      return alone(s) ? 1 : down(value / sums.upper[bottom.componentOf[s]], 1);
    }),
    upper: upper.map((value, s) => {
      if (bottom.componentOf[s] === NO_COMPONENT) return 0;
      return alone(s) ? 1 : Math.min(1, up(value / sums.lower[bottom.componentOf[s]], 1));
    }),
  };
}

/** Sums over each bottom component, one entry per component, rounded outward. */
function summed({ lower, upper }: Bounds, { count, componentOf }: Components): Bounds {
  const sums = { lower: new Float64Array(count), upper: new Float64Array(count) };
  const terms = new Float64Array(count);
  for (const [s, component] of componentOf.entries()) {
    if (component === NO_COMPONENT) continue;
    sums.lower[component] += lower[s];
    sums.upper[component] += upper[s];
    terms[component]++;
  }
  return {
    lower: sums.lower.map((sum, component) => down(sum, terms[component])),
    upper: sums.upper.map((sum, component) => up(sum, terms[component])),
  };
}

/** The mean state reward under the stationary distribution of each component, clamped to the range of these rewards. */
function averagesOf(shares: Bounds, earned: Bounds, bottom: Components): Bounds {
  const weighed = summed(
    {
      lower: shares.lower.map((share, s) => down(share * earned.lower[s], 1)),
      upper: shares.upper.map((share, s) => productAbove(share, earned.upper[s])),
    },
    bottom,
  );
  const least = new Float64Array(bottom.count).fill(Number.POSITIVE_INFINITY);
  const most = new Float64Array(bottom.count);
  for (const [s, component] of bottom.componentOf.entries()) {
    if (component === NO_COMPONENT) continue;
    least[component] = Math.min(least[component], earned.lower[s]);
    most[component] = Math.max(most[component], earned.upper[s]);
  }
  return {
    lower: weighed.lower.map((value, component) => Math.max(value, least[component])),
    upper: weighed.upper.map((value, component) => Math.min(value, most[component])),
  };
}

/** The expected reward of one step from each state: a single step with gains, from values of 0. */
function earnedInOneStep(chain: EngineChain, rewards: ChainRewards, states: number): Bounds {
  const nothing = new Float64Array(states);
  const problem = chain.openSteps({
    active: BitSet.full(states),
    start: { lower: nothing, upper: nothing },
    gain: chain.gains(rewards),
  });
  try {
    problem.step();
    return problem.bounds();
  } finally {
    problem.close();
  }
}

/** Solves; if the solver does not converge, its error carries the bounds `anything`, which need no solution. */
function boundedBy(anything: Bounds, solve: () => Solution): Solution {
  try {
    return solve();
  } catch (error) {
    if (!(error instanceof NotConvergedError)) throw error;
    throw new NotConvergedError(error.message, anything);
  }
}

/**
 * Shares are quotients of solutions, and averages products of those: the relative errors of all parts add up to the requested
 * one.
 */
function finer(options: CheckedSolveOptions): CheckedSolveOptions {
  return { ...options, precision: options.precision / 4, relative: true };
}

function combined(parts: readonly Solution[]): Pick<Solution, 'accuracy' | 'method' | 'iterations'> {
  const estimated = parts.some(({ accuracy }) => accuracy === 'estimated');
  const accuracy: Accuracy = estimated ? 'estimated' : 'bounded';
  const solved = parts.find(({ method }) => method !== 'graph') ?? parts[0];
  return {
    accuracy,
    method: solved.method,
    iterations: parts.reduce((sum, { iterations }) => sum + iterations, 0),
  };
}

function recurrentStates({ componentOf }: Components): BitSet {
  return BitSet.where(componentOf.length, (s) => componentOf[s] !== NO_COMPONENT);
}

/** The entry for the bottom component of a state, 0 for states in none. */
function ofComponent(values: Float64Array, { componentOf }: Components, s: number): number {
  return componentOf[s] === NO_COMPONENT ? 0 : values[componentOf[s]];
}

/** A lower bound of a number that became `value` by `roundings` roundings; two more cover this computation. */
function down(value: number, roundings: number): number {
  return value < NORMAL ? 0 : value * (1 - (roundings + 2) * Number.EPSILON);
}

/** An upper bound of a number that became `value`, which is not 0, by `roundings` roundings. */
function up(value: number, roundings: number): number {
  return Math.max(NORMAL, value * (1 + (roundings + 2) * Number.EPSILON));
}

/** An upper bound of a product, 0 only if a factor is. */
function productAbove(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : up(a * b, 1);
}
