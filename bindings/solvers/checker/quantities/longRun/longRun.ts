import { NotConvergedError } from '../../../../base/errors.js';
import {
  BitSet,
  type Direction,
  type EndComponents,
  getKernel,
  type KernelMdp,
  lostInSum,
  type MdpMatrix,
  type MdpRewards,
  NO_COMPONENT,
  type Solution,
  type SolveOptions,
} from '../../../kernel/index.js';
import type { Communicating } from './communicating.js';
import { componentMeans, type Means } from './componentMeans.js';

/** The smallest non-zero reward that the kernel accepts. */
const SMALLEST_REWARD = 2 ** -500;

/**
 * The least or greatest mean reward per step in the long run, from every state of a decision process. Every run finally stays
 * in an end component, and in a maximal one the best mean is the same from all states. Stopping there therefore earns that mean
 * once, and the best value is an expected reward until stopping.
 *
 * @param kernel the decision process of `matrix`
 * @throws NotConvergedError with the bounds reached, which hold
 */
export function bestLongRun(
  kernel: KernelMdp,
  matrix: MdpMatrix,
  direction: Direction,
  rewards: MdpRewards,
  options: SolveOptions,
): Solution {
  const components = kernel.endComponents();
  const { precision = 1e-6, relative = false } = options;
  const { problem, rounded } = inside(matrix, rewards, components);
  const found = bestMeans(direction, problem, options);
  const means = rounded ? withRoundedGains(found) : found;
  const worth = means.lower.map((low, c) => {
    const mean = low + (means.upper[c] - low) / 2;
    return mean === 0 ? 0 : Math.max(mean, SMALLEST_REWARD);
  });
  // Means of values with an error of at most q (1 + mean), or q mean, have the same error.
  let off = 0;
  worth.forEach((mean, c) => {
    const error = Math.max(mean - means.lower[c], means.upper[c] - mean);
    if (error > 0) off = Math.max(off, (error / (relative ? mean : 1 + mean)) * (1 + 8 * Number.EPSILON));
  });
  // Every run stays in a component: no value is below the least mean of a component, or above the greatest.
  const least = means.lower.reduce((low, value) => Math.min(low, value), Number.POSITIVE_INFINITY);
  const most = means.upper.reduce((high, value) => Math.max(high, value), 0);
  const ofModel = ({ lower, upper }: Pick<Solution, 'lower' | 'upper'>) => {
    // Without an error nothing is added, because 0 times an infinite bound would be NaN.
    const outward = off + 8 * Number.EPSILON;
    const by = (value: number) => (off === 0 ? 0 : (relative ? value : 1 + value) * outward);
    const states = matrix.rowGroupStart.length - 1;
    return {
      lower: lower.slice(0, states).map((value) => Math.max(least, value - by(value))),
      upper: upper.slice(0, states).map((value) => Math.min(most, value + by(value))),
    };
  };
  let solution: Solution;
  try {
    solution = stopped(matrix, components, worth, direction, { ...options, precision: precision / 2 });
  } catch (error) {
    if (!(error instanceof NotConvergedError)) throw error;
    const reached = ofModel(error);
    const isClose = reached.lower.every(
      (low, s) => reached.upper[s] - low <= precision * (relative ? low : Math.max(1, low)),
    );
    if (!means.finished || !isClose) throw new NotConvergedError(error.message, reached);
    // The kernel, which does not know the bound of rewards, gave up and does not report its sweeps.
    return { ...reached, accuracy: 'bounded', method: 'interval-iteration', iterations: means.iterations };
  }
  const bounds = ofModel(solution);
  if (!means.finished) {
    throw new NotConvergedError(
      `the mean of an end component did not come within ${precision} of its true value in ${means.iterations} sweeps: ask for less precision, or for exact arithmetic`,
      bounds,
    );
  }
  return {
    ...bounds,
    accuracy: solution.accuracy === 'exact' && !means.exact ? 'bounded' : solution.accuracy,
    method: means.exact ? solution.method : 'interval-iteration',
    iterations: means.iterations + solution.iterations,
  };
}

/** Bounds on the best mean of each component; least means are negated greatest means of losses. */
function bestMeans(direction: Direction, problem: Communicating, options: SolveOptions): Means {
  const { precision = 1e-6, relative = false } = options;
  const close = (lower: number, upper: number) =>
    upper - lower <= (precision / 2) * (relative ? lower : Math.max(1, lower));
  if (direction === 'max') return componentMeans(problem, close, options);
  const gains = problem.gains.map((gain) => -gain);
  const { lower, upper, ...found } = componentMeans(
    { ...problem, gains },
    (least, most) => close(-most, -least),
    options,
  );
  return { ...found, lower: upper.map((loss) => 0 - loss), upper: lower.map((loss) => 0 - loss) };
}

