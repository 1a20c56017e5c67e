import type { Bounds } from '../../../base/bounds.js';
import type { LtlFormula } from '../../../languages/automaton/index.js';
import { BitSet, type Solution, type SolveOptions } from '../../kernel/index.js';
import type { Model, Rewards } from '../../model/index.js';
import { complementBounds, type Directions, openQuantities, type Quantities } from '../quantities/index.js';
import { withBounds } from '../reached.js';
import {
  cosafeReachability,
  type LtlOptions,
  type LtlReachability,
  ltlReachability,
} from './ltlReachability.js';
import { productRewards } from './productModel.js';

/** The solver of the product of model and automaton. */
export interface ProductSolver {
  /** Default: `openQuantities`. */
  readonly open?: (product: Model) => Quantities;
}

/**
 * The probability of a path formula in linear temporal logic, for every state.
 *
 * Co-safe and safe formulas are reachability in the product with a deterministic automaton; others also need the end components
 * of that product in which the formula holds almost surely, found by limit-deterministic automata. Automata are built only as
 * far as the model's states require; in the worst case they are doubly exponential in the formula.
 *
 * @param directions as in `Quantities`: [] in a chain; the scheduler's in a decision process; nature's in an interval chain; both
 *   in an interval decision process.
 * @param atoms for each atom of the formula the states in which it holds.
 * @param options as for `until` of the kernel; with `seeds`, the bounds of all other states are 0 and 1.
 * @throws NotSupportedError if automaton or product are too large, with the size reached, or if the formula is neither co-safe
 *   nor safe and the model is an interval model with lower bounds of 0
 * @throws NotConvergedError as the kernel's `until`
 * @see Esparza, Křetínský, Sickert (2018), doi:10.1145/3209108.3209161; Courcoubetis, Yannakakis (1995), doi:10.1145/210332.210339
 */
export function ltlProbability(
  model: Model,
  directions: Directions,
  formula: LtlFormula,
  atoms: readonly BitSet[],
  { open = openQuantities, ...options }: SolveOptions & LtlOptions & ProductSolver = {},
): Solution {
  const problem = ltlReachability(model, directions, formula, atoms, options);
  using quantities = open(problem.model);
  const solve = (given: SolveOptions) =>
    quantities.until(problem.directions, problem.remain, problem.target, given);
  return onModel(problem, model, options.seeds, 1, () =>
    problem.complemented ? complementOf(solve, options) : solve(options),
  );
}

/**
 * Expected reward until a co-safe path formula is satisfied, for every state: until the positions seen, including the current
 * one, show it. Infinite if it may not be satisfied.
 *
 * @param directions, atoms, options as `ltlProbability`; bounds of states that are not seeds are 0 and infinite.
 * @throws NotSupportedError if the formula is not co-safe, or its automaton or the product are too large
 * @throws NotConvergedError as the kernel's `reachabilityReward`
 */
export function cosafeReward(
  model: Model,
  directions: Directions,
  rewards: Rewards,
  formula: LtlFormula,
  atoms: readonly BitSet[],
  { open = openQuantities, ...options }: SolveOptions & LtlOptions & ProductSolver = {},
): Solution {
  const problem = cosafeReachability(model, directions, formula, atoms, options);
  using quantities = open(problem.model);
  const earned = productRewards(rewards, problem.product);
  return onModel(problem, model, options.seeds, Number.POSITIVE_INFINITY, () =>
    quantities.reachabilityReward(problem.directions, earned, problem.target, options),
  );
}

/** Maps a solution of the product, or the bounds reached, to the model; `most` is the upper bound of states that are not seeds. */
function onModel(
  problem: LtlReachability,
  { states }: Model,
  seeds: BitSet | undefined,
  most: number,
  solve: () => Solution,
): Solution {
  const restrict = (solution: Bounds): Bounds => {
    const lower = new Float64Array(states);
    const upper = new Float64Array(states).fill(most);
    for (const s of seeds ?? BitSet.full(states)) {
      const p = problem.stateOf(s);
      lower[s] = solution.lower[p];
      upper[s] = solution.upper[p];
    }
    return { lower, upper };
  };
  const { accuracy, method, iterations, ...bounds } = withBounds(restrict, solve);
  return { ...bounds, accuracy, method, iterations };
}

/** Beyond this precision, doubles cannot resolve a probability near 1. */
const FINEST = 1e-15;

/** One minus a probability; with `relative`, the precision is that of the difference. */
function complementOf(solve: (options: SolveOptions) => Solution, options: SolveOptions): Solution {
  const { relative = false, precision = 1e-6 } = options;
  for (let absolute = precision; ; ) {
    const within = absolute;
    const solution = withBounds(complementBounds, () =>
      solve({ ...options, precision: within, relative: false }),
    );
    const { lower, upper } = solution;
    let needed = absolute;
    lower.forEach((low, p) => {
      if (upper[p] - low > 2 * precision * low) needed = Math.min(needed, Math.max(low * precision, FINEST));
    });
    if (!relative || needed === absolute || solution.accuracy === 'estimated') return solution;
    absolute = Math.max(FINEST, Math.min(needed, absolute / 10));
  }
}