/** Bounds on means of gains, each of which was rounded once. */
function withRoundedGains(means: Means): Means {
  return {
    ...means,
    lower: means.lower.map((value) => value * (1 - Number.EPSILON)),
    upper: means.upper.map((value) => value * (1 + 2 * Number.EPSILON)),
    exact: false,
  };
}

/** The end components with the rows that stay inside, side by side, and whether a row's gain was rounded. */
function inside(
  { rowGroupStart, rowStart, columns, values }: MdpMatrix,
  { states = new Float64Array(rowGroupStart.length - 1), rows }: MdpRewards,
  components: EndComponents,
): { readonly problem: Communicating; readonly rounded: boolean } {
  const members: number[] = [];
  const numberOf = new Uint32Array(rowGroupStart.length - 1);
  components.componentOf.forEach((c, s) => {
    if (c === NO_COMPONENT) return;
    numberOf[s] = members.length;
    members.push(s);
  });
  const groups = [0];
  const starts = [0];
  const targets: number[] = [];
  const probabilities: number[] = [];
  const gains: number[] = [];
  let rounded = false;
  for (const s of members) {
    for (let row = rowGroupStart[s]; row < rowGroupStart[s + 1]; row++) {
      if (!components.rows.has(row)) continue;
      for (let e = rowStart[row]; e < rowStart[row + 1]; e++) {
        targets.push(numberOf[columns[e]]);
        probabilities.push(values[e]);
      }
      starts.push(targets.length);
      const [left, right] = [states[s], rows?.[row] ?? 0];
      if (lostInSum(left, right) !== 0) rounded = true;
      gains.push(left + right);
    }
    groups.push(gains.length);
  }
  const problem = {
    rowGroupStart: Uint32Array.from(groups),
    rowStart: Uint32Array.from(starts),
    columns: Uint32Array.from(targets),
    values: Float64Array.from(probabilities),
    gains: Float64Array.from(gains),
    componentOf: Uint32Array.from(members, (s) => components.componentOf[s]),
    count: components.count,
  };
  return { problem, rounded };
}

/** The best value if the first state of each end component may end the run for the component's mean. */
function stopped(
  { rowGroupStart, rowStart, columns, values }: MdpMatrix,
  { componentOf, count }: EndComponents,
  worth: Float64Array,
  direction: Direction,
  options: SolveOptions,
): Solution {
  const states = rowGroupStart.length - 1;
  const rows = rowStart.length - 1;
  const first = new Int32Array(count).fill(-1);
  componentOf.forEach((c, s) => {
    if (c !== NO_COMPONENT && first[c] < 0) first[c] = s;
  });
  const groups = new Uint32Array(states + 2);
  const starts = new Uint32Array(rows + count + 2);
  const targets = new Uint32Array(columns.length + count + 1);
  const probabilities = new Float64Array(targets.length);
  const earned = new Float64Array(rows + count + 1);
  let row = 0;
  const add = (to: ArrayLike<number>, by: ArrayLike<number>): void => {
    targets.set(to, starts[row]);
    probabilities.set(by, starts[row]);
    starts[row + 1] = starts[row] + to.length;
    row++;
  };
  for (let s = 0; s < states; s++) {
    for (let r = rowGroupStart[s]; r < rowGroupStart[s + 1]; r++)
      add(columns.subarray(rowStart[r], rowStart[r + 1]), values.subarray(rowStart[r], rowStart[r + 1]));
    const c = componentOf[s];
    if (c !== NO_COMPONENT && first[c] === s) {
      earned[row] = worth[c];
      add([states], [1]);
    }
    groups[s + 1] = row;
  }
  add([states], [1]);
  groups[states + 1] = row;
  using mdp = getKernel().mdp({
    rowGroupStart: groups,
    rowStart: starts,
    columns: targets,
    values: probabilities,
  });
  // A run that never stops earns nothing or, when minimising, never reaches the end.
  return direction === 'max'
    ? mdp.totalReward('max', { rows: earned }, options)
    : mdp.reachabilityReward('min', { rows: earned }, BitSet.of(states + 1, [states]), options);
}
